"""Why a number that a claim needs is not available. This is no error: it becomes a verdict with its reason."""

import math

from generator.numbers.number import Number

NO_SHARE = "there is nothing to take a share of"
NO_LAYER = "the model has no such layers or heads, or the number is undefined in one of them"
NOWHERE = "the text gives this number for none of the heads or token types that the claim is about"
NO_PAIRS = "fewer than three heads have both of the numbers to correlate, or one of them is the same for all heads"


class NotTestable(Exception):  # noqa: N818 - no error: a verdict
    """A number that a claim needs is not available; the message says why for this model, as part of a sentence."""


class Uncounted(NotTestable):
    """A number is not available, and the claim is judged by its other parts."""


class Unasked(Uncounted):
    """It is not known whether a model that learned nothing would meet the threshold; the claim does not hold on its
    other parts alone.
    """


class ByConstruction(Uncounted):
    """The number could not be other than it is, whatever the model does."""

    def __init__(self, why: str, what: str = "true") -> None:
        super().__init__(f"{what} by construction: {why}")


class Impossible(NotTestable):
    """The claim could not hold, whatever the model does, and that is not the model's failure."""

    def __init__(self, why: str) -> None:
        super().__init__(f"impossible by construction: {why}")


def defined(number: Number, why: str) -> Number:
    """The number itself. Raises NotTestable with this reason if it is undefined."""
    if math.isnan(number.value):
        raise NotTestable(why)
    return number
