"""Clark et al. 2019, section 5: what all heads together know of trees."""

from generator.claims.claim import Claim, stored_part
from generator.claims.clark.position import CLARK
from generator.topics.probes.records import PROBE

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

CLAIMS = (C22, C23)
