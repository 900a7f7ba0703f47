"""Cut-offs that several claims share; the register of bounds says where they come from and since when they stand."""

from generator.claims.bounds import cutoff, fewest

MAINLY = cutoff("mainly")
CLEAR_GAIN = cutoff("clear-gain")
FEWEST_WORDS = fewest("words")
SEED = 0


def is_clear(gain: float, low: float) -> bool:
    """Whether a gain over a baseline is large enough and surely above 0; False where its interval is undefined."""
    return bool(gain >= CLEAR_GAIN and low > 0)
