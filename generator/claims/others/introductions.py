"""Two introductions to BERT: about types, fine-tuning, segments, masks, vocabulary, answers and final features."""

from functools import partial

import numpy as np

from generator.claims.bounds import cutoff
from generator.claims.claim import NOT_TUNED, OF_ALL, OF_THE_MODEL, Claim, part, stored_part
from generator.claims.evidence.evidence import Evidence
from generator.claims.evidence.tasks import FINE_TUNED, RANDOM, ahead, called, tuned_copies
from generator.claims.gate.premises import before_training
from generator.claims.missing import NO_LAYER, ByConstruction, Impossible, NotTestable, defined
from generator.claims.published import published
from generator.numbers.number import Number, alone, exact, mean_of
from generator.numbers.writing import number, percent
from generator.topics.inputs.records.inputs import MANIPULATIONS

NOTES = "Feinberg 2019"
ANSWER = "McCarthy 2021"


def _rows_per_type(_: Evidence) -> Number:
    raise ByConstruction("a token enters the network with the row of its type, in every such model")


Q01 = Claim(
    id="Q01",
    title="Parameters belong to types, not to tokens",
    statement="There are parameters for every word type and none for single tokens.",
    paper=ANSWER,
    section="answer",
    measure=(
        "Rows of the input embedding divided by the pieces of the vocabulary would be counted; but a token enters the "
        "network with the row of its type whatever was trained, so nothing can be learned from it."
    ),
    needs="the embedding matrix of the model",
    parts=(
        part(
            "Q01.1", "the number of embedding rows per piece of the vocabulary", "ratio", _rows_per_type, over="model"
        ),
    ),
    nameless=OF_THE_MODEL,
    never=dict.fromkeys(("holds", "fails", "inconclusive"), "it could not be otherwise, whatever the model does"),
)


def _distances(evidence: Evidence) -> Number:
    ratios, behind = {}, []
    for study, task in tuned_copies(evidence):
        lead = ahead(evidence, task, FINE_TUNED, RANDOM)
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
    statement=(
        "A good setting for pre-training is suspected to be close to a good one for the task, so fine-tuned weights "
        "should stay near."
    ),
    paper=ANSWER,
    section="answer",
    measure=(
        "Distance of all fine-tuned from the pre-trained weights, divided by that of a random initialisation from "
        "them; the highest among checkpoints that learned their task, and learned it surely better than the same "
        "training from random weights does."
    ),
    needs="a fine-tuned checkpoint beside the pre-trained one: fieldguide finetune, then fieldguide compare",
    parts=(
        part(
            "Q02.2",
            "the distance from pre-trained to fine-tuned weights divided by that to random ones",
            "ratio",
            _distances,
            over="fine-tuned copies",
        ),
    ),
    numbers=(
        "compare/copy",
        "compare/score*",
        "compare/weights.distance",
        "compare/weights.random",
        "scores/*.pretrained.fine-tuned.minus.random.fine-tuned",
    ),
    nameless=OF_THE_MODEL,
    never={"inconclusive": "distances between weights are exact numbers and have no interval"},
    unfollowed=NOT_TUNED,
)


Q03 = Claim(
    id="Q03",
    title="Segment embeddings are redundant",
    statement="Segment embeddings are seemingly redundant beside position embeddings.",
    paper=NOTES,
    section="conclusions",
    measure=(
        "Rise of the masked-LM loss when all segment ids are 0, and Jensen-Shannon divergence between the rows of the "
        "maps with and without them, mean over heads; documents are resampled. It holds only where it says more than "
        "of the same model before training."
    ),
    needs="segment embeddings, a masked-LM head, and the model before its training: fieldguide curve RUN_OR_LIST",
    parts=(
        stored_part(
            "Q03.1",
            "the rise of the loss without segments",
            MANIPULATIONS,
            "segments.zero.loss",
            null=before_training("Q03.1"),
        ),
        stored_part(
            "Q03.2",
            "the change of maps without segments",
            MANIPULATIONS,
            "segments.zero.js",
            null=before_training("Q03.2"),
        ),
    ),
    numbers=(
        "claim/Q03.1",
        "claim/Q03.2",
        "manipulations/segments.zero.js",
        "manipulations/segments.zero.loss",
    ),
    nameless=OF_ALL,
)


