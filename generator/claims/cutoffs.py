"""Cut-offs that several claims share, and where they come from. All were set before results were read."""

MAINLY = 0.5
"""Share of a head's attention above which it goes mainly there: Clark et al. 2019, section 3.1, count such heads."""
CLEAR_GAIN = 0.1
"""Ten points over a trivial baseline are a clear gain: what Voita et al. 2019 ask of a syntactic head."""
FEWEST_WORDS = 50
"""Words of a relation in the half that is reported; Clark et al. 2019 list relations with 100 words in all."""
NOTICEABLE = 0.07
"""Nats of Jensen-Shannon divergence: a tenth of ln 2, the most that two distributions can differ."""
SEED = 0
