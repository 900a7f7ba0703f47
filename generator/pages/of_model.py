"""What topics say of each model on pages that they do not own: its first page, those of claims, that of two models."""

from collections.abc import Iterator, Mapping
from typing import Any

from generator.claims.claim import Claim
from generator.pages.blocks import Card, Section
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Part
from generator.topics import of_topics


class OfModel:
    """What one topic says of a model. A topic gives its class as `OF_MODELS`; what it does not say stays as it is here:
    nothing. `page` is the address of the page that says it.
    """

    def __init__(self, atlas: Atlas) -> None:
        """Made for every model; what takes long is made when it is asked for."""
        self.atlas = atlas

    def sections(self, page: str) -> Iterator[Section]:
        """Sections of the model's first page."""
        yield from ()

    def cards(self, page: str) -> Iterator[Card]:
        """Cards on it, which lead to pages that are shared with another model."""
        yield from ()

    def addresses(self) -> Iterator[str]:
        """The addresses of these pages."""
        yield from ()

    def of_claim(self, claim: Claim, page: str) -> Iterator[str | Part]:
        """Sentences that follow the model's numbers on the page of a claim."""
        yield from ()

    def against(self, layer: int, head: int, said: str) -> str:
        """A clause on what stored results say against what a page says that a head finds; `said` begins with it."""
        return ""

    def data(self) -> Mapping[str, Any]:
        """What the page of two models shows of it; `pairs.js` knows the keys."""
        return {}


def of_model(atlas: Atlas) -> tuple[OfModel, ...]:
    """What topics say of a model."""
    return atlas.once(_every)


def _every(atlas: Atlas) -> tuple[OfModel, ...]:
    return tuple(make(atlas) for make in of_topics("models", "OF_MODELS"))


def against(atlas: Atlas, layer: int, head: int, said: str) -> str:
    """What topics say against what a page says that a head finds, as a clause; empty if nothing does."""
    return next(filter(None, (topic.against(layer, head, said) for topic in of_model(atlas))), "")