def _pieces(evidence: Evidence) -> Number:
    pieces = evidence.fact("model", "vocabulary").value
    if pieces not in {published(f"bert.vocabulary.{of}").value for of in ("uncased", "cased")}:
        raise Impossible(f"its {number(pieces)} pieces are not those of BERT, but were chosen for it")
    return exact(pieces, 1)


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
    parts=(stored_part("Q04.1", "the change of maps when words are masked", MANIPULATIONS, "masks.15.js"),),
    published=("bert.masking.chosen", "bert.masking.mask"),
    numbers=("manipulations/masks.15.js",),
    nameless=OF_ALL,
)


Q05 = Claim(
    id="Q05",
    title="The vocabulary has 33 thousand pieces",
    statement="The vocabulary has about 33 thousand word pieces.",
    paper=NOTES,
    section="training",
    measure="Entries of the tokenizer's vocabulary, if it is that of BERT, cased or uncased; counted.",
    needs="a tokenizer with the vocabulary of BERT",
    parts=(part("Q05.1", "the number of pieces", "pieces", _pieces, over="model"),),
    published=("s002.vocabulary.claimed", "bert.vocabulary.uncased", "bert.vocabulary.cased"),
    comparable=("s002.vocabulary.claimed", "bert.vocabulary.uncased", "bert.vocabulary.cased"),
    numbers=("model/vocabulary",),
    nameless=OF_THE_MODEL,
    never={
        "holds": "the two vocabularies of BERT, which are all that it is about, have fewer pieces",
        "inconclusive": "pieces are counted, and a count has no interval",
    },
)
TRAINED = cutoff("trained")


def _reversed(evidence: Evidence) -> Number:
    right = evidence.fact("answers", "exact")
    if not right.low > TRAINED:
        raise NotTestable(
            f"the head finds {percent(right, against=(TRAINED,))} of the answers, not surely more than "
            f"{percent(alone(TRAINED))}: it was not trained"
        )
    return evidence.fact("answers", "reversed")


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
        part("Q06.1", "the share of questions whose end lies before its start", "share", _reversed, over="questions"),
    ),
    numbers=("answers/exact", "answers/reversed"),
    nameless=OF_THE_MODEL,
    never={"fails": "that something may happen is not refuted by cases in which it does not"},
)


def _last_layer(evidence: Evidence, name: str) -> Number:
    last = np.arange(evidence.layers) == evidence.layers - 1
    return defined(mean_of(evidence.facts("usability", f"tag.{name}"), last), NO_LAYER)


Q07 = Claim(
    id="Q07",
    title="Final features are linearly usable",
    statement="The last layer's features may be ready for a simple linear classification.",
    paper=NOTES,
    section="opening",
    measure=(
        "Accuracy of a linear probe for word classes on the last layer, minus that of naming the commonest class of "
        "the word; and minus that of the same probe on a control task. Sentences that the probe did not see are "
        "resampled."
    ),
    needs="a treebank with word classes: fieldguide analyze MODEL",
    parts=(
        part(
            "Q07.3",
            "the lead of a linear probe over the commonest class of the word",
            "share",
            partial(_last_layer, name="lead"),
            over="sentences",
        ),
        part(
            "Q07.2", "the selectivity of the probe", "share", partial(_last_layer, name="selectivity"), over="sentences"
        ),
    ),
    numbers=("usability/tag.lead", "usability/tag.selectivity"),
    nameless=OF_THE_MODEL,
)

CLAIMS = (Q01, Q02, Q03, Q04, Q05, Q06, Q07)
