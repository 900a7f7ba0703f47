"""Two introductions to BERT, in part about the model's parts: vocabulary, embeddings, segments and masks."""

from generator.claims.claim import Bound, Claim, Part
from generator.claims.evidence import Evidence
from generator.claims.numbers import Number, exact

NOTES = "Feinberg 2019"
ANSWER = "McCarthy 2021"


def _rows_per_type(evidence: Evidence) -> list[Number | None]:
    rows, pieces = (evidence.fact("model", name) for name in ("embedding.types", "vocabulary"))
    return [exact(rows.value / pieces.value, 1) if rows and pieces else None]


def _pieces(evidence: Evidence) -> list[Number | None]:
    found = evidence.fact("model", "vocabulary")
    return [exact(found.value, 1) if found else None]


Q01 = Claim(
    id="Q01",
    title="Parameters belong to types, not to tokens",
    statement="There are parameters for every word type and none for single tokens.",
    paper=ANSWER,
    section="answer",
    measure=(
        "Rows of the input embedding divided by the pieces of the vocabulary; counted. A token enters the network with "
        "the row of its type, and no other parameters depend on which token of the type it is."
    ),
    needs="the embedding matrix of the model",
    parts=(
        Part(
            "the number of embedding rows per piece of the vocabulary",
            "ratio",
            (Bound("at least", 1),),
            "Every type has a row if there are as many rows as types.",
            over="model",
        ),
    ),
    judge=_rows_per_type,
)
Q02 = Claim(
    id="Q02",
    title="Fine-tuning stays near the pre-trained weights",
    statement="Pre-training is a better initialisation: the fine-tuned weights stay close to it.",
    paper=ANSWER,
    section="answer",
    measure="Relative distance of fine-tuned from pre-trained weights, against the distance from random ones.",
    needs="a fine-tuned checkpoint beside the pre-trained one it comes from",
)
Q03 = Claim(
    id="Q03",
    title="Segment embeddings are redundant",
    statement="Segment embeddings say nothing that positions do not say.",
    paper=NOTES,
    section="conclusions",
    measure="Change of the masked-LM loss and of the maps when all segment ids are 0, or swapped.",
    needs="segment embeddings, a masked-LM head, and runs with other segment ids",
)
Q04 = Claim(
    id="Q04",
    title="The mask token separates training from use",
    statement="[MASK] occurs in training only, so the model is used on other text than it was trained on.",
    paper=NOTES,
    section="open questions",
    measure="Change of attention by layer and of entropy with 0, 15 and 40 % of the tokens masked.",
    needs="a mask token, and runs with part of the tokens masked",
    published=("bert.masking.chosen", "bert.masking.mask"),
)
Q05 = Claim(
    id="Q05",
    title="The vocabulary has 33 thousand pieces",
    statement="The vocabulary has about 33 thousand word pieces.",
    paper=NOTES,
    section="training",
    measure="Entries of the tokenizer's vocabulary; counted.",
    needs="the size of the tokenizer's vocabulary",
    parts=(
        Part(
            "the number of pieces",
            "pieces",
            (Bound("at least", 32_500), Bound("below", 33_500)),
            "A number in thousands is right when it rounds to it.",
            over="model",
        ),
    ),
    judge=_pieces,
    published=("s002.vocabulary.claimed", "bert.vocabulary.uncased", "bert.vocabulary.cased"),
)
Q06 = Claim(
    id="Q06",
    title="Answers may end before they start",
    statement="Start and end of an answer are predicted independently, so that the end may come first.",
    paper=NOTES,
    section="conclusions",
    measure="Share of questions whose most likely end lies before the most likely start.",
    needs="a checkpoint fine-tuned to find answers, and questions",
)
Q07 = Claim(
    id="Q07",
    title="Final features are linearly usable",
    statement="The last layer's features allow a simple linear classification.",
    paper=NOTES,
    section="opening",
    measure="Accuracy of a linear probe on each layer, less that of the same probe on a control task.",
    needs="labelled data, and a probe with a control task on every layer",
    published=tuple(
        f"hewitt_liang.pos.{probe}.{column}" for probe in ("linear", "mlp") for column in ("task", "control")
    ),
)
