"""Text and HTML that stand in Markdown as they are: no mark in them means anything there."""

import re
import string
from html import escape

from generator.pages.inline import Link

_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f]+")
_MARKS = re.compile(f"[{re.escape(''.join(set(string.punctuation) - set('.,-')))}]")
"""What may mean something in HTML or Markdown."""


def anchor(link: Link) -> str:
    """A link within a sentence."""
    told = f' title="{text(link.title)}"' if link.title else ""
    return f'<a href="{escape(link.href)}"{told}>{text(link.text)}</a>'


def text(plain: str) -> str:
    """As itself in HTML and in Markdown: every mark as a character reference, every run of white space a space."""
    return _MARKS.sub(lambda found: f"&#{ord(found[0])};", _CONTROL.sub(" ", plain))


def one_block(html: str) -> str:
    """HTML on lines of its own that Markdown passes on as it is: none of them is empty or indented."""
    return "\n\n{}\n\n".format("\n".join(line.strip() for line in html.splitlines() if line.strip()))
