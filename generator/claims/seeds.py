"""Two introductions to BERT, in part about the model's parts: vocabulary, embeddings, segments and masks."""

import numpy as np

from generator.claims.claim import Claim, part
from generator.claims.evidence import Evidence
from generator.claims.numbers import NotTestable, Number, difference, exact, mean_of
from generator.claims.tasks import FINE_TUNED, RANDOM, called, score_name, tuned_copies

NOTES = "Feinberg 2019"
ANSWER = "McCarthy 2021"


def _rows_per_type(evidence: Evidence) -> Number:
    rows, pieces = (evidence.fact("model", name) for name in ("embedding.types", "vocabulary"))
    return [exact(rows.value / pieces.value, 1) if rows and pieces else None]


def _pieces(evidence: Evidence) -> Number:
    found = evidence.fact("model", "vocabulary")
    return [exact(found.value, 1) if found else None]


_rows_per_type_1 = lambda e: _rows_per_type(e)[0]  # STUB


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
        part(
            "Q01.1", "the number of embedding rows per piece of the vocabulary", "ratio", _rows_per_type_1, over="model"
        ),
    ),
)


def _distances(evidence: Evidence) -> Number:
    ratios, behind = {}, []
    for study, task in tuned_copies(evidence):
        lead = evidence.fact("scores", score_name(task, f"{FINE_TUNED}.minus.{RANDOM}"), task)
        if lead.low > 0:
            moved, random = (evidence.fact(study, f"weights.{name}", task) for name in ("distance", "random"))
            ratios[study] = moved.value / random.value
        else:
            behind.append(f"{called(task)} is not surely done better from pre-trained than from random weights")
    if not ratios:
        raise NotTestable("; ".join(behind))
    return exact(max(ratios.values()), len(ratios))


Q02 = Claim(
    id="Q02",
    title="Fine-tuning stays near the pre-trained weights",
    statement="Pre-training is a better initialisation: the fine-tuned weights stay close to it.",
    paper=ANSWER,
    section="answer",
    measure=(
        "Distance of all fine-tuned from the pre-trained weights, divided by that of a random initialisation from "
        "them; the highest among checkpoints that learned their task, and surely better than the same training from "
        "random weights."
    ),
    needs="a fine-tuned checkpoint beside the pre-trained one: fieldguide finetune, then fieldguide compare",
    parts=(
        part(
            "Q02.2",
            "the distance of fine-tuned weights, as a share of that of random ones",
            "ratio",
            _distances,
            over="fine-tuned copies",
        ),
    ),
)


def _segments(evidence: Evidence) -> Number:
    return [evidence.fact("manipulations", f"segments.zero.{what}") for what in ("loss", "js")]


_segments_1, _segments_2 = (lambda e, k=k: _segments(e)[k] for k in range(2))  # STUB


Q03 = Claim(
    id="Q03",
    title="Segment embeddings are redundant",
    statement="Segment embeddings say nothing that positions do not say.",
    paper=NOTES,
    section="conclusions",
    measure=(
        "Rise of the masked-LM loss when all segment ids are 0, and Jensen-Shannon divergence between the rows of the "
        "maps with and without, mean over heads; documents are resampled."
    ),
    needs="segment embeddings and a masked-LM head",
    parts=(
        part("Q03.1", "the rise of the loss without segments", "nats", _segments_1),
        part("Q03.2", "the change of maps without segments", "nats", _segments_2),
    ),
)


def _masks(evidence: Evidence) -> Number:
    return [evidence.fact("manipulations", "masks.15.js")]


_masks_1 = lambda e: _masks(e)[0]  # STUB


Q04 = Claim(
    id="Q04",
    title="The mask token separates training from use",
    statement="[MASK] occurs in training only, so the model is used on other text than it was trained on.",
    paper=NOTES,
    section="open questions",
    measure=(
        "Jensen-Shannon divergence between the rows of the maps with 15 % of the words masked and with none, at tokens "
        "that stay, mean over heads; documents are resampled."
    ),
    needs="a mask token",
    parts=(part("Q04.1", "the change of maps by masks", "nats", _masks_1),),
    published=("bert.masking.chosen", "bert.masking.mask"),
)
_pieces_1 = lambda e: _pieces(e)[0]  # STUB


Q05 = Claim(
    id="Q05",
    title="The vocabulary has 33 thousand pieces",
    statement="The vocabulary has about 33 thousand word pieces.",
    paper=NOTES,
    section="training",
    measure="Entries of the tokenizer's vocabulary; counted.",
    needs="the size of the tokenizer's vocabulary",
    parts=(part("Q05.1", "the number of pieces", "pieces", _pieces_1, over="model"),),
    published=("s002.vocabulary.claimed", "bert.vocabulary.uncased", "bert.vocabulary.cased"),
)
TRAINED = 0.05
"""Share of exact answers that a head surely exceeds if it was trained; one at random finds hardly any."""


def _reversed(evidence: Evidence) -> Number:
    right = evidence.fact("answers", "exact")
    return [evidence.fact("answers", "reversed") if right and right.low > TRAINED else None]


_reversed_1 = lambda e: _reversed(e)[0]  # STUB


Q06 = Claim(
    id="Q06",
    title="Answers may end before they start",
    statement="Start and end of an answer are predicted independently, so that the end may come first.",
    paper=NOTES,
    section="conclusions",
    measure=(
        "Share of questions whose likeliest end lies before the likeliest start, among the tokens of the passage, with "
        "Wilson's interval; a head that does not surely find one answer in twenty is taken for untrained."
    ),
    needs="a checkpoint fine-tuned to find answers in passages, and questions",
    parts=(
        part("Q06.1", "the share of questions whose end lies before its start", "share", _reversed_1, over="questions"),
    ),
)


def _linear(evidence: Evidence) -> Number:
    last = np.arange(evidence.layers) == evidence.layers - 1
    accuracy, selectivity = (
        mean_of(evidence.facts("usability", f"tag.{name}"), last) for name in ("accuracy", "selectivity")
    )
    return [difference(accuracy, evidence.fact("usability", "tag.type")), selectivity]


_linear_1, _linear_2 = (lambda e, k=k: _linear(e)[k] for k in range(2))  # STUB


Q07 = Claim(
    id="Q07",
    title="Final features are linearly usable",
    statement="The last layer's features allow a simple linear classification.",
    paper=NOTES,
    section="opening",
    measure=(
        "Accuracy of a linear probe for word classes on the last layer, less that of naming the commonest class of the "
        "word; and less that of the same probe on a control task. Sentences that the probe did not see are resampled."
    ),
    needs="a treebank with word classes: fieldguide analyze MODEL",
    parts=(
        part(
            "Q07.1",
            "the lead of a linear probe over the commonest class of the word",
            "share",
            _linear_1,
            over="sentences",
        ),
        part("Q07.2", "the selectivity of the probe", "share", _linear_2, over="sentences"),
    ),
    published=tuple(
        f"hewitt_liang.pos.{probe}.{column}" for probe in ("linear", "mlp") for column in ("task", "control")
    ),
)
