"""Clark et al. 2019, section 6: heads compared with each other."""

from generator.claims.claim import Claim, part, stored_part
from generator.claims.clark.position import CLARK
from generator.claims.evidence.evidence import Evidence
from generator.numbers.number import Number
from generator.numbers.permutation import over_orders
from generator.topics.distances.records import LANDSCAPE


def _by_chance(evidence: Evidence) -> Number:
    chance = evidence.fact("landscape", "p")
    return over_orders(chance.value)._replace(n=chance.n)


C24 = Claim(
    id="C24",
    title="Heads of one layer resemble each other",
    statement="Heads of one layer resemble each other, and heads that behave alike form clear clusters.",
    paper=CLARK,
    section="6",
    measure=(
        "Mean Jensen-Shannon divergence of heads of one layer divided by that of heads of different layers, documents "
        "resampled; the share of shuffles of the layer labels with a ratio as small, with Wilson's interval over the "
        "shuffles; and the silhouette of the paper's behaviour labels (next, previous: above half of the attention; "
        "[CLS], [SEP], periods and commas: above 0.6; broad: above 3.8 nats), with a jackknife interval over "
        "documents."
    ),
    needs="the distances between heads, more than one layer, and heads of several behaviours",
    parts=(
        stored_part("C24.1", "the divergence within layers divided by that between layers", LANDSCAPE, "ratio"),
        part("C24.2", "the share of shuffles of the layer labels that give as small a ratio", "p", _by_chance),
        stored_part("C24.3", "the silhouette of heads grouped by behaviour", LANDSCAPE, "silhouette.behaviour"),
    ),
    numbers=("landscape/p", "landscape/ratio", "landscape/silhouette.behaviour"),
    nameless="it compares all heads with one another",
)

CLAIMS = (C24,)
