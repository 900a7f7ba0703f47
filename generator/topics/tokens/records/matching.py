"""The records of numbers about identical words across segments."""

from generator.numbers.quantity import AXIS, Placeholder, Study, difference, place, share

OVER = Placeholder("gain", {"gain": "any other word", "matched.gain": "other shared words"})
MATCHING = Study(
    name="matching",
    title="Identical words across segments",
    about=(
        "Weight between occurrences of the same token type in both segments of an input, beside that to other types. "
        "Special tokens and pieces without a letter or digit are left out; every shared type counts once, and both "
        "directions count alike. Means over the documents that define a number, which intervals resample."
    ),
    source="Ours, for Kovaleva et al. 2019, section 5, who name two such heads",
    finds="pairs of paragraphs",
    quantities=(
        share(
            name="same",
            title="Weight to the same word",
            definition="Mean weight between occurrences of a type in one segment and in the other, over shared types.",
            of=("head",),
        ),
        share(
            name="other",
            title="Weight to any other word",
            definition="Mean weight from a shared type to the other segment's tokens of any other type.",
            of=("head",),
        ),
        share(
            name="matched",
            title="Weight to other shared words",
            definition="Mean weight from a shared type to the other shared types in the other segment.",
            of=("head",),
        ),
        difference(
            name="gain",
            title="Gain over any other word",
            definition="Weight to the same word minus that to any other word, paired by document.",
            reference="0 for a head that does not look at the same word more",
            caveats=(
                "A head that prefers frequent words, or words of both segments, has a gain without matching any.",
            ),
            of=("head",),
        ),
        difference(
            name="matched.gain",
            title="Gain over other shared words",
            definition="Weight to the same word minus that to other shared words, paired by document.",
            reference="0 for a weight that depends on the query's type or on the key's type alone",
            of=("head",),
        ),
        difference(
            name="best.{gain}",
            where="paragraphs in both halves",
            title="Gain of the best head over {gain}, held-out",
            definition="Gain, on one half of the documents, of the head that has the largest gain on the other half.",
            reference="0",
            placeholders=(OVER,),
        ),
        place(
            name="best.{gain}.{axis}",
            where="paragraphs in both halves",
            title="{axis} of the best head over {gain}",
            definition="The {axis} of the head that has the largest gain on one half of the documents.",
            placeholders=(OVER, AXIS),
        ),
    ),
)
STUDIES = (MATCHING,)
