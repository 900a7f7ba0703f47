"""Changes to the theme, so that its search and its navigation do what readers expect."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

from generator.pages.heads.asking import field
from generator.site.models.cached import INDEX, owner

BEFORE: Mapping[str, tuple[str, ...]] = {
    r"assets/javascripts/bundle\.\w+\.min\.js": ("origin.js", "disk.js", "later.js", "search.js"),
    r"assets/javascripts/workers/search\.\w+\.min\.js": ("search-worker.js",),
}
"""Script of the theme -> our scripts, which run before it."""


INDENTED, BLANK = re.compile(r"\n\s+"), re.compile(r">\s+<")
NAMES = re.compile(r'(class="md-(?:nav|tabs)__link[^>]*>)(?:<span class="md-ellipsis">)?\s*([^<]*?)\s*(?:</span>)?<')
"""Matches the names of pages in the menu; some are in an element that cuts off long names, which none of them needs."""
UNUSED = re.compile(
    r' xmlns="http://www.w3.org/2000/svg"| tabindex=""|<script>var target=[^<]*__tabbed_[^<]*</script>|'
    r'<div class="md-sidebar md-sidebar--secondary"[^>]* hidden><div[^>]*><div[^>]*><nav[^>]*></nav></div></div></div>|'
    r'<div data-md-component="announce"></div>|<footer[^>]*>(?:<div[^>]*>)*</div></div></div></footer>|'
    r' md-nav__item--pruned md-nav__item--nested|<span class="md-nav__icon md-icon"></span>(?=</a>)|</li>|'
    r'<a[^>]* class="md-nav__button md-logo"[^>]*><img[^>]*></a>|<meta name="generator"[^>]*>'
)
"""Matches parts of the theme's HTML that are removed: what HTML does not need or forbids; what serves tabs, which no
page has; lists of headings, announcements and footers in which nothing stands; the signs of lists in the menu that are
left out of it, so that these are links like any other; and the names of the theme and, in the menu, of its second logo.
"""
ICON = re.compile(r'<path d="([^"]{100,})"/>')
"""Matches a large icon; one that stands twice in a frame is drawn the second time by its name."""
CONFIG = re.compile(r'(?<=<script id="__config" type="application/json">)[^<]+')
"""What the theme tells its scripts."""
IDLE = ("clipboard.", "select.")
"""Beginnings of the names of texts that no script shows: of buttons that copy, and of a choice of versions."""
TOKEN, DOOR, FIRST = re.compile(r"glossary/#.+"), re.compile(r"models/[^/]+/|findings/[^/]+/"), 4
"""Addresses of terms and of doors, and the factor by which doors and terms that are tokens, such as [CLS], count more
than other hits, since many titles contain their words. With 2.6 claims about [SEP] still come before its term, with 3.2
none does.
"""
TABLE = re.compile(r'<details class="fg-table">.*?</details>|<table[^>]* class="fg-.*?</table>', re.DOTALL)
ASKED = json.dumps("|".join(field()))
"""The words by which the search leads to the finder, for an expression."""
DIALOG = 'data-md-component="search" role="dialog"'


def named(page: str) -> str:
    """The page with a name for the theme's search dialog, which screen readers need."""
    return page.replace(DIALOG, f'{DIALOG} aria-label="Search"', 1)


def read(page: str) -> str:
    """What the search reads of a hand-written page: everything except the tables that are put into it.

    The rows and cells of these tables have no end tags, and the parser of the search would take all that follows an
    element without an end tag for a part of it.
    """
    return TABLE.sub("", page)


def slim(page: str) -> str:
    """The page with a shorter frame: what the theme puts around the article is a third of a head's page."""
    before, start, rest = page.partition("<article")
    article, end, after = rest.rpartition("</article>")
    return f"{_slim(before)}{start}{article.rstrip()}{end}{_slim(after)}"


def _slim(frame: str) -> str:
    shorter = NAMES.sub(r"\1\2<", BLANK.sub("><", INDENTED.sub("\n", frame)))
    return CONFIG.sub(_config, _with_icons_once(UNUSED.sub("", shorter)))


def _with_icons_once(frame: str) -> str:
    drawn = Counter(ICON.findall(frame))
    names = {path: f"__icon-{at}" for at, path in enumerate(path for path in drawn if drawn[path] > 1)}
    seen: set[str] = set()

    def again(found: re.Match[str]) -> str:
        path = found[1]
        if path not in names:
            return found[0]
        if path in seen:
            return f'<use href="#{names[path]}"/>'
        seen.add(path)
        return f'<path id="{names[path]}" d="{path}"/>'

    return ICON.sub(again, frame)


def _config(config: re.Match[str]) -> str:
    found = {name: value for name, value in json.loads(config[0]).items() if value is not None}
    found["translations"] = {name: text for name, text in found["translations"].items() if not name.startswith(IDLE)}
    # A "<" in a text could end the script that holds it.
    return json.dumps(found, separators=(",", ":")).replace("<", r"\u003c")


def extend_theme(files: Files, config: MkDocsConfig, assets: Path) -> None:
    """Put our scripts before the theme's. Raises PluginError if the theme has no script of that name."""
    for name, ours in BEFORE.items():
        theirs = next((file for file in files if re.fullmatch(name, file.src_uri)), None)
        if theirs is None:
            raise PluginError(f"Expected a script {name} in the theme, found none; install mkdocs-material 9.")
        text = "".join((assets / our).read_text(encoding="utf-8") for our in ours).replace('"FIELD"', ASKED)
        text += theirs.content_string
        files.remove(theirs)
        files.append(File.generated(config, theirs.src_uri, content=text))
        if "/workers/" in theirs.src_uri:
            # From disk no worker can start, so there the page runs the worker's script itself.
            page = f"window.fieldguideSearch = (addEventListener, postMessage) => {{\n{text}\n}};\n"
            files.append(File.generated(config, theirs.src_uri.replace("min.js", "page.js"), content=page))


def complete_index(site: Path, kept: Sequence[Mapping[str, Any]]) -> None:
    """Add the entries of kept pages to the search index, each model's together; doors and terms for tokens come first.

    The index is also written as a script, which a browser can load from disk.
    """
    index = site / INDEX
    if index.is_file():
        data = json.loads(index.read_bytes())
        data["docs"] = sorted((*data["docs"], *kept), key=owner)
        for entry in data["docs"]:
            token = TOKEN.fullmatch(entry["location"]) and entry["title"].startswith("[")
            if token or DOOR.fullmatch(entry["location"]):
                entry["boost"] = FIRST
        text = json.dumps(data, separators=(",", ":"))
        index.write_text(text, encoding="utf-8")
        # A page that was opened from disk may load a script, but not fetch JSON.
        index.with_suffix(".js").write_text(f"var __index = {text}", encoding="utf-8")
