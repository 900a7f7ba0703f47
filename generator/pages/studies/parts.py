"""Divides a long page: some of its sections get pages of their own, and the page links to them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

from generator.pages.addresses import relative
from generator.pages.blocks import Items, Section, Sections, opening
from generator.pages.inline import Anchor, Link, Prose, plain

TOP = 2
"""The heading level of sections that may get a page; deeper sections after them go with them."""


def part_address(address: str, anchor: str) -> str:
    """The address of the part that begins with this anchor; it is beside the page, so that relative links still work.

    >>> part_address("models/x/curve/", "learned")
    'models/x/curve-learned/'
    """
    return f"{address.removesuffix('/')}-{anchor}/"


def parts(page: Sections, address: str, apart: Callable[[str], bool]) -> Iterator[tuple[str, Sections]]:
    """Address and content of the page, then of each of its parts; `apart` says by anchor which sections become parts.

    The anchors stay on the page, each with a link to the part.
    """
    starts = [at for at, section in enumerate(page.sections) if section.level == TOP]
    left = list(page.sections[: starts[0]] if starts else page.sections)
    made = []
    for start, end in pairwise([*starts, len(page.sections)]):
        first, *below = page.sections[start:end]
        if not apart(first.id):
            left += first, *below
            continue
        there = part_address(address, first.id)
        link = relative(there, address)
        lines: tuple[Prose, ...] = (
            Link("On a page of its own", link),
            *((Anchor(section.id), _to(section, link)) for section in below),
        )
        left.append(replace(first, blocks=(Items(lines),)))
        made.append((there, _part(page, address, first, below)))
    yield address, replace(page, sections=tuple(left))
    yield from made


def _to(section: Section, page: str) -> Link:
    return Link(plain(section.title), f"{page}#{section.id}")


def _part(page: Sections, address: str, first: Section, below: list[Section]) -> Sections:
    """A part as a page; if its section begins with plain text, this is the lead."""
    above = Link(plain(page.title), relative(address, part_address(address, first.id)))
    text, blocks = "", first.blocks
    if blocks and isinstance(blocks[0], str):
        text, blocks = blocks[0], blocks[1:]
    return Sections(
        title=first.title,
        lead=text or f"One part of the page {plain(page.title)}; the link above leads to the rest.",
        crumbs=(*page.crumbs, above),
        sections=(opening(*blocks), *(replace(section, level=TOP) for section in below)),
    )
