"""On which of [CLS], [SEP], and periods and commas the attention of each model rests, in words."""

from collections.abc import Sequence

from generator.claims.gate.resting import PLACES, Resting, resting
from generator.numbers.writing import percent
from generator.pages import addresses
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.summary import OF_TARGET
from generator.pages.inline import Link, Part, Prose

RESTLESS = "In no model of this guide does one of [CLS], [SEP], and periods and commas surely get most in a layer."


def where_models_rest(atlases: Sequence[Atlas], page: str) -> Prose:
    """In one sentence where the attention of each of these models rests, with links; empty if that is sure of none."""
    return resting_sentence(resting_of(atlases), page)


def resting_sentence(sure: Sequence[tuple[Atlas, Resting]], page: str) -> Prose:
    """The same of what is known to be sure."""
    pieces: list[str | Part] = []
    for at, (atlas, found) in enumerate(sure):
        gives, of = ("", "") if at else (" gives", "of its attention ")
        target = OF_TARGET[found.column]
        words = atlas.special_tokens.get(target.kind, target.words)
        pieces += [
            "In running text, layer" if not at else " and layer" if at == len(sure) - 1 else ", layer",
            f" {found.layer} of {atlas.shape[0]} in ",
            Link(atlas.results.manifest.model, addresses.relative(addresses.model(atlas.slug), page)),
            f"{gives} {percent(found.share, ends=False)} {of}to {words}",
        ]
    return (*pieces, ".") if pieces else ""


def resting_of(atlases: Sequence[Atlas]) -> list[tuple[Atlas, Resting]]:
    """Where the attention of each of these models rests, for those of which that is sure."""
    return [(atlas, found) for atlas in atlases if (found := _of(atlas))]


def _of(atlas: Atlas) -> Resting | None:
    grids = {column: atlas.estimates[column] for column in PLACES}
    uniform = {column: grid.uniform for column, grid in grids.items()}
    return resting({column: grid.layers for column, grid in grids.items()}, uniform)
