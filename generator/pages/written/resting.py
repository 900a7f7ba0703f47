"""On which of [CLS], [SEP], and periods and commas the attention of each model rests, in words."""

from collections.abc import Sequence

from generator.claims.gate.resting import PLACES, Resting, resting
from generator.numbers.writing import percent
from generator.pages import addresses
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.summary import OF_TARGET
from generator.pages.inline import Link, Part, Prose

INPUTS = {"in pairs of texts": True, "in single texts": False}
"""What inputs are, in words -> whether most hold two texts."""
RESTLESS = "In no model of this guide does one of [CLS], [SEP], and periods and commas surely get most in a layer."


def where_models_rest(atlases: Sequence[Atlas], page: str) -> Prose:
    """In one sentence where the attention of each of these models rests, with links; empty if that is sure of none."""
    return resting_sentence(resting_of(atlases), page)


def resting_sentence(sure: Sequence[tuple[Atlas, Resting]], page: str) -> Prose:
    """The same of what is known to be sure, by what the inputs were: where attention rests depends on it."""
    pieces: list[str | Part] = []
    for words, pairs in INPUTS.items():
        for at, (atlas, found) in enumerate(one for one in sure if _in_pairs(one[0]) == pairs):
            target = OF_TARGET[found.column]
            first = f"; {words}" if pieces else words[0].upper() + words[1:]
            begins = f"{'' if at else first}, layer"
            pieces += [
                f"{begins} {found.layer} of {atlas.shape[0]} in ",
                Link(atlas.results.manifest.model, addresses.relative(addresses.model(atlas.slug), page)),
                f"{'' if at else ' gives'} {percent(found.share, ends=False)} {'' if at else 'of its attention '}to ",
                atlas.special_tokens.get(target.kind, target.words),
            ]
    return (*pieces, ".") if pieces else ""


def resting_of(atlases: Sequence[Atlas]) -> list[tuple[Atlas, Resting]]:
    """Where the attention of each of these models rests, for those of which that is sure."""
    return [(atlas, found) for atlas in atlases if (found := _of(atlas))]


def _of(atlas: Atlas) -> Resting | None:
    grids = {column: atlas.estimates[column] for column in PLACES}
    uniform = {column: grid.uniform for column, grid in grids.items()}
    return resting({column: grid.layers for column, grid in grids.items()}, uniform)


def _in_pairs(atlas: Atlas) -> bool:
    return atlas.estimates["attention.same_segment"].uniform < 1
