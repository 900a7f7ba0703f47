"""A model as a small map of its heads, what its colours mean, and the heads to see first."""

import math
from dataclasses import dataclass
from typing import ClassVar

from generator.claims.gate.maps import PATTERN, WINDOW
from generator.numbers.number import alone
from generator.numbers.writing import percent
from generator.pages.blocks import Block, Items, Note
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.naming.naming import finds, needs
from generator.pages.heads.of_head import in_lists, in_short
from generator.pages.heads.papers_model import OURS
from generator.pages.heads.summary import MOST, NOTABLE, TARGETS, kinds
from generator.pages.inline import Kind, Prose
from generator.pages.links import head_name, to_head

HOW_TO_READ = Note(
    "Each square is a head. Its colour shows what the head is named for, and the filled part how strongly: how often "
    "it is right, how much of its attention goes to the target or window, how many of its maps have the pattern, or "
    "how much a task loses without it. A head without a specialty has the colour of the target that takes most of its "
    "attention."
)


@dataclass(frozen=True)
class Square:
    """A head on the small map of a model."""

    name: str
    """The name of the head as in the papers: layer-head."""
    href: str
    first: str
    """The kind that gives the square its colour, as in `Summary`."""
    side: int
    """Side of the filled square in per cent of the cell, so that its area is the `Summary`'s share."""
    summary: str


@dataclass(frozen=True)
class HeadMap:
    """A model as a small map of its heads."""

    template: ClassVar[str] = "head_map"
    label: str
    rows: tuple[tuple[Square, ...], ...]
    """The heads of each layer."""
    href: str = ""
    """Where the map as a whole leads; empty if each square leads to its head."""


def head_map(atlas: Atlas, page: str, href: str = "") -> HeadMap:
    """A square for every head, which leads to its page; with `href`, the map as a whole leads there."""
    squares = [_square(atlas, layer, head, page) for layer, head in atlas.places]
    return HeadMap(f"Heads of {atlas.results.manifest.model}, layer by layer", atlas.by_layer(squares), href)


def _square(atlas: Atlas, layer: int, head: int, page: str) -> Square:
    summary = atlas.summaries[layer, head]
    href, side = to_head(atlas.slug, layer, head, page).href, round(100 * math.sqrt(summary.share))
    source = in_short(atlas, layer, head)
    text = f"{source} {OURS}: {summary.text}" if source else summary.text
    return Square(head_name(layer, head), href, summary.first, side, text)


def legend(*atlases: Atlas) -> tuple[Block, ...]:
    """What colour and area mean, and the kinds that the maps of these models show."""
    first = {summary.first for atlas in atlases for summary in atlas.summaries.values()}
    texts = {**kinds(), "none": f"a head that gives none of these {percent(alone(NOTABLE))}"}
    return HOW_TO_READ, Items(tuple((Kind(key, text), text) for key, text in texts.items() if key in first))


def notable(atlas: Atlas, page: str) -> tuple[Block, ...]:
    """The heads that find something; for every target, of the heads named for it, the one that looks at it most; for
    every pattern and window the head that has it most; and for every task the head that it needs most.
    """
    finding = sorted(
        (place for place, summary in atlas.summaries.items() if summary.kind in finds()),
        key=lambda place: -atlas.summaries[place].share,
    )

    def line(place: tuple[int, int]) -> Prose:
        summary = atlas.summaries[place]
        return Kind(summary.kind, summary.called), to_head(atlas.slug, *place, page), f" {in_lists(atlas, *place)}"

    lines = list(map(line, finding))
    for target in TARGETS:
        estimate = atlas.estimates[target.column]
        named = [place for place, summary in atlas.summaries.items() if summary.kind == target.kind]
        if named:
            place = max(named, key=lambda head: estimate.of(*head).value)
            words = atlas.special_tokens.get(target.kind, target.words)
            says = (
                to_head(atlas.slug, *place, page),
                f" gives {percent(estimate.of(*place), against=(MOST,))} of its attention to {words}",
            )
            lines.append((Kind(target.kind, target.name), *says))
    first: dict[str, tuple[int, int]] = {}
    for place in sorted(atlas.places, key=lambda place: -atlas.summaries[place].share):
        if atlas.summaries[place].kind in (PATTERN, WINDOW, *needs()):
            first.setdefault(atlas.summaries[place].title, place)
    lines += map(line, first.values())
    note = Note(f"Shares of attention are means over {atlas.documents} documents, with 95 % intervals.")
    return Items(tuple(lines)), note
