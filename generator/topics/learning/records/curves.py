"""The records of a learning curve's numbers: what is stored for every checkpoint of a training."""

from collections.abc import Mapping
from dataclasses import replace

from generator.measures import COLUMN
from generator.numbers.quantity import Maker, Placeholder, Quantity, Study, columns, correlation, count, share
from generator.topics.inputs.records.inputs import BEGIN, HYPOTHESIS, MANIPULATIONS, OCCLUSION
from generator.topics.relations.records.relations import EDGE
from generator.topics.tasks.records.tasks import METRICS
from generator.topics.vectors.records.contextuality import CONTEXTUALITY

EVERY = (
    "The value at every checkpoint and, where the interval of its change leaves out 0, the first checkpoint with half "
    "of the change."
)
FOLLOWED: Mapping[str, Study] = {
    f"{study.name}:{name}": study
    for study, names in (
        (CONTEXTUALITY, ("self_similarity.adjusted", "intra_sentence.adjusted", "explained_variance.adjusted")),
        (MANIPULATIONS, ("base.loss", "segments.zero.loss", "segments.zero.js", "masks.15.js", "masks.40.js")),
        (BEGIN, ("swap.begin.loss", "swap.separator.loss")),
        (OCCLUSION, ("slope", "span.gain")),
    )
    for name in names
}
"""Stored name of a study's number that a curve follows -> its study; numbers of layers are followed layer by layer."""
FOLLOWED_TITLES = {key: study.quantity(key.partition(":")[2]).title for key, study in FOLLOWED.items()}
RELATION = Placeholder.any("relation", ".+")
SIGNATURES = {"begin": "[CLS]", "separator": "[SEP]", "punctuation": "periods and commas"}
TASK_SCORE = (Placeholder.any("task", r"[^.]+"), Placeholder("metric", METRICS))
LEARNED = Placeholder("what", {"attention": "attention received", "loss": "masked-LM loss"})
KIND = Placeholder(
    "kind",
    {
        "": "without types whose change was undone",
        "first.": "the first step that reaches it, all types",
        "held.": "the step from which it is kept, all types",
    },
)


def _curve(name: str, title: str, about: str, *quantities: Quantity, source: str = "Ours") -> Study:
    return Study(name=name, title=title, about=about, source=source, quantities=quantities, made=Maker.CURVE)


