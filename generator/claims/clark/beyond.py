"""Clark et al. 2019, sections 4.3, 5 and 6: coreference, all heads together, and heads compared to each other."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from generator.claims.bounds import fewest
from generator.claims.claim import ON_DOCUMENTS, Claim, Part, part, stored_part
from generator.claims.clark.position import CLARK
from generator.claims.evidence.evidence import Evidence
from generator.claims.gate.mentions import COUNTED, TABLE, against
from generator.claims.gate.statement import Place
from generator.claims.missing import NotTestable, Uncounted
from generator.numbers.number import Number
from generator.numbers.permutation import over_orders
from generator.topics.distances.records import LANDSCAPE
from generator.topics.mentions.compute.antecedents import BEST, GAIN
from generator.topics.probes.records import PROBE


def _gain(evidence: Evidence, kind: str) -> Number:
    """For one kind of mention, the gain over the simple baseline that was best where the head was chosen."""
    gain = evidence.antecedents(GAIN + BEST, kind)
    if gain.n < fewest("mentions"):
        raise Uncounted(f"only {gain.n} mentions are {kind}, where at least {fewest('mentions')} are needed")
    return gain


def _over_matching(evidence: Evidence) -> Number:
    evidence.antecedents("head")
    try:
        return evidence.antecedents(f"{GAIN}head match")
    except NotTestable:
        raise Uncounted("no head word of a mention equals one before it, so that matching finds nothing") from None


def _elsewhere(evidence: Evidence, heads: Sequence[Place]) -> list[str]:
    """What other texts say against the head that is best in the first."""
    tables = evidence.seen(TABLE), evidence.seen(COUNTED)
    read = evidence.trail[-1].corpus
    return [clause for place in heads for clause in against(*tables, place, read)]


def _antecedent_parts() -> tuple[Part, ...]:
    kinds = {4: "pronoun", 5: "proper", 6: "nominal"}
    return (
        replace(
            part(
                "C21.1",
                "the accuracy of the best head for antecedents",
                "share",
                lambda it: it.antecedents("head"),
                over="mentions",
            ),
            elsewhere=_elsewhere,
        ),
        part("C21.2", "the gain of the best head over matching head words", "share", _over_matching, over="mentions"),
        part(
            "C21.3",
            "the accuracy of the best head minus that of the rule system",
            "share",
            lambda it: it.antecedents(f"{GAIN}rules"),
            over="mentions",
        ),
        *(
            part(
                f"C21.{number}",
                f"the gain of the best head over the best simple baseline for {kind} mentions",
                "share",
                partial(_gain, kind=kind),
                over="mentions",
            )
            for number, kind in kinds.items()
        ),
    )


C21 = Claim(
    id="C21",
    title="A head finds antecedents",
    statement=(
        "One head picks the antecedents of mentions well: far better than string matching, and near a rule system."
    ),
    paper=CLARK,
    section="4.3, Table 2",
    measure=(
        "Share of mentions whose head word attends most, among the head words of preceding mentions, to one of its "
        "antecedents; that share minus that of matching head words, and minus that of the rule system, on the same "
        "mentions; and for each kind of mention, minus that of the best simple baseline: the nearest mention, the "
        "nearest that agrees, matching head words, or a candidate drawn at random. A baseline that can select nothing "
        "in a text, such as matching head words for pronouns that are linked only to names, does not count there, nor "
        "does a kind with too few mentions. The head is chosen on one half of the documents; the documents of the "
        "other half are resampled. If several texts were read, another one must name the same head."
    ),
    needs="coreference data: fieldguide analyze MODEL with a corpus of mentions",
    parts=_antecedent_parts(),
    published=(
        *(f"clark.table2.head.{kind}" for kind in ("all", "pronoun", "proper", "nominal")),
        "clark.table2.head_match.all",
        "clark.table2.rules.all",
        "clark.table2.nearest.all",
    ),
    comparable=("clark.table2.head.all",),
    which=ON_DOCUMENTS,
)

TRAINING = "a treebank to train a probe on: fieldguide analyze MODEL"


C22 = Claim(
    id="C22",
    title="All heads together parse fairly",
    statement="A linear combination of all attention maps gives a fair parser.",
    paper=CLARK,
    section="5, Table 3",
    measure=(
        "Share of words whose head word the attention-only probe finds, on sentences it was not trained on; and "
        "that minus the right-branching baseline. Both are measured on the same sentences, which are resampled."
    ),
    needs=TRAINING,
    parts=(
        stored_part("C22.1", "the accuracy of the probe", PROBE, "attention", over="sentences"),
        stored_part(
            "C22.3",
            "the gain of the probe over right-branching",
            PROBE,
            "attention.minus.right-branching",
            over="sentences",
        ),
    ),
    published=("clark.table3.attention", "clark.table3.right_branching"),
    comparable=("clark.table3.attention",),
    numbers=("probe/attention", "probe/attention.minus.right-branching"),
    nameless="the probe reads the maps of all heads together",
)


C23 = Claim(
    id="C23",
    title="Word vectors make the parser much better",
    statement="With static word vectors the probe is much better, and beats both distances and random attention.",
    paper=CLARK,
    section="5, Table 3",
    measure=(
        "Accuracy of the probe with attention and word vectors, minus that with attention alone, with distances and "
        "word vectors, and with the attention of random weights and word vectors. All are measured on the same "
        "sentences, which are resampled."
    ),
    needs=f"{TRAINING}; static word vectors; and a copy of the model with random weights",
    parts=(
        stored_part(
            "C23.4",
            "the gain of attention with word vectors over attention alone",
            PROBE,
            "attention+words.minus.attention",
            over="sentences",
        ),
        stored_part(
            "C23.5",
            "the gain of attention with word vectors over distances with word vectors",
            PROBE,
            "attention+words.minus.distances+words",
            over="sentences",
        ),
        stored_part(
            "C23.6",
            "the gain of attention with word vectors over random attention with word vectors",
            PROBE,
            "attention+words.minus.random attention+words",
            over="sentences",
        ),
    ),
    published=(
        "clark.table3.attention_words",
        "clark.notebook_probe.attention_words",
        "clark.table3.attention",
        "clark.table3.distances_words",
        "clark.table3.random_attention_words",
    ),
    numbers=(
        "probe/attention+words.minus.attention",
        "probe/attention+words.minus.distances+words",
        "probe/attention+words.minus.random attention+words",
    ),
    nameless="the probe reads the maps of all heads together",
)


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
