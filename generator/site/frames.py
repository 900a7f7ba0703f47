"""The frame that the theme puts around a page, made once for all pages that differ only in title, text and address.

MkDocs and its theme would take as long as making the page itself, and do the same work for every head.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, Self
from urllib.parse import quote

from jinja2 import Environment
from mkdocs.commands.build import get_context
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.structure.toc import get_toc

from generator.pages.renderer import Page
from generator.site.models.cached import PAGE, owner_of
from generator.site.search import named, slim

SEARCH = "material/search"
OWN = ("fieldguide", SEARCH)
"""Plugins whose effect on a page is known."""
EVENTS = ("pre_page", "page_read_source", "page_markdown", "page_content", "page_context", "post_page")


class Labels(NamedTuple):
    """The parts of a frame that differ from page to page, as HTML."""

    title: str
    description: str
    card: str
    canonical: str
    html: str


class Searched(NamedTuple):
    """What the search reads of a page, under the names that MkDocs gives it."""

    url: str
    title: str
    meta: Mapping[str, Any]
    content: str
    toc: Any

    @classmethod
    def of(cls, made: Page, meta: Mapping[str, Any]) -> Self:
        """Of a finished page; one of MkDocs takes as long to make as its text takes to read."""
        return cls(quote(made.address), made.title, meta, made.search, contents(made.title))


MARKS = Labels("\x02title\x02", "\x02description\x02", "\x02card\x02", "\x02canonical\x02", "\x02<h1\x02")
"""Placeholders for these parts. They contain a character that no page has, and a heading, as the theme expects one."""
# The group makes `split` keep the placeholders.
CUT = re.compile(f"({'|'.join(map(re.escape, MARKS))})")


class Finished(MkDocsPage):
    """A generated page outside the menu: its body is empty, and converting that takes as long as making many pages."""

    def render(self, config: MkDocsConfig, files: Files) -> None:  # noqa: ARG002 - as MkDocs calls it
        """Do what the parent does with an empty body."""
        self.content, self.toc, self.present_anchor_ids = "", get_toc([]), set()


def usable(config: MkDocsConfig) -> bool:
    """Whether frames may be reused: no other plugin or hook handles the events of single pages."""
    own = [plugin for name, plugin in config.plugins.items() if name in OWN]
    return all(getattr(hook, "__self__", None) in own for event in EVENTS for hook in config.plugins.events[event])


class Frames:
    """Puts finished pages into the theme's frames, each kind of which is rendered only once or twice."""

    def __init__(self, environment: Environment, navigation: Navigation, files: Files, config: MkDocsConfig) -> None:
        self._template = environment.get_template("main.html")
        self._navigation, self._files, self._config = navigation, files, config
        self._frames: dict[tuple[object, ...], list[list[str]]] = {}
        """Kind of page -> the frames of its first page and of the last one rendered, cut before and after every
        placeholder; if they are equal, the frame is reused.
        """
        self._folders: dict[tuple[object, ...], set[str]] = {}
        """Kind of page -> the folders of the pages whose frames were rendered: of two models, if there are as many."""

    def around(self, made: Page, meta: Mapping[str, Any]) -> str:
        """The whole page with its frame; `meta` holds what front matter would say about it."""
        site, place = self._config.site_url, quote(made.address)
        labels = Labels(
            meta["title"], meta["description"], meta["card"], f"{site}{place}" if site else "", made.html.rstrip()
        )
        # What the frame says of a dataset is of this page alone.
        if made.dataset:
            return self._framed(made.address, labels, meta)
        above = made.address.rstrip("/").rpartition("/")[0]
        model = owner_of(f"{made.address}{PAGE}")
        kind = (above.replace(f"/{model}", "/*") if model else above, *meta["hide"], meta["oembed"], *map(bool, labels))
        # An empty part stays empty, because the theme leaves out the tags around it.
        marks = Labels(*(mark if text else "" for mark, text in zip(MARKS, labels, strict=True)))
        frames, folders = self._frames.setdefault(kind, []), self._folders.setdefault(kind, set())
        other = above not in folders and len(folders) < 2
        if other or len(frames) < 2 or frames[0] != frames[1]:  # a user's own theme may show more of a page
            frames[1:] = [CUT.split(self._framed(made.address, marks, meta))]
            folders.add(above)
        of_page = dict(zip(MARKS, labels, strict=True))
        return "".join([of_page.get(part, part) for part in frames[-1]])

    def _framed(self, address: str, labels: Labels, meta: Mapping[str, Any]) -> str:
        """The page as the theme renders it, with `labels` as its parts."""
        spoken = {**meta, "title": labels.title, "description": labels.description, "card": labels.card}
        page = self._page(address, spoken, labels.html, labels.title)
        page.canonical_url = labels.canonical
        return named(slim(self._template.render(get_context(self._navigation, self._files, self._config, page))))

    def _page(self, address: str, meta: Mapping[str, Any], content: str, title: str) -> MkDocsPage:
        page = MkDocsPage(None, File.generated(self._config, f"{address}index.md", content=""), self._config)
        page.meta, page.content, page.toc = {**meta}, content, contents(title)
        return page


def contents(title: str) -> Any:
    """The table of contents of a finished page: only the heading at its top, to which readers may skip."""
    return get_toc([{"level": 1, "id": "top", "name": title, "children": []}])
