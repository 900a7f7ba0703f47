"""Text and HTML for use in Markdown, escaped so that no character in them has a meaning there."""

import re
import string
from collections.abc import Iterable, Sequence
from html import escape

from generator.pages.inline import Link, Prose, as_parts, plain

_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f]+")
_MARKS = re.compile(f"[{re.escape(''.join(set(string.punctuation) - set('.,-')))}]")
"""Matches characters that may have a meaning in HTML or Markdown."""


def anchor(link: Link) -> str:
    """A link within a sentence."""
    clause = f' title="{text(link.title)}"' if link.title else ""
    return f'<a href="{escape(link.href)}"{clause}>{text(link.text)}</a>'


def text(plain: str) -> str:
    """Plain text that HTML and Markdown show as it is: marks become character references, white space single spaces."""
    return _MARKS.sub(lambda found: f"&#{ord(found[0])};", _CONTROL.sub(" ", plain))


def sentence(read: Prose) -> str:
    """A text with its links; any other part stands as the text that a reader sees."""
    return "".join(
        anchor(part) if isinstance(part, Link) else text(part if isinstance(part, str) else plain(part))
        for part in as_parts(read)
    )


def table(columns: Sequence[str], rows: Iterable[Sequence[Prose]]) -> str:
    """A table, whose cells are texts with links."""
    head = (" | ".join(columns), "|".join(["---"] * len(columns)))
    return "\n".join(f"| {row} |" for row in (*head, *(" | ".join(map(sentence, cells)) for cells in rows)))


_BLOCK = re.compile(r'\n\n(<(?:details class="fg-block"|figure class="fg-figure")[^\n]*(?:\n[^\n]+)*)(?=\n\n)')
"""Matches what `one_block` makes of tables and figures."""
_PLACE = re.compile(r'<hr id="fg-block-(\d+)">')


def without_blocks(markdown: str) -> tuple[str, list[str]]:
    """A page with a mark in place of each table and figure, and the tables and figures: Markdown would take long to
    pass them on.
    """
    blocks: list[str] = []

    def mark(found: re.Match[str]) -> str:
        blocks.append(found[1])
        return f'\n\n<hr id="fg-block-{len(blocks) - 1}">'

    return _BLOCK.sub(mark, markdown), blocks


def with_blocks(html: str, blocks: Sequence[str]) -> str:
    """The HTML of a page from which `without_blocks` took these blocks, with them back in their places."""
    return _PLACE.sub(lambda found: blocks[int(found[1])], html)


def one_block(html: str) -> str:
    """HTML as lines that Markdown passes on unchanged, because none of them is empty or indented."""
    return "\n\n{}\n\n".format("\n".join(line.strip() for line in html.splitlines() if line.strip()))
