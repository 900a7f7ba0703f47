"""The records of numbers that compare trainings of several objectives."""

from functools import partial

from generator.numbers.quantity import Maker, Placeholder, Quantity, Study, count, difference, nats, ratio, score, share

VARIANT = Placeholder.any("variant", r"\d+")
"""The number of a variant, from 1, the reference, in the order in which they were given."""
TRAINING = Placeholder.any("training", r"\d+")
"""The number of a training within its variant, from 1."""
LOSS = Placeholder(
    "loss",
    {
        "masked": "loss of the chosen tokens, all of them [MASK]",
        "whole": "loss of the same tokens in whole text",
        "random": "loss of the same tokens, each shown as a random piece",
    },
)
FOLLOWS = Placeholder("sentences", {"follows": "loss of next-sentence prediction"})
TOLD = Placeholder("answers", {"next": "next sentences told right"})
SCORE = Placeholder("tuned", {"score": "score after fine-tuning"})
CLASSES = Placeholder("words", {"classes": "word classes read off frozen vectors"})
MULTIPLE = Placeholder(
    "multiple",
    {
        "mask": "attention to [MASK], mean over heads",
        "mask.most": "attention to [MASK] of the head that gives most",
        "self": "attention of [MASK] to itself, mean over heads",
        "self.most": "attention of [MASK] to itself of the head that gives most",
        "self.whole": "attention of the same tokens to themselves in whole text, mean over heads",
    },
)
MAPS = Placeholder("divergence", {"maps": "change of maps between whole and masked text"})
SEVERAL = "a variant of two trainings or more"
OTHER = "a variant beside the first"
TEXT = "held-out text"
BANK = "a treebank"
NEXT = f"{TEXT}, by trainings with next-sentence prediction"
FEW = "The interval says nothing about trainings that were not made."
_change = partial(Quantity, unit="ratio")
_gap = partial(Quantity, unit="nats")


def _family(
    kind: partial[Quantity], change: partial[Quantity], of: Placeholder, about: str, where: str
) -> tuple[Quantity, ...]:
    """The records of a number: of each variant, of each training, of differences, and whether these count."""
    part, also = f"{{{of.name}}}", f"{where}; "
    return (
        kind(
            name=f"{part}.{{variant}}",
            title=f"{part}: variant {{variant}}",
            definition=f"{about} Mean over the trainings of the variant.",
            caveats=(FEW,),
            placeholders=(of, VARIANT),
            where=where,
        ),
        kind(
            name=f"{part}.{{variant}}.{{training}}",
            title=f"{part}: training {{training}} of variant {{variant}}",
            definition=about,
            placeholders=(of, VARIANT, TRAINING),
            where=where,
        ),
        change(
            name=f"{part}.{{variant}}.minus",
            title=f"{part}: variant {{variant}} minus the first",
            definition="The number of the variant minus that of the first one, on the same text.",
            reference="0",
            caveats=(FEW,),
            placeholders=(of, VARIANT),
            where=also + OTHER,
        ),
        change(
            name=f"{part}.apart",
            title=f"{part}: greatest difference between trainings of one variant",
            definition="The greatest difference between two trainings of one variant; n counts pairs of trainings.",
            placeholders=(of,),
            where=also + SEVERAL,
        ),
        Quantity(
            name=f"{part}.{{variant}}.counts",
            title=f"{part}: whether the difference of variant {{variant}} counts",
            unit="0 or 1",
            range="0 to 1",
            definition=(
                "1 where the interval of the difference leaves out 0 and the difference, up or down, is greater than "
                "the greatest between two trainings of one variant; n counts pairs of such trainings."
            ),
            placeholders=(of, VARIANT),
            where=f"{also}{OTHER}, and {SEVERAL}",
        ),
    )


