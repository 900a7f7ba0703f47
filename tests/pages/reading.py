"""What a reader finds on a page of sections, and how a stored number is written there."""

from collections.abc import Iterator
from itertools import takewhile
from typing import Any, TypeVar

import pandas as pd

from generator.numbers.number import Number
from generator.numbers.writing import interval, pieces
from generator.pages.blocks import Block, Figure, Section, Sections, Table
from generator.pages.inline import Prose, inline

Kind = TypeVar("Kind")


def section(page: Sections, anchor: str) -> Section:
    """The one that the address with this anchor leads to; "" is what stands before the first heading."""
    (found,) = (one for one in page.sections if one.id == anchor)
    return found


def below(page: Sections, anchor: str) -> list[Section]:
    """The smaller sections of a section."""
    at = page.sections.index(section(page, anchor)) + 1
    level = page.sections[at - 1].level
    return list(takewhile(lambda one: one.level > level, page.sections[at:]))


def block(page: Sections, anchor: str, kind: type[Kind], at: int = 0) -> Kind:
    """The figure, table or list of a section, the first of its kind unless told."""
    return [one for one in section(page, anchor).blocks if isinstance(one, kind)][at]


def every(page: Sections, kind: type[Kind]) -> list[Kind]:
    """All figures, tables or lists of a page, those in columns too."""
    return [one for part in page.sections for one in inside(part) if isinstance(one, kind)]


def inside(one: Block) -> Iterator[Block]:
    """A block and all that it holds."""
    yield one
    for part in (*getattr(one, "blocks", ()), *getattr(one, "parts", ())):
        yield from inside(part)


def anchors(page: Sections) -> list[str]:
    """Where links may lead to."""
    return [one.id for one in page.sections if one.id]


def prose(page: Sections, anchor: str) -> list[str]:
    """Paragraphs and notes of a section."""
    return paragraphs(section(page, anchor))


def _is_prose(one: Block) -> bool:
    return not hasattr(one, "template") or one.template == "note"


def told(section: Section) -> str:
    """All paragraphs and notes of a section."""
    return "\n".join(paragraphs(section))


def paragraphs(section: Section) -> list[str]:
    """One by one."""
    return [seen(getattr(one, "text", one)) for one in section.blocks if _is_prose(one)]


def figures(page: Sections) -> list[Figure]:
    """All of a page, in its order."""
    return every(page, Figure)


def seen(text: Prose) -> str:
    """A text, a cell or a heading without its markup."""
    return inline(text).striptags()


def text(cell: Any) -> str:
    """What a cell says, without its note."""
    return str(getattr(cell, "text", cell))


def one(frame: pd.DataFrame, **chosen: Any) -> Any:
    """The only row with these values."""
    for name, value in chosen.items():
        frame = frame[frame[name] == value]
    assert len(frame) == 1, chosen
    return frame.iloc[0]


def texts(table: Table) -> list[list[str]]:
    """Cells without their notes."""
    return [[text(cell) for cell in row] for row in table.rows]


def between(row: Any, low: str = "low", high: str = "high") -> str:
    """An interval as a note: nothing where there is none, or where it would repeat the value."""
    text = interval(row[low], row[high], value=row[low.removesuffix("_low") if low != "low" else "value"])
    return "" if text == "-" or (low == "low" and row["low"] == row["high"] == row["value"]) else text


def alone(row: Any, name: str = "") -> str:
    """The value of a stored number as a page writes it."""
    return pieces(Number.of(row, name, f"{name}_low", f"{name}_high") if name else Number.of(row))[0]
