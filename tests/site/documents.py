"""Built HTML, read with the standard library: what it refers to, what can be referred to, and its texts."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote, urlsplit

REFERENCES = ("href", "src", "srcset", "action", "data", "poster")
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

ENDED_BY = {"td": ("td", "th"), "th": ("td", "th"), "tr": ("td", "th", "tr"), "tbody": ("td", "th", "tr", "thead")}
"""Tag -> the open elements that it ends, as HTML has it."""


def data_of(script: str) -> dict[str, Any]:
    """The data of a page's figures by their names, from the script beside the page."""
    data: dict[str, Any] = json.loads(script.removeprefix("window.fieldguideData=").removesuffix(";\n"))
    return data


def without_pictures(html: str) -> str:
    """A page whose charts were taken out of their slots, and the small curves and arcs out of its text."""
    html = re.sub(r'<svg class="fg-(?:spark|arcs-drawn)".*?</svg>', "", html, flags=re.DOTALL)
    return re.sub(r'(<div class="fg-chart"[^>]*>).*?</div>', r"\1</div>", html, flags=re.DOTALL)


@dataclass(slots=True)
class Element:
    """An element of a page with what it holds; `text` is that of its own and of all elements in it."""

    tag: str
    attributes: dict[str, str]
    texts: list[str]
    """Of the page; the element has those from the first to before the last, or to the end if it stays open."""
    first: int
    last: int | None = None

    @property
    def text(self) -> str:
        """Without the white space around it."""
        return "".join(self.texts[self.first : self.last]).strip()

    @property
    def classes(self) -> list[str]:
        """As they are written."""
        return self.attributes.get("class", "").split()


class Document(HTMLParser):
    """All elements of a page, in the order in which they open."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self._texts: list[str] = []
        self.feed(html)
        self.close()

    @property
    def ids(self) -> set[str]:
        """Every anchor."""
        return {element.attributes["id"] for element in self.elements if "id" in element.attributes}

    def references(self) -> Iterator[tuple[Element, str]]:
        """Every address that an element refers to, with the element."""
        for element in self.elements:
            for name in REFERENCES:
                if name in element.attributes:
                    yield element, element.attributes[name]

    def find(self, tag: str, kind: str = "") -> list[Element]:
        """Elements by tag and class."""
        return [element for element in self.elements if element.tag == tag and (not kind or kind in element.classes)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element; it ends cells and rows whose end tags were left out."""
        while self._open and self._open[-1].tag in ENDED_BY.get(tag, ()):
            self._end()
        element = Element(tag, {name: value or "" for name, value in attrs}, self._texts, len(self._texts))
        self.elements.append(element)
        self._open.append(element)
        if tag in VOID:
            self._end()

    def handle_endtag(self, tag: str) -> None:
        """Close the last element of that tag and what was left open in it."""
        if any(element.tag == tag for element in self._open):
            while self._end() != tag:
                pass

    def handle_data(self, data: str) -> None:
        """Text belongs to every open element."""
        self._texts.append(data)

    def _end(self) -> str:
        """End the last element that is open; gives its tag."""
        element = self._open.pop()
        element.last = len(self._texts)
        return element.tag


def split(address: str) -> tuple[str, str]:
    """Path and anchor of an internal address, both unquoted."""
    parts = urlsplit(address)
    return unquote(parts.path), unquote(parts.fragment)
