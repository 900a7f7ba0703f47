"""What a reader finds on a page of sections: a section by its anchor, its figure or table, and the text of a cell."""

from typing import TypeVar

from generator.pages.blocks import Block, Prose, Section, Sections
from generator.pages.renderer import inline

Kind = TypeVar("Kind")


def section(page: Sections, anchor: str) -> Section:
    """The one that the address with this anchor leads to; "" is what stands before the first heading."""
    (found,) = (one for one in page.sections if one.id == anchor)
    return found


def block(page: Sections, anchor: str, kind: type[Kind], at: int = 0) -> Kind:
    """The figure, table or list of a section, the first of its kind unless told."""
    return [one for one in section(page, anchor).blocks if isinstance(one, kind)][at]


def anchors(page: Sections) -> list[str]:
    """Where links may lead to."""
    return [one.id for one in page.sections if one.id]


def prose(page: Sections, anchor: str) -> list[str]:
    """Paragraphs and notes of a section."""
    return [seen(getattr(one, "text", one)) for one in section(page, anchor).blocks if _is_prose(one)]


def _is_prose(one: Block) -> bool:
    return not hasattr(one, "template") or one.template == "note"


def seen(text: Prose) -> str:
    """A text, a cell or a heading without its markup."""
    return inline(text).striptags()
