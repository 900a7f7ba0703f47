"""The records of what the mask token looks at, beside the word that it hides."""

from generator.numbers.quantity import Placeholder, Quantity, Study, share
from generator.topics.inputs.records.inputs import HYPOTHESIS, SAMPLE

MIDDLE = (4, 9)
"""BERT's layers that the hypothesis calls phase two."""
ROWS = {"mask": "[MASK]", "word": "the word itself, in the text as it is"}
PLACES = {
    "self": "itself",
    "special": "special tokens",
    "distance.1": "the next tokens of the text on either side",
    "distance.2": "tokens of the text 2 to 4 places away",
    "distance.5": "tokens of the text 5 to 9 places away",
    "distance.10": "tokens of the text 10 places away and more",
    "part": "other tokens of its own part of the sentence",
    "other": "tokens of other parts of the sentence",
}
ROW, PLACE = Placeholder("row", ROWS), Placeholder("place", PLACES)
MATCHED = (
    "two tokens stand equally far, up to 16 places, before and after the word, one in its own part of the sentence and "
    "the other in another part"
)


def _difference(name: str, title: str, definition: str, where: str = "") -> Quantity:
    return share(
        name=name, title=title, range="-1 to 1", definition=definition, reference="0 for no difference", where=where
    )


MASK_ROWS = Study(
    name="mask rows",
    title="What [MASK] looks at",
    about=(
        "Of each text 15 % of the words are masked, and the rows of these masks are compared with the rows of the same "
        "words in the text as it is. Numbers are means over heads and masks. A part of a sentence is a stretch of text "
        "between two special tokens or punctuation marks; a mask in the place of such a mark is left out. The last "
        f"layers are those of a relative depth above 0.83, at least the last one. {SAMPLE}"
    ),
    source=f"Ours, for phase three of {HYPOTHESIS}",
    takes="a masked-LM head",
    finds="words of letters or digits",
    quantities=(
        share(
            name="{row}.{place}",
            title="Attention of {row} to {place}",
            definition=(
                "Share of the row of {row} that goes to {place}. Itself, special tokens and the four distances add up "
                "to 1; so do itself, special tokens, both kinds of parts, and the marks between parts."
            ),
            reference="the other row",
            of=("layer",),
            placeholders=(ROW, PLACE),
        ),
        share(
            name="{row}.same",
            title="Share of the own part in the attention of {row} to two tokens as near",
            definition=(
                f"Where {MATCHED}: the share of the first in what the row of {{row}} gives to both. All such pairs of "
                "all documents are pooled."
            ),
            reference="1/2 where the part does not matter",
            of=("layer",),
            placeholders=(ROW,),
        ),
        _difference(
            "deep.near",
            "Attention of [MASK] to near tokens minus that of the word, last layers",
            "What [MASK] gives to tokens up to 4 places away minus what the word gives to them in the text as it is.",
        ),
        _difference(
            "deep.part",
            "Share of the own part for [MASK] minus that for the word, last layers",
            f"Where {MATCHED}: the share of the first in what both get, for [MASK] minus for the word.",
            where="text with words near the end of a part",
        ),
        _difference(
            "deep.lead",
            "Attention of [MASK] to near tokens minus that of the word: last layers minus middle ones",
            "This difference in the last layers, minus the same in those of relative depth 0.33 to 0.75.",
            where="a model with two layers or more",
        ),
    ),
)
STUDIES = (MASK_ROWS,)
