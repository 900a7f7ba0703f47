"""Clark et al. 2019, section 6, and Kovaleva et al. 2019, section 6: heads compared with each other."""

from generator.claims.claim import Claim, part, stored_part
from generator.claims.clark.position import CLARK
from generator.claims.evidence.documents import among_heads
from generator.claims.evidence.evidence import Evidence
from generator.claims.kovaleva.attention import KOVALEVA
from generator.numbers.number import Number
from generator.numbers.permutation import over_orders
from generator.studies.between_heads import mean_divergence
from generator.topics.distances.derived.nearest import with_double
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

DOUBLES = "doubles"


def _with_double(evidence: Evidence) -> Number:
    found, rows = evidence.fact(LANDSCAPE.name, DOUBLES), evidence.seen("divergence")
    rows = rows[rows["corpus"] == evidence.trail[-1].corpus]
    if len(rows):
        distance = mean_divergence(rows, evidence.layers * evidence.heads)
        evidence.name(with_double(distance).reshape(evidence.layers, evidence.heads))
    return among_heads(found, evidence.layers * evidence.heads)


K18 = Claim(
    id="K18",
    title="Heads repeat each other",
    statement="The model is redundant: the same pattern repeats over heads.",
    paper=KOVALEVA,
    section="6",
    measure=(
        "Share of heads whose nearest other head, by Jensen-Shannon divergence of their maps, is less than half as far "
        "as two heads are on average, documents resampled, and Wilson's interval over heads is added; and that minus "
        "the same share among random heads: points drawn from a normal distribution with the covariance of the heads' "
        "own coordinates, which repeat nothing."
    ),
    needs="the distances between heads",
    parts=(
        part(
            "K18.4",
            "the share of heads that have a double",
            LANDSCAPE.quantity(DOUBLES).unit,
            _with_double,
            over="heads",
        ),
        stored_part(
            "K18.3",
            "the share of heads that have a double minus that among random heads",
            LANDSCAPE,
            "doubles.excess",
        ),
    ),
    numbers=("landscape/doubles", "landscape/doubles.excess"),
    which="that have a double",
)


CLAIMS = (C24, K18)
