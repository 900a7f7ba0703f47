"""What all heads together know of trees (Clark et al. 2019, section 5), and a linear probe (Feinberg 2019)."""

from functools import partial

import numpy as np

from generator.claims.claim import Claim, part, stored_part
from generator.claims.clark.position import CLARK
from generator.claims.evidence.evidence import Evidence
from generator.claims.missing import NO_LAYER, defined
from generator.claims.nameless import OF_THE_MODEL
from generator.claims.others.introductions import NOTES
from generator.numbers.number import Number, mean_of
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


def _last_layer(evidence: Evidence, name: str) -> Number:
    last = np.arange(evidence.layers) == evidence.layers - 1
    return defined(mean_of(evidence.facts("usability", f"tag.{name}"), last), NO_LAYER)


Q07 = Claim(
    id="Q07",
    title="Final features are linearly usable",
    statement="The last layer's features may be ready for a simple linear classification.",
    paper=NOTES,
    section="opening",
    measure=(
        "Accuracy of a linear probe for word classes on the last layer, minus that of naming the commonest class of "
        "the word; and minus that of the same probe on a control task. Sentences that the probe did not see are "
        "resampled."
    ),
    needs="a treebank with word classes: fieldguide analyze MODEL",
    parts=(
        part(
            "Q07.3",
            "the lead of a linear probe over the commonest class of the word",
            "share",
            partial(_last_layer, name="lead"),
            over="sentences",
        ),
        part(
            "Q07.2", "the selectivity of the probe", "share", partial(_last_layer, name="selectivity"), over="sentences"
        ),
    ),
    numbers=("usability/tag.lead", "usability/tag.selectivity"),
    nameless=OF_THE_MODEL,
)


CLAIMS = (C22, C23, Q07)