MEASURE = _curve(
    "measure",
    "Measures while a model is trained",
    f"{EVERY} Intervals resample documents, which are the same at every checkpoint.",
    Quantity(
        name="{column}",
        title="{column}",
        unit="as the measure",
        definition="The measure of a head, or its mean over a layer's heads, at every checkpoint.",
        of=("layer", "head"),
        placeholders=(COLUMN,),
    ),
)
MEASURE = replace(
    MEASURE,
    columns=(
        *columns(
            "curves",
            count(name="step", title="Step", range="0 and more", definition="The step of training that is measured."),
        ),
        *columns(
            "rises",
            Quantity(
                name="start",
                title="Mean at the first checkpoint",
                unit="as the number",
                definition="Mean over the documents, or sentences, that define the number at every checkpoint.",
                of=("model", "layer", "head"),
            ),
            Quantity(
                name="end",
                title="Mean at the last checkpoint",
                unit="as the number",
                definition="Mean at the last checkpoint over the same documents or sentences.",
                of=("model", "layer", "head"),
            ),
            count(
                name="step",
                title="Step of half of the change",
                range="0 and more",
                definition="The first checkpoint at which the mean has made half of its change from first to last.",
                caveats=("Empty where the interval of the change contains 0: then no step can be named.",),
                of=("model", "layer", "head"),
            ),
            count(
                name="n",
                title="Documents or sentences",
                range="0 and more",
                definition="Documents or sentences that define the number at every checkpoint.",
                of=("model", "layer", "head"),
            ),
        ),
    ),
)
SIGNATURE = _curve(
    "signature",
    "Signatures of the three phases",
    "The hypothesis expects [CLS], then [SEP], then periods and commas to receive much attention, each in layers of "
    "its own; the signature of a phase is this attention. "
    f"{EVERY} Intervals resample documents.",
    share(
        name="{kind}",
        title="Attention to {kind} in its layers",
        definition=(
            "Mean attention to {kind} in the layers that the hypothesis expects: the lowest third for [CLS], "
            "those of relative depth 0.5 to 0.83 for [SEP], deeper ones for periods and commas."
        ),
        placeholders=(Placeholder("kind", SIGNATURES),),
    ),
    source=HYPOTHESIS,
)
ORDER = _curve(
    "order",
    "The order of the three phases",
    "How much later than one phase's signature the next one made half of its change. Intervals resample documents.",
    Quantity(
        name="{order}",
        title="Doublings of the step from {order}",
        unit="doublings",
        definition="How often the step doubles in between: log2 of the later phase's step divided by the earlier's.",
        reference="0; above it, they come in the order of the hypothesis",
        placeholders=(
            Placeholder(
                "order",
                {
                    "begin.separator": "[CLS] to [SEP]",
                    "separator.punctuation": "[SEP] to periods and commas",
                },
            ),
        ),
    ),
    source=HYPOTHESIS,
)
ACCURACY = share(
    name="{relation}",
    title="Accuracy for {relation}",
    definition="Share of the relation's words whose head is found by the head that the last checkpoint chose.",
    reference="the best fixed offset, study relation.baseline",
    of=("head",),
    placeholders=(RELATION,),
)
RELATIONS = _curve(
    "relation",
    "Relations while a model is trained",
    f"Head and direction are those that the last checkpoint chose on one half of the sentences. {EVERY} Intervals "
    "resample sentences of the other half.",
    ACCURACY,
    source="After Clark et al. 2019, section 4.2",
)
RELATION_BASELINE = _curve(
    "relation.baseline",
    "Fixed offsets beside the relations of a curve",
    "How often the best fixed offset finds each relation that a curve follows; it does not change with training. "
    "Intervals resample sentences.",
    share(
        name="{relation}",
        title="Best fixed offset for {relation}",
        definition=f"Share of the relation's words whose head the best fixed offset picks. {EDGE}",
        placeholders=(RELATION,),
    ),
    source="Clark et al. 2019, section 4.2",
)
CLAIM = _curve(
    "claim",
    "Claims while a model is trained",
    "The number of every part of a claim that is defined at a checkpoint; the claim's page says what it is.",
    Quantity(
        name="{part}",
        title="Number of claim {part}",
        unit="as the claim",
        definition="What the part of the claim is judged by, at every checkpoint.",
        reference="the bound of the claim",
        placeholders=(Placeholder.any("part", r"[A-Z]\d\d\.\d+"),),
    ),
    source="The claims",
)
FACT = _curve(
    "fact",
    "Numbers of studies while a model is trained",
    "Some numbers of other studies at every checkpoint, with the study's name before their own.",
    Quantity(
        name="{number}",
        title="{number}",
        unit="as the number",
        definition="The number of that study, of the model or of its layers, at every checkpoint.",
        of=("model", "layer"),
        placeholders=(Placeholder("number", FOLLOWED_TITLES),),
    ),
    source="The studies",
)
KNOWN = Placeholder(
    "known",
    {
        "loss": "the masked-LM loss",
        "gain": "the gain over a unigram model",
        "share": "the share of a unigram model's loss that is saved",
    },
)
TYPES = _curve(
    "types",
    "Whether frequent token types are learned earlier, and known better",
    (
        "Whether, of the token types that are common in the text, those with a higher count reach 90 % of their final "
        "change at an earlier step; and whether those that are more frequent in the training text are known better at "
        "the end. The numbers stand at the last checkpoint. Intervals resample types, which n counts."
    ),
    correlation(
        name="{what}.{kind}spearman",
        title="Frequency and the step of learning, by {what}: {kind}",
        definition=(
            "Spearman's correlation of a type's count and the step at which 90 % of the change in {what} is made."
        ),
        reference="0; below it, frequent types come earlier",
        caveats=(
            (
                "Noise makes the first such step of rare types earlier, and the step from which the change is kept "
                "later: where both have the same sign, it is hardly noise alone."
            ),
        ),
        placeholders=(LEARNED, KIND),
    ),
    count(
        name="{what}.undone",
        title="Types whose change was undone, by {what}",
        definition="Types, of n, whose change in {what} was made and undone before the last checkpoint.",
        placeholders=(LEARNED,),
    ),
    count(
        name="loss.not_falling",
        title="Types whose loss does not fall",
        definition="Types, of n, whose loss is no lower at the last checkpoint than at the first; they are left out.",
    ),
    correlation(
        name="end.{known}",
        title="Frequency in training and {known}, at the end",
        definition=(
            "Spearman's partial correlation over types of the count in the training text and {known}, at the last "
            "checkpoint; how many characters a type has and whether it continues a word are held fixed. A type is one "
            "piece of the vocabulary. The unigram model's loss is -ln p, where p is the type's share of the training "
            "text, with one added to every count; the gain is that loss minus the model's, and the share is the gain "
            "divided by that loss."
        ),
        reference="-1 for the loss of a unigram model, whose gain is 0 for every type",
        caveats=(
            (
                "No gain is larger than the unigram model's loss, which is small for frequent types: a model that knew "
                "everything would have -1 for the gain. The share would be the same for all types."
            ),
            "Types that are rare in the training text may be used in other ways in the text that is read.",
        ),
        where="a training whose run says how often each piece of the vocabulary stands in its text",
        placeholders=(KNOWN,),
    ),
    source=f"Ours, for {HYPOTHESIS}",
)
STUDIES = (MEASURE, SIGNATURE, ORDER, RELATIONS, RELATION_BASELINE, CLAIM, FACT, TYPES)
