"""The numbers that moved, repeated, dropped, swapped and single separators give."""

from collections.abc import Mapping

from generator.numbers.quantity import Of, Placeholder, Quantity, Study, Unit
from generator.studies.inputs.quantities import HYPOTHESIS

TOKENS = {"separator": "separators", "punctuation": "periods and commas", "begin": "the begin token"}
CHANGES: Mapping[str, str] = {
    "moved": "the last separator moved into the text",
    "repeated": "two words of the text replaced by separators",
    "dropped": "no separators",
    "swapped": "the last separator and a mark in each other's place",
}
KIND, CHANGE = Placeholder("kind", TOKENS), Placeholder("change", CHANGES)
UNLESS = "Means little where base.last is no more than base.uniform: then there is no attention to explain."


def _of(
    name: str,
    title: str,
    definition: str,
    reference: str = "",
    unit: Unit = "share",
    of: tuple[Of, ...] = ("model", "layer"),
) -> Quantity:
    """A weight, or a difference of weights, by layer and as the mean over layers."""
    placeholders = tuple(one for one in (CHANGE, KIND) if f"{{{one.name}}}" in name)
    span = {"share": "-1 to 1" if " minus " in definition else "0 to 1", "correlation": "-1 to 1"}.get(
        unit, "0 and more"
    )
    caveats = () if name.startswith(("base", "single", "pair", "correlation")) else (UNLESS,)
    return Quantity(
        name=name,
        title=title,
        unit=unit,
        range="0 and more" if unit == "ratio" else span,
        definition=definition,
        reference=reference,
        caveats=caveats,
        of=of,
        placeholders=placeholders,
    )


SEPARATORS = Study(
    name="separators",
    title="Moved and repeated separators",
    about=(
        "The last separator of a text is moved, repeated, dropped, swapped with a period or comma, or made "
        "the only one, to see whether attention follows its place or the token. The base is the text as it "
        "is, without periods and commas right before its last separator. Weights are what each token of the "
        "text gives, mean over tokens and heads; a number of the model is the mean over layers. The first part of at "
        "most 24 documents is read, which intervals resample; changes are paired by document."
    ),
    source=f"Ours, for phase two of {HYPOTHESIS}; the single separator after Kovaleva et al. 2019, section 4.4",
    quantities=(
        _of("base.{kind}", "Attention to {kind}", "The weight on {kind} of the base, all of them together."),
        _of(
            "base.last",
            "Attention to the last separator, from each token of the text",
            "The weight on the last separator.",
            "base.uniform",
        ),
        _of("base.uniform", "What uniform attention gives to one token", "One over the number of tokens."),
        _of(
            "base.lead",
            "Attention to the last separator minus that to the ones before",
            "The weight on the last separator minus the mean weight on those before it.",
            "0; above it if a fixed place is what counts",
        ),
        _of(
            "{change}.{kind}",
            "Change of attention to {kind} with {change}",
            "The weight on {kind} with {change}, minus that of the base.",
            "0 for no change",
        ),
        _of(
            "moved.place",
            "Gain of the last word when the separator is moved away and the word ends the input",
            (
                "The weight on the last word when it ends the input, because the separator was moved, minus its "
                "weight in the base."
            ),
            "0 where the place does not matter",
        ),
        _of(
            "dropped.place",
            "Gain of the last word when there is no separator and the word ends the input",
            "The weight on the last token of the text without separators, minus that of the base.",
            "0 where the place does not matter",
        ),
        _of(
            "moved.kept",
            "Share of its attention that the last separator keeps in the middle of the text",
            "The weight on the moved separator as a ratio to base.last; pools documents.",
            "0 if the place counts, 1 if the token does",
            "ratio",
        ),
        _of(
            "repeated.share",
            "Share that the last separator gets of the attention to three",
            "What the last separator gets of the weight on it and on the two that stand in the text; pools documents.",
            "1/3, what three alike would have",
        ),
        _of(
            "repeated.lead",
            "Attention to the last separator minus the mean of two more in the text",
            "The weight on the last separator minus the mean weight on the two in the text.",
            "0; above it if the place counts",
        ),
        _of(
            "dropped.lead",
            "Gain of the first and last token without separators, minus that of periods and commas",
            "What the begin token and the last token gain without separators, minus what all periods and commas gain.",
            "0; above it if the place counts",
        ),
        _of(
            "swapped.lead",
            "Attention to a period or comma in the separator's place minus that to the separator",
            "The weight on the period or comma at the end minus that on the separator in its place in the text.",
            "0; above it if the place counts, below if the token does",
        ),
        _of(
            "correlation.place",
            "Attention received and how far a token's place varies",
            (
                "Spearman's correlation, over frequent token types, of what an occurrence receives with the "
                "deviation of the type's position, its count held fixed."
            ),
            "0; below it if a fixed place draws attention",
            "correlation",
            ("layer",),
        ),
        _of(
            "single.larger",
            "Attention to the separator that receives most, one segment",
            "The weight on the separator that receives most in a head, both paragraphs read as one segment.",
            "pair.larger",
        ),
        _of(
            "pair.larger",
            "Attention to the separator that receives most, two segments",
            "The same with the paragraphs apart.",
            "single.larger",
        ),
        _of(
            "single.gain",
            "Gain of the separator when it is the only one of the text",
            "The weight on the separator that receives most in one segment minus that in two.",
            "0 for no gain",
        ),
    ),
)
