"""Cut-offs that several claims share; the register of bounds says where they come from and since when they stand."""

from collections.abc import Mapping
from typing import Any

from generator.claims.bounds import cutoff, fewest

MAINLY = cutoff("mainly")
CLEAR_GAIN = cutoff("clear-gain")
FEWEST_WORDS = fewest("words")
SEED = 0


def is_clear(gain: float, low: float) -> bool:
    """Whether a gain over a baseline is large enough and surely above 0; False where its interval is undefined."""
    return bool(gain >= CLEAR_GAIN and low > 0)


def is_found(row: Mapping[Any, Any]) -> bool:
    """Whether the head of a row of `relation_heads` finds its relation: it clearly beats the best fixed offset, and the
    best head of every untrained twin, where there is one.
    """
    # Not `<`: without a twin its end is NaN, which must not hinder.
    return is_clear(row["gain"], row["gain_low"]) and not row["twin_high"] >= row["value"]
