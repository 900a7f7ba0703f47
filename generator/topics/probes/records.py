"""The records of numbers about probes: classifiers that read trees off maps, and word classes off hidden states."""

from generator.corpora.treebank import TREEBANK
from generator.numbers.quantity import Placeholder, Study, difference, share

LEARNING = {
    "attention": "all maps",
    "attention+words": "all maps and static word vectors",
    "distances+words": "distances and static word vectors",
    "random attention+words": "maps of one untrained twin and static word vectors",
}
KNOWLEDGE = LEARNING | {"right-branching": "right-branching, which learns nothing"}
"""Probe -> what it learns from, in words."""
PROBE_OF = Placeholder("probe", LEARNING)
LEADS = (
    ("attention", "right-branching"),
    *(("attention+words", other) for other in ("attention", "distances+words", "random attention+words")),
)
"""Which probes are compared with which (Clark et al. 2019, Table 3)."""
LEAD = Placeholder(
    "lead",
    {f"{first}.minus.{other}": f"{KNOWLEDGE[first]} over {KNOWLEDGE[other]}" for first, other in LEADS},
)
PROBE = Study(
    name="probe",
    title="Probes for trees",
    about=(
        "On one half of the sentences, probes learn from all maps of the model which word is the head of a word; they "
        "are judged on the other half. Punctuation is not scored. Intervals resample the sentences judged, which n "
        "counts."
    ),
    source="Clark et al. 2019, section 5; the control task after Hewitt and Liang 2019",
    reads=TREEBANK,
    takes="the model itself",
    quantities=(
        share(
            name="{probe}",
            title="Heads found by a probe of {probe}",
            definition="Share of words whose head a probe of {probe} finds (UAS without punctuation).",
            reference="right-branching",
            placeholders=(Placeholder("probe", KNOWLEDGE),),
        ),
        share(
            name="{probe}.control",
            title="Control task of a probe of {probe}",
            definition=(
                "The same for a task in which the head of a word is the word itself or the first or last word of the "
                "sentence, drawn once for every word type."
            ),
            placeholders=(PROBE_OF,),
        ),
        difference(
            name="{probe}.selectivity",
            title="Selectivity of a probe of {probe}",
            definition="Share of heads found minus that of the control task.",
            reference="0 for a probe that merely remembers types",
            placeholders=(PROBE_OF,),
        ),
        difference(
            name="{lead}",
            title="Lead of {lead}",
            definition=(
                "Share of heads found by the first probe minus that by the second, paired on the same sentences."
            ),
            reference="0",
            placeholders=(LEAD,),
        ),
    ),
)
USABILITY = Study(
    name="usability",
    title="A linear probe for word classes",
    about=(
        "A logistic regression on the mean vector of a word's pieces learns word classes on one half of the "
        "sentences, layer by layer, and is judged on the other half. Layer 0 is what the first layer reads. "
        "Intervals resample the sentences judged, which n counts."
    ),
    source="Ours, for a remark of Feinberg 2019; the control task after Hewitt and Liang 2019",
    reads=TREEBANK,
    takes="the model's vectors",
    quantities=(
        share(
            name="tag.accuracy",
            title="Word classes found",
            definition="Share of the words judged whose class the probe finds.",
            reference="tag.type",
            of=("layer",),
        ),
        share(
            name="tag.control",
            title="Control task",
            definition="The same for labels drawn at random for every word type, with the frequencies of the classes.",
            of=("layer",),
        ),
        difference(
            name="tag.selectivity",
            title="Selectivity",
            definition="Word classes found minus labels of the control task found.",
            reference="0 for a probe that merely remembers types",
            caveats=(
                "Where many words to judge are new, their labels cannot be remembered, so this number is too high.",
            ),
            of=("layer",),
        ),
        difference(
            name="tag.lead",
            title="Lead over the commonest class of the type",
            definition="Word classes found minus those that the commonest class of the type would find, paired.",
            reference="0",
            of=("layer",),
        ),
        share(
            name="tag.type",
            title="The commonest class of the type",
            definition=(
                "Accuracy of always naming the commonest class of the word's type or, where that is new, of all words."
            ),
        ),
        share(
            name="tag.seen",
            title="Words whose type occurs in the half to learn from",
            definition="Share of the words judged whose type occurs in the half that the probe learns from.",
        ),
    ),
)
STUDIES = (PROBE, USABILITY)
