"""What gradients say of a head: to which class of tokens the loss is most sensitive, weight for weight."""

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from generator.claims.gate.statement import Place
from generator.numbers.number import Number, apart
from generator.pages.heads.of_head import OfHead
from generator.pages.heads.studies import CLASSES, words_of_classes
from generator.pages.inline import Prose
from generator.pages.studies.tables import by_head
from generator.topics.vectors.records.gradients import GRADIENT


class OfGradients(OfHead):
    """What the gradients of the loss say of the heads of one model."""

    @cached_property
    def _gradients(self) -> Mapping[Place, Mapping[str, Any]]:
        return by_head(self.atlas, GRADIENT, self.atlas.corpus)

    @cached_property
    def _words(self) -> Mapping[str, str]:
        return words_of_classes(self.atlas)

    def numbers(self, layer: int, head: int, page: str) -> Prose:  # noqa: ARG002 - as all topics
        """The class of tokens to which attention surely matters most."""
        dear = self._dearest(self._gradients.get((layer, head), {}))
        return f"The loss on masked words changes most with small changes of its attention to {dear}." if dear else ""

    def _dearest(self, gradients: Mapping[str, Any]) -> str:
        """The class of tokens with surely the largest gradient, in words; empty if none is surely the largest."""
        found = {name: Number.of(gradients[key]) for _, name in CLASSES if (key := f"gradient.{name}") in gradients}
        known = sorted(
            (name for name in found if not math.isnan(found[name].value)), key=lambda name: -found[name].value
        )
        if not known or any(not apart(found[known[0]], found[name]) for name in known[1:]):
            return ""
        return self._words[known[0]]


OF_HEADS = OfGradients
