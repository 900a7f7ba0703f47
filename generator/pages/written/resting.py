"""Where the attention of each model rests: which of [CLS], [SEP], and periods and commas gets most in some layer."""

from collections.abc import Sequence
from typing import NamedTuple

from generator.claims.gate.maps import FEWEST, PREFERRED
from generator.numbers.number import Number
from generator.numbers.writing import percent
from generator.pages import addresses
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.summary import OF_TARGET
from generator.pages.inline import Link, Part, Prose

PLACES = "attention.cls", "attention.sep", "attention.punctuation"
RESTLESS = "In no model of this guide does one of [CLS], [SEP], and periods and commas surely get most in a layer."


class Resting(NamedTuple):
    """The kind of token that gets most of a layer's attention, of the layer in which that is most."""

    column: str
    layer: int
    """From 1."""
    share: Number
    """Mean over the layer's heads and the documents."""


def resting(atlas: Atlas) -> Resting | None:
    """Where attention rests; None where the largest share is not surely PREFERRED times what uniform attention gives,
    or not surely larger than the other two in that layer.
    """
    found = [
        Resting(column, layer, Number(*(part[layer - 1].item() for part in atlas.estimates[column].layers)))
        for column in PLACES
        for layer in range(1, atlas.shape[0] + 1)
    ]
    most = max(found, key=lambda one: -1.0 if one.share.value != one.share.value else one.share.value)
    others = [one for one in found if one.layer == most.layer and one.column != most.column]
    sure = most.share.n >= FEWEST and most.share.low > PREFERRED * atlas.estimates[most.column].uniform
    return most if sure and not any(one.share.high >= most.share.low for one in others) else None


def rests(atlases: Sequence[Atlas], page: str) -> Prose:
    """In one sentence where the attention of each of these models rests, with links; empty if that is sure of none."""
    sure = [(atlas, found) for atlas, found in ((atlas, resting(atlas)) for atlas in atlases) if found]
    told: list[str | Part] = []
    for at, (atlas, found) in enumerate(sure):
        gives, of = ("", "") if at else (" gives", "of its attention ")
        target = OF_TARGET[found.column]
        words = atlas.special_tokens.get(target.kind, target.words)
        told += [
            f"{'Layer' if not at else ' and layer' if at == len(sure) - 1 else ', layer'} {found.layer} of ",
            Link(atlas.results.manifest.model, addresses.relative(addresses.model(atlas.slug), page)),
            f"{gives} {percent(found.share, ends=False)} {of}to {words}",
        ]
    return (*told, ".") if told else ""
