"""The records of numbers that pages make of the stored results of comparisons and of disabled heads."""

from generator.numbers.quantity import Maker, Placeholder, Quantity, Study, count

OF_CHANGES = Study(
    name="of changes",
    title="What pages say of a comparison over all heads",
    about="Computed from the stored numbers of two models side by side.",
    made=Maker.PAGES,
    source="Ours",
    quantities=(
        count(
            name="leaves_out_zero",
            title="Heads whose interval leaves out 0",
            range="0 and more",
            definition="How many heads have a change whose own 95 % interval leaves out 0.",
            reference="one in twenty heads, where none changed",
        ),
        Quantity(
            name="maps",
            title="Change of the maps",
            unit="number",
            range="0 to 1",
            definition="1 minus the cosine of a head's maps in the two models on the same inputs, mean over inputs.",
            formula="1 - cosine",
            reference="0 for the same maps",
            of=("head",),
        ),
        Quantity(
            name="middle",
            title="Median change of the maps",
            unit="as the number",
            definition="The median over heads of the change of their maps; of two in the middle, the lower.",
            reference="0 for no change",
        ),
        count(
            name="twins.same_layer",
            title="Twins in the same layer",
            range="0 and more",
            definition="How many heads are paired with a head of the same layer in the other model.",
        ),
    ),
)
VERDICT = Placeholder("verdict", {"needed": "needed", "unseen": "no change seen", "better": "better without it"})
OF_TASKS = Study(
    name="of disabled heads",
    title="What pages say of disabled heads over all heads",
    about="Computed from how a task's score changes when a head is disabled, stored with a simultaneous interval.",
    made=Maker.PAGES,
    source="Ours",
    quantities=(
        count(
            name="heads.{verdict}",
            title="Heads with the verdict {verdict}",
            range="0 to the number of heads",
            definition=(
                "How many heads have the verdict {verdict}. A head is needed if the simultaneous interval of its "
                "change lies below 0; the model is better without it if the interval lies above 0; else no change is "
                "seen."
            ),
            reference="0 heads needed, and 0 that the model is better without, where disabling changes nothing",
            placeholders=(VERDICT,),
        ),
    ),
)
STUDIES = (OF_CHANGES, OF_TASKS)
