"""The records of numbers of checkpoints that pages compute from stored tables."""

from generator.numbers.quantity import Maker, Quantity, Study, share

OF_CURVES = Study(
    name="of curves",
    title="How sure the numbers of checkpoints are",
    about="Computed from the table curves.",
    made=Maker.PAGES,
    source="Ours",
    quantities=(
        Quantity(
            name="half_width",
            title="Largest half width of intervals",
            unit="as the measure",
            range="0 and more",
            definition="Half the width of a head's 95 % interval, the largest of all heads and checkpoints.",
        ),
        share(
            name="next_accuracy",
            title="Accuracy of next sentence prediction, with its interval",
            definition="The stored accuracy with Wilson's interval over inputs.",
            reference="commoner_answer",
        ),
        share(
            name="commoner_answer",
            title="Inputs for which always giving the commoner answer is right",
            definition="The share of inputs whose second part follows the first, or one minus it if that is more.",
            formula="max(follows, 1 - follows)",
        ),
        share(
            name="breadth",
            title="Entropy of a layer as a share of that of uniform attention",
            definition=(
                "Mean entropy of the rows, and the ends of its interval, divided by that of uniform attention; single "
                "documents are not stored, so an end that would lie above 1 is put there."
            ),
            formula="entropy.all / its uniform value",
            reference="1 for uniform attention",
            of=("layer",),
        ),
    ),
)
STUDIES = (OF_CURVES,)
