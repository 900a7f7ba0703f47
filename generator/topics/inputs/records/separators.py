"""The records of numbers about separators that are moved, repeated, dropped, swapped or the only one."""

from collections.abc import Mapping

from generator.numbers.quantity import Of, Placeholder, Quantity, Study, Unit
from generator.topics.inputs.records.inputs import HYPOTHESIS

TOKENS = {"separator": "[SEP]", "punctuation": "periods and commas", "begin": "[CLS]"}
CHANGES: Mapping[str, str] = {
    "moved": "the last [SEP] moved into the text",
    "repeated": "two tokens of the text replaced by [SEP]",
    "dropped": "no [SEP]",
    "swapped": "the last [SEP] and a mark in each other's place",
}
KIND, CHANGE = Placeholder("kind", TOKENS), Placeholder("change", CHANGES)
WHERE: Mapping[str, str] = {
    "base": "inputs with [SEP], and periods or commas",
    "correlation": "text with enough frequent token types",
    "single": "inputs whose segments can be read as one",
    "pair": "inputs of two segments",
    "{change}": "inputs that can be changed",
}
"""The first part of a name -> where it is stored; of a single change, where that change can be made."""
UNLESS = "Means little where base.last is no more than base.uniform: then there is no attention to explain."


def _of(
    name: str,
    title: str,
    definition: str,
    reference: str = "",
    unit: Unit = "share",
    of: tuple[Of, ...] = ("model", "layer"),
) -> Quantity:
    """The record of a weight, or of a difference of weights, for each layer and as the mean over layers."""
    placeholders = tuple(placeholder for placeholder in (CHANGE, KIND) if f"{{{placeholder.name}}}" in name)
    span = {"share": "-1 to 1" if " minus " in definition else "0 to 1", "correlation": "-1 to 1"}.get(
        unit, "0 and more"
    )
    caveats = () if name.startswith(("base", "single", "pair", "correlation")) else (UNLESS,)
    first = name.partition(".")[0]
    return Quantity(
        name=name,
        where="inputs with several [SEP]"
        if name == "base.lead"
        else WHERE.get(first, f"inputs with {CHANGES.get(first)}"),
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
    title="[SEP] moved and repeated",
    about=(
        "The last [SEP] of a text is moved, repeated, dropped, swapped with a period or comma, or made "
        "the only one, to see whether attention follows its place or the token. The base is the text as it "
        "is, without periods and commas right before its last [SEP]. Weights are what each token of the "
        "text gives, mean over tokens and heads; a number of the model is the mean over layers. The first part of at "
        "most 24 documents is read, which intervals resample; changes are paired by document."
    ),
    source=f"Ours, for phase two of {HYPOTHESIS}; the single [SEP] after Kovaleva et al. 2019, section 4.4",
    takes="the model itself, which is given changed inputs",
    finds="[SEP], and periods or commas",
    quantities=(
        _of("base.{kind}", "Attention to {kind}", "The weight on {kind} in the base, summed over all of them."),
        _of(
            "base.last",
            "Attention to the last [SEP], from each token of the text",
            "The weight on the last [SEP].",
            "base.uniform",
        ),
        _of("base.uniform", "What uniform attention gives to one token", "One over the number of tokens."),
        _of(
            "base.lead",
            "Attention to the last [SEP] minus that to the ones before",
            "The weight on the last [SEP] minus the mean weight on those before it.",
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
            "Gain of the last word when the last [SEP] is moved away and the word ends the input",
            (
                "The weight on the last word when it ends the input, because [SEP] was moved away, minus its "
                "weight in the base."
            ),
            "0 where the place does not matter",
        ),
        _of(
            "dropped.place",
            "Gain of the last word when there is no [SEP] and the word ends the input",
            "The weight on the last token of the text without [SEP], minus that of the base.",
            "0 where the place does not matter",
        ),
        _of(
            "moved.kept",
            "Share of its attention that the last [SEP] keeps in the middle of the text",
            "The weight on the moved [SEP], summed over documents, as a ratio to that of base.last.",
            "0 if the place counts, 1 if the token does",
            "ratio",
        ),
        _of(
            "repeated.share",
            "Share of the attention to three [SEP] that the last one gets",
            "The weight on the last [SEP] divided by that on it and on the two in the text, sums over documents.",
            "1/3, what three alike would have",
        ),
        _of(
            "repeated.lead",
            "Attention to the last [SEP] minus the mean of two more in the text",
            "The weight on the last [SEP] minus the mean weight on the two in the text.",
            "0; above it if the place counts",
        ),
        _of(
            "dropped.lead",
            "Gain of the first and last token without [SEP], minus that of periods and commas",
            "What [CLS] and the last token gain without [SEP], minus what all periods and commas gain.",
            "0; above it if the place counts",
        ),
        _of(
            "swapped.lead",
            "Attention to a period or comma in [SEP]'s place minus that to [SEP]",
            "The weight on the period or comma at the end minus that on [SEP] in its place in the text.",
            "0; above it if the place counts, below if the token does",
        ),
        _of(
            "correlation.place",
            "Attention received and how far a token's place varies",
            (
                "Spearman's correlation, over frequent token types, of what an occurrence receives with the standard "
                "deviation of the type's position, while the type's count is held fixed."
            ),
            "0; below it if a fixed place draws attention",
            unit="correlation",
            of=("layer",),
        ),
        _of(
            "single.larger",
            "Attention to the only [SEP], one segment",
            "The weight on the only [SEP] from all tokens, when both paragraphs are read as one segment.",
            "pair.larger",
        ),
        _of(
            "pair.larger",
            "Attention to the [SEP] that receives most, two segments",
            "The weight on the [SEP] that receives most in a head, from all tokens, with the paragraphs apart.",
            "single.larger",
        ),
        _of(
            "single.gain",
            "Gain of [SEP] when it is the only one of the text",
            "The weight on the only [SEP] of one segment minus that on the [SEP] that receives most with two.",
            "0 for no gain",
        ),
    ),
)
STUDIES = (SEPARATORS,)
