"""Cut-offs that several claims share; the register of bounds says where they come from and since when they stand."""

from generator.claims.bounds import cutoff, fewest

MAINLY = cutoff("mainly")
CLEAR_GAIN = cutoff("clear-gain")
FEWEST_WORDS = fewest("words")
SEED = 0
