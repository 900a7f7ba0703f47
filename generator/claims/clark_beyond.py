"""Clark et al. 2019, sections 4.3, 5 and 6: coreference, all heads together, and heads compared to each other."""

from generator.claims.claim import Claim, part
from generator.claims.clark_position import CLARK
from generator.claims.evidence import Evidence
from generator.claims.numbers import Number, difference, exact

ADDED_UP = "Intervals of both are added up end to end."


def _antecedents(evidence: Evidence) -> Number:
    head = evidence.antecedents("head")
    return [
        head,
        difference(head, evidence.antecedents("head match")),
        difference(evidence.antecedents("rules"), head),
    ]


_antecedents_1, _antecedents_2, _antecedents_3 = (lambda e, k=k: _antecedents(e)[k] for k in range(3))  # STUB


C21 = Claim(
    id="C21",
    title="A head finds antecedents",
    statement=(
        "One head picks the antecedents of mentions well: far better than string matching, and near a rule system."
    ),
    paper=CLARK,
    section="4.3, Table 2",
    measure=(
        "Share of mentions whose head word attends, among the head words of preceding mentions, most to one of its "
        "antecedents; that less the nearest mention with the same head word; and the rule system less that. The head "
        f"is chosen on one half of the documents; those of the other are resampled. {ADDED_UP}"
    ),
    needs="coreference data: fieldguide analyze MODEL with a corpus of mentions",
    parts=(
        part("C21.1", "the accuracy of the best head", "share", _antecedents_1, over="mentions"),
        part("C21.2", "the gain of the best head over matching head words", "share", _antecedents_2, over="mentions"),
        part("C21.3", "the lead of the rule system over the best head", "share", _antecedents_3, over="mentions"),
    ),
    published=(
        *(f"clark.table2.head.{kind}" for kind in ("all", "pronoun", "proper", "nominal")),
        "clark.table2.head_match.all",
        "clark.table2.rules.all",
        "clark.table2.nearest.all",
    ),
)

TRAINING = "a treebank to train a probe on: fieldguide analyze MODEL"


def _attention_probe(evidence: Evidence) -> Number:
    probe = evidence.fact("probe", "attention")
    return [probe, difference(probe, evidence.fact("probe", "right-branching"))]


_attention_probe_1, _attention_probe_2 = (lambda e, k=k: _attention_probe(e)[k] for k in range(2))  # STUB


C22 = Claim(
    id="C22",
    title="All heads together parse fairly",
    statement="A linear combination of all attention maps gives a fair parser.",
    paper=CLARK,
    section="5, Table 3",
    measure=(
        "Share of words whose syntactic head the attention-only probe finds, on sentences it was not trained on; and "
        f"that less the right-branching baseline. {ADDED_UP}"
    ),
    needs=TRAINING,
    parts=(
        part("C22.1", "the accuracy of the probe", "share", _attention_probe_1, over="sentences"),
        part("C22.2", "the gain of the probe over right-branching", "share", _attention_probe_2, over="sentences"),
    ),
    published=("clark.table3.attention", "clark.table3.right_branching"),
)


def _words_probe(evidence: Evidence) -> Number:
    probe = evidence.fact("probe", "attention+words")
    others = ("attention", "distances+words", "random attention+words")
    return [difference(probe, evidence.fact("probe", other)) for other in others]


_words_probe_1, _words_probe_2, _words_probe_3 = (lambda e, k=k: _words_probe(e)[k] for k in range(3))  # STUB


C23 = Claim(
    id="C23",
    title="Word vectors make the parser much better",
    statement="With static word vectors the probe is much better, and beats both distances and random attention.",
    paper=CLARK,
    section="5, Table 3",
    measure=(
        "Accuracy of the probe with attention and word vectors, less that with attention alone, with distances and "
        f"word vectors, and with the attention of random weights and word vectors. {ADDED_UP}"
    ),
    needs=f"{TRAINING}; static word vectors; and a copy of the model with random weights",
    parts=(
        part(
            "C23.1",
            "the gain of attention with word vectors over attention alone",
            "share",
            _words_probe_1,
            over="sentences",
        ),
        part(
            "C23.2",
            "the gain of attention with word vectors over distances with word vectors",
            "share",
            _words_probe_2,
            over="sentences",
        ),
        part(
            "C23.3",
            "the gain of attention with word vectors over random attention with word vectors",
            "share",
            _words_probe_3,
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
)


def _alike_within_layers(evidence: Evidence) -> Number:
    chance = evidence.fact("landscape", "p")
    return [
        evidence.fact("landscape", "ratio"),
        exact(chance.value, chance.n) if chance else None,
        evidence.fact("landscape", "silhouette.behaviour"),
    ]


_alike_within_layers_1, _alike_within_layers_2, _alike_within_layers_3 = (
    lambda e, k=k: _alike_within_layers(e)[k] for k in range(3)
)  # STUB


C24 = Claim(
    id="C24",
    title="Heads of one layer resemble each other",
    statement="Heads of one layer resemble each other, and heads that behave alike form clear clusters.",
    paper=CLARK,
    section="6",
    measure=(
        "Mean Jensen-Shannon divergence of heads of one layer divided by that of heads of different layers, documents "
        "resampled; the share of shuffled layer labels with a ratio as small; and the silhouette of the paper's "
        "behaviour labels, with a jackknife interval over documents."
    ),
    needs="the distances between heads, more than one layer, and heads of several behaviours",
    parts=(
        part("C24.1", "the divergence within layers divided by that between layers", "ratio", _alike_within_layers_1),
        part("C24.2", "the share of shuffled labels with a ratio as small", "p", _alike_within_layers_2),
        part("C24.3", "the silhouette of behaviours", "silhouette", _alike_within_layers_3),
    ),
    published=tuple(f"clark.behaviour.{name}" for name in ("next", "previous", "cls", "sep", "punctuation", "broad")),
)
