"""The records of numbers about where trainings on a task end."""

from functools import partial

from generator.numbers.quantity import Maker, Placeholder, Quantity, Study, difference, nats, score, share

SPLIT = Placeholder("split", {"train": "examples of training", "dev": "held-out examples"})
START = Placeholder(
    "start",
    {
        "pretrained.same": "pre-trained weights, one start",
        "pretrained.other": "pre-trained weights, several heads",
        "random.same": "random weights, one start",
        "random.other": "random weights, several starts",
    },
)
ONE = Placeholder.any("number", r"\d+")
PART = Placeholder.any("point", r"\d+")
KIND_OF_START = Placeholder("weights", {"pretrained": "pre-trained weights", "random": "random weights"})
PAIRS = "Mean over every two trainings."
SPREAD = "The interval says nothing about trainings that were not made."
HIGHEST = (
    "The loss on the line between two trainings, above the straight line between the losses of both, at the point of "
    "nine between them where this is highest on one half of the examples; it is that of the other half."
)


def _group(kind: partial[Quantity], name: str, title: str, about: str, over: str, of: str) -> tuple[Quantity, ...]:
    """The records of a number of a group of trainings: its mean, each one's, and the greatest difference."""
    placeholders = tuple(one for one in (SPLIT, START) if f"{{{one.name}}}" in name)
    return (
        kind(name=name, title=title, definition=f"{about} {over}", caveats=(SPREAD,), placeholders=placeholders),
        kind(
            name=f"{name}.{{number}}",
            title=f"{title}: {of} {{number}}",
            definition=about,
            placeholders=(*placeholders, ONE),
        ),
        kind(
            name=f"{name}.apart",
            title=f"{title}: greatest difference",
            definition=f"The greatest difference between two {of}s of the group; n counts every two of them.",
            placeholders=placeholders,
            where="two numbers of a group or more",
        ),
    )


OPTIMA = Study(
    name="optima",
    title="Where trainings on a task end",
    about=(
        "A model is trained on a task from one start in several orders, and in one order from several starts: from "
        "pre-trained weights, where starts differ in the head alone, and from random weights, where they differ in "
        "all. A seed of the order also decides on dropout. All weights of every two trainings of a group, those of the "
        "head among them, are joined by a straight line, and the loss is read at eleven points of it. Intervals "
        "resample examples, which n counts."
    ),
    made=Maker.EXPERIMENT,
    source="After Hao et al. 2019; barriers as in Frankle et al. 2020",
    command="fieldguide optima MODEL --task TASK --data DIR",
    quantities=(
        nats(
            name="loss.{split}.constant",
            title="Loss of a constant answer, {split}",
            range="0 and more",
            definition=(
                "Mean loss of giving each label the share that it has in all examples of training, with one added to "
                "how often each stands there."
            ),
            placeholders=(SPLIT,),
        ),
        *_group(
            partial(nats, range="0 and more", reference="that of a constant answer"),
            "loss.{split}.{start}",
            "Loss, {split}, {start}",
            "Mean loss of a training.",
            "Mean over trainings.",
            "training",
        ),
        nats(
            name="line.{split}.{start}.{number}.{point}",
            title="Loss at {point} tenths of line {number}, {split}, {start}",
            range="0 and more",
            definition="Mean loss of the model at so many tenths of the way from one training to another.",
            reference="that of a constant answer",
            placeholders=(SPLIT, START, ONE, PART),
        ),
        *_group(
            partial(nats, reference="0"),
            "barrier.{split}.{start}",
            "Barrier, {split}, {start}",
            HIGHEST,
            PAIRS,
            "line",
        ),
        nats(
            name="barrier.{split}.{weights}.minus",
            title="Barrier between several starts minus that from one, {split}, {weights}",
            definition="Mean barrier between trainings from several starts minus that between trainings from one.",
            reference="0",
            caveats=(SPREAD,),
            placeholders=(SPLIT, KIND_OF_START),
        ),
        Quantity(
            name="barrier.{split}.{weights}.counts",
            title="Whether the difference of barriers counts, {split}, {weights}",
            unit="0 or 1",
            range="0 to 1",
            definition=(
                "1 where the interval of the difference leaves out 0 and every barrier of one group is higher than "
                "every one of the other; n counts the barriers of both."
            ),
            placeholders=(SPLIT, KIND_OF_START),
        ),
        share(
            name="accuracy.majority",
            title="Accuracy of the majority class",
            definition="Share of held-out examples with the commonest label.",
        ),
        *_group(
            share,
            "accuracy.{start}",
            "Accuracy, {start}",
            "Share of held-out examples that a training answers right.",
            "Mean over trainings.",
            "training",
        ),
        score(
            name="lead.{start}.{number}",
            title="Accuracy above the majority class, {start}: training {number}",
            range="-1 to 1",
            definition="Accuracy of a training minus that of the majority class, on the same examples.",
            reference="0 for a model that learned nothing",
            placeholders=(START, ONE),
        ),
        *_group(
            share,
            "agree.{start}",
            "Answered alike, {start}",
            "Share of held-out examples that two trainings answer alike.",
            PAIRS,
            "pair",
        ),
        share(
            name="agree.{start}.implied",
            title="Answered alike if independent, {start}",
            definition=(
                "The share that two trainings of the same accuracies would answer alike if they were right "
                f"independently, and wrong with each other label equally. {PAIRS}"
            ),
            placeholders=(START,),
        ),
        difference(
            name="agree.{start}.minus",
            title="Answered alike beyond what accuracies imply, {start}",
            definition="The share answered alike minus that of independent trainings.",
            reference="0",
            placeholders=(START,),
        ),
    ),
)
STUDIES = (OPTIMA,)
"""Fine-tunings of one model on one task, from one start and from several, and the straight lines between them."""
