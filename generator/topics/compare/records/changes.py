"""The records of numbers that pages make of the stored results of comparisons."""

from generator.numbers.quantity import Maker, Quantity, Study, count

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
        count(
            name="twins.same_layer",
            title="Twins in the same layer",
            range="0 and more",
            definition="How many heads are paired with a head of the same layer in the other model.",
        ),
    ),
)
STUDIES = (OF_CHANGES,)