VARIANTS = Study(
    name="variants",
    title="Trainings that differ in their recipe",
    about=(
        "Trainings that differ in settings of their recipe, such as what is hidden, and how, read the same held-out "
        "inputs, in which the same tokens, 15 % of them, were chosen. Trainings whose settings differ only in the seed "
        "are one variant, and the first variant is what the others are compared with. Intervals resample inputs, which "
        "n counts, for word classes sentences; inputs of one document are alike, so they are rather too narrow."
    ),
    made=Maker.EXPERIMENT,
    source="Ours, for questions of Feinberg 2019; after Devlin et al. 2019, appendix C.2",
    quantities=(
        *_family(
            partial(nats, range="0 and more"),
            _gap,
            LOSS,
            "Mean negative log-likelihood of the chosen tokens: {loss}.",
            TEXT,
        ),
        *_family(
            partial(nats, range="0 and more"),
            _gap,
            FOLLOWS,
            "Mean negative log-likelihood of whether the second segment follows the first, in whole text.",
            NEXT,
        ),
        *_family(
            share,
            difference,
            TOLD,
            "Share of inputs of whole text of which the model tells whether the second segment follows the first.",
            NEXT,
        ),
        *_family(
            partial(ratio, reference="1 for uniform attention"),
            _change,
            MULTIPLE,
            (
                "The mean share over inputs divided by that of uniform attention: {multiple}. The head that gives most "
                "is chosen on one half of the inputs, and its number is that of the other half."
            ),
            TEXT,
        ),
        *_family(
            partial(nats, range="0 to ln 2"),
            _gap,
            MAPS,
            (
                "Jensen-Shannon divergence of the rows of maps of whole and of masked text, mean over heads and over "
                "tokens that are the same in both, as in the study of masks and segments."
            ),
            TEXT,
        ),
        *_family(
            share,
            difference,
            CLASSES,
            (
                "Share of words whose class a logistic regression on the vectors of the last layer finds. It learns on "
                "one half of the sentences of a treebank and is judged on the other, as in the study of usability."
            ),
            BANK,
        ),
        nats(
            name="masked.frequency",
            where=TEXT,
            title="Loss of the frequencies of pieces",
            range="0 and more",
            definition=(
                "Mean negative log-likelihood of the chosen tokens by how often pieces stand in this held-out text, "
                "one added to each: what can be had without reading the input."
            ),
        ),
        share(
            name="next.commonest",
            where=TEXT,
            title="Next sentences told right by the commoner answer",
            definition="Share of inputs with the commoner of the two answers.",
        ),
        share(
            name="classes.type",
            where=BANK,
            title="Word classes found by the commonest class of the type",
            definition=(
                "Share of words whose class is the commonest of their type or, for a new type, of all words, in the "
                "half that is learned from."
            ),
        ),
        share(
            name="classes.random",
            where=BANK,
            title="Word classes read off vectors of random weights",
            definition="The same as for a training, for a model of random weights.",
        ),
        count(
            name="tokens",
            where=TEXT,
            title="Chosen tokens",
            definition="How many tokens were chosen in all inputs.",
        ),
    ),
)
SPREAD = "Drawn seeds are set further apart, because few of them vary less than many would."
TUNED = Study(
    name="variants.task",
    title="Trainings that differ in their recipe, fine-tuned",
    about=(
        "Trainings that differ in settings of their recipe are fine-tuned on one task in the same way, each with the "
        "same seeds, and scored on the same held-out examples by the task's headline metric. The score of a training "
        "is the mean over these seeds. Intervals resample examples, which n counts, and seeds."
    ),
    made=Maker.EXPERIMENT,
    source="After Devlin et al. 2019, section 5.1",
    command="fieldguide variants RUN RUN --task TASK --data DIR",
    quantities=(
        *_family(
            partial(score, range="-1 to 1", reference="that of the majority class", beyond=SPREAD),
            partial(score, range="-2 to 2", beyond=SPREAD),
            SCORE,
            "Score on held-out examples after fine-tuning, mean over seeds.",
            "a score that is defined",
        ),
        score(
            name="score.{variant}.{training}.seed{seed}",
            title="Score after fine-tuning: training {training} of variant {variant}, seed {seed}",
            range="-1 to 1",
            definition="Score on held-out examples after fine-tuning with one seed.",
            placeholders=(VARIANT, TRAINING, Placeholder.any("seed", r"\d+")),
        ),
        score(
            name="score.{variant}.{training}.lead",
            title="Score above the majority class: training {training} of variant {variant}",
            range="-2 to 2",
            definition=(
                "The score of a training minus that of the majority class, which counts as 0 where it is a correlation."
            ),
            reference="0 for a training that learned nothing",
            placeholders=(VARIANT, TRAINING),
            beyond=SPREAD,
        ),
        score(
            name="score.majority",
            title="Score of the majority class",
            range="-1 to 1",
            definition="The score of always answering with the commonest class.",
            where="a task whose answers are labels",
        ),
    ),
)
STUDIES = (VARIANTS, TUNED)
