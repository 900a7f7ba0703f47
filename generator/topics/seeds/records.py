"""The records of numbers that compare several trainings of one recipe."""

from generator.measures import COLUMN
from generator.numbers.quantity import Maker, Placeholder, Quantity, Study, correlation, difference, nats, share

TRAINING = Placeholder.any("training", r"\d+")
"""The number of a training, from 1, in the order in which the trainings were given."""
RELATION = Placeholder.any("relation", ".+")
STEP = Placeholder.any("step", r"\d+")
TARGETS = {
    "begin": "[CLS]",
    "separator": "[SEP]",
    "punctuation": "periods and commas",
    "previous": "the previous token",
    "next": "the next token",
}
"""Target that the log of a run follows -> what pages call it."""
BEYOND = 2.0
"""A head attends to a target if it gives it more than this many times what uniform attention would."""
TARGET = Placeholder("target", TARGETS)
TWINS = "Twins are paired on one half of the documents; the number is that of the other half."
LOGGED = (
    "From the log of the run, which keeps only means, so there is no interval. Each seed draws held-out inputs, and "
    "what is hidden in them, anew."
)
SEEDS = Study(
    name="seeds",
    title="Trainings that differ in their seed",
    about=(
        "Several trainings of one recipe read the same text and treebanks. The heads of every two trainings are paired "
        "one to one so that their maps differ least: such pairs are twins. Intervals resample documents or, for "
        "relations, sentences; they say nothing about trainings that were not made."
    ),
    made=Maker.EXPERIMENT,
    source="Ours; Sellam et al. 2021 for the question",
    quantities=(
        nats(
            name="matched",
            where="a text",
            title="Divergence of twins",
            range="0 to ln 2",
            definition=(
                "Jensen-Shannon divergence of the maps of twins, mean over them and over all pairs of trainings; for a "
                "layer, over the twins of its heads."
            ),
            reference="every and untrained",
            caveats=(TWINS,),
            of=("model", "layer"),
        ),
        nats(
            name="every",
            where="a text",
            title="Divergence of any two heads of two trainings",
            range="0 to ln 2",
            definition="The mean over all pairs of heads; for a layer, over the pairs that both stand in it.",
            of=("model", "layer"),
        ),
        nats(
            name="untrained",
            where="a text",
            title="Divergence from the nearly even maps of random weights",
            range="0 to ln 2",
            definition="The same as for twins, when each training is paired with a model of random weights.",
            caveats=(TWINS,),
        ),
        share(
            name="same_layer",
            where="a text",
            title="Twins in the same layer",
            definition="Share of twins that stand in the same layer of both trainings; n counts pairs of twins.",
            reference="same_layer.chance",
            caveats=("The interval treats the pairs as independent, which heads of one training are not.",),
        ),
        share(
            name="same_layer.chance",
            where="a text",
            title="Twins in the same layer by chance",
            definition="One divided by the number of layers.",
        ),
        correlation(
            name="twins.{column}",
            where="a text in which the measure differs between heads",
            title="{column}: correlation over twins",
            definition=(
                "Pearson's correlation of the measure of a head with that of its twin, both ways round; the interval "
                "resamples documents and heads, and n counts heads."
            ),
            reference="the correlation with the layer's mean",
            caveats=(
                TWINS,
                "The interval is too wide rather than too narrow: a head and its twin are drawn separately.",
            ),
            placeholders=(COLUMN,),
        ),
        correlation(
            name="layer.{column}",
            where="a text in which the measure differs between layers",
            title="{column}: correlation with the layer's mean",
            definition="Correlation of a head's measure with the mean of its layer in another training: what the layer "
            "alone tells.",
            placeholders=(COLUMN,),
        ),
        correlation(
            name="gain.{column}",
            where="a text in which the measure differs between heads and layers",
            range="-2 to 2",
            title="{column}: correlation over twins minus that with the layer's mean",
            definition="How much better a head's twin predicts its measure than its layer does; both correlations are "
            "computed in the same draws.",
            reference="0; above it, twins are alike in more than their layer",
            caveats=(TWINS,),
            placeholders=(COLUMN,),
        ),
        Quantity(
            name="mean.{column}.{training}",
            where="a text in which the measure is defined",
            title="{column}, mean over the heads of training {training}",
            unit="as the measure",
            definition="The measure, mean over all heads of one training.",
            placeholders=(COLUMN, TRAINING),
        ),
        difference(
            name="relation.{relation}.{training}",
            where="a treebank",
            title="{relation}: lead of the best head of training {training}",
            definition=(
                "Accuracy of the head that finds the relation best minus that of the best fixed offset; both are "
                "chosen on one half of the sentences and measured on the other. n counts words."
            ),
            reference="0 for no lead",
            of=("head",),
            placeholders=(RELATION, TRAINING),
        ),
        Quantity(
            name="found.{relation}.{training}",
            where="a treebank",
            title="{relation}: whether training {training} finds it",
            unit="0 or 1",
            range="0 to 1",
            definition=(
                "1 where that lead is ten points or more and surely above 0, and the best head of random weights is "
                "right less often."
            ),
            of=("head",),
            placeholders=(RELATION, TRAINING),
        ),
        share(
            name="returning",
            where="a treebank of which some training finds a relation",
            title="Relations that every training finds",
            definition="Of the relations that some training finds, the share that every one finds; n counts relations.",
        ),
        share(
            name="carried",
            where="a treebank of which two trainings find the same relation",
            title="Twins that find the same relation",
            definition=(
                "Where two trainings find a relation, the share of cases in which the head that finds it in the one is "
                "the twin of the head that finds it in the other; n counts such pairs of heads."
            ),
            reference="carried.chance",
            caveats=("The interval treats the cases as independent.",),
        ),
        share(
            name="carried.chance",
            where="a treebank of which two trainings find the same relation",
            title="Twins that find the same relation by chance",
            definition="The same if the twin were a head of the same layer, drawn at random.",
        ),
        Quantity(
            name="attention.{target}.{training}.{step}",
            where="trainings that were watched",
            title="Most attention to {target} in training {training} at step {step}",
            unit="ratio",
            range="0 and more",
            definition=(
                "The attention of the head that gives most of it to {target}, as a multiple of uniform attention. "
                f"{LOGGED}"
            ),
            reference="1 for uniform attention",
            placeholders=(TARGET, TRAINING, STEP),
        ),
        Quantity(
            name="came.{target}.{training}",
            where="a training in which some head comes to attend to it",
            title="Step from which training {training} attends to {target}",
            unit="number",
            range="0 and more",
            definition=(
                "The first logged step at which some head gives {target} more than twice uniform attention; there is "
                f"none where no head ever does. {LOGGED}"
            ),
            placeholders=(TARGET, TRAINING),
        ),
        nats(
            name="loss.{training}.{step}",
            where="trainings with a log",
            title="Loss on hidden tokens of training {training} at step {step}",
            range="0 and more",
            definition=f"Mean negative log-likelihood of hidden tokens of held-out text. {LOGGED}",
            placeholders=(TRAINING, STEP),
        ),
    ),
)
STUDIES = (SEEDS,)
