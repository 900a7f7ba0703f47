"""What we put before the theme's own scripts, so that its search and its navigation do what readers expect."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

from generator.site.kept import INDEX, owner

BEFORE: Mapping[str, tuple[str, ...]] = {
    r"assets/javascripts/bundle\.\w+\.min\.js": ("origin.js", "disk.js", "search.js"),
    r"assets/javascripts/workers/search\.\w+\.min\.js": ("search-worker.js",),
}
"""Script of the theme -> ours, which run before it."""


INDENTED, BLANK = re.compile(r"\n\s+"), re.compile(r">\s+<")
NAMES = re.compile(r'(class="md-(?:nav|tabs)__link[^>]*>)(?:<span class="md-ellipsis">)?\s*([^<]*?)\s*(?:</span>)?<')
"""The names of pages in the menu; some stand in an element that cuts off long names, although none is too long."""
UNUSED = re.compile(
    r' xmlns="http://www.w3.org/2000/svg"| tabindex=""|<script>var target=[^<]*__tabbed_[^<]*</script>|'
    r'<div class="md-sidebar md-sidebar--secondary"[^>]* hidden><div[^>]*><div[^>]*><nav[^>]*></nav></div></div></div>|'
    r'"clipboard\.[a-z]+": "[^"]*", |, "select\.version": "[^"]*"'
)
"""What HTML does not need or forbids, the script of contents in tabs, an empty list of headings, and the words of
buttons to copy and of a choice of versions; no page has such tabs, buttons or versions.
"""
TOKEN, FIRST = re.compile(r"glossary/#.+"), 4
"""Where terms are explained, and how much more than other hits those count that are tokens, such as [CLS]: many titles
name them. With 2.6 claims about [SEP] still come before its term, with 3.2 none does.
"""
TABLE = re.compile(r'<details class="fg-table">.*?</details>|<table[^>]* class="fg-.*?</table>', re.DOTALL)
DIALOG = 'data-md-component="search" role="dialog"'


def named(page: str) -> str:
    """The page with a name for the theme's search dialog, which voices need."""
    return page.replace(DIALOG, f'{DIALOG} aria-label="Search"', 1)


def read(page: str) -> str:
    """What the search shall read of a hand-written page: all but the tables that are put into it.

    Its parser takes what follows an element without an end tag, which their rows and cells are, for a part of it.
    """
    return TABLE.sub("", page)


def slim(page: str) -> str:
    """The page with all that the theme puts around its article made short: it is a third of a head's page."""
    before, start, rest = page.partition("<article")
    article, end, after = rest.rpartition("</article>")
    return f"{_slim(before)}{start}{article.rstrip()}{end}{_slim(after)}"


def _slim(frame: str) -> str:
    return UNUSED.sub("", NAMES.sub(r"\1\2<", BLANK.sub("><", INDENTED.sub("\n", frame))))


def extend_theme(files: Files, config: MkDocsConfig, assets: Path) -> None:
    """Put our scripts before the theme's. Raises PluginError where the theme has none of that name."""
    for name, ours in BEFORE.items():
        theirs = next((file for file in files if re.fullmatch(name, file.src_uri)), None)
        if theirs is None:
            raise PluginError(f"Expected a script {name} in the theme, found none; install mkdocs-material 9.")
        text = "".join((assets / one).read_text(encoding="utf-8") for one in ours) + theirs.content_string
        files.remove(theirs)
        files.append(File.generated(config, theirs.src_uri, content=text))
        if "/workers/" in theirs.src_uri:
            page = f"window.fieldguideSearch = (addEventListener, postMessage) => {{\n{text}\n}};\n"
            files.append(File.generated(config, theirs.src_uri.replace("min.js", "page.js"), content=page))


def complete_index(site: Path, kept: Sequence[Mapping[str, Any]]) -> None:
    """Add what is known of pages that are kept, those of a model in one place, and put the terms for tokens first.

    The index stands beside itself as a script, too, which a browser also loads from disk.
    """
    index = site / INDEX
    if index.is_file():
        data = json.loads(index.read_bytes())
        data["docs"] = sorted((*data["docs"], *kept), key=owner)
        for one in data["docs"]:
            if TOKEN.fullmatch(one["location"]) and one["title"].startswith("["):
                one["boost"] = FIRST
        text = json.dumps(data, separators=(",", ":"))
        index.write_text(text, encoding="utf-8")
        index.with_suffix(".js").write_text(f"var __index = {text}", encoding="utf-8")
