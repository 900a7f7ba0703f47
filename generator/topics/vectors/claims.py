"""What Clark et al. 2019 say of the gradient on [SEP], and related work on contextual vectors and on gradients."""

import numpy as np

from generator.claims.claim import Claim, part, stored_part
from generator.claims.clark.position import CLARK
from generator.claims.evidence.evidence import Evidence
from generator.claims.gate.premises import attended
from generator.claims.missing import NO_LAYER, defined
from generator.claims.nameless import OF_ALL, OF_LAYERS, OF_THE_MODEL
from generator.numbers.depth import in_depth
from generator.numbers.number import Number, difference, mean_of
from generator.topics.learning.claims.before import before_training
from generator.topics.vectors.records.contextuality import CONTEXTUALITY
from generator.topics.vectors.records.gradients import GRADIENT

R05 = Claim(
    id="R05",
    title="Vectors of a word depend on its context",
    statement=(
        "The vectors of a word differ by context, more so in upper layers; a static vector explains little of them."
    ),
    paper="Ethayarajh 2019",
    section="abstract",
    measure=(
        "Variance of a word's vectors about their mean that one direction explains, computed as in the released code "
        "that gave the printed number, minus that of random words, mean over layers; by the paper's formula, which "
        "does not centre the vectors, it is much higher, and the page of phases shows both. And the mean cosine of a "
        "word's vectors, minus that of random ones, in the upper third of layers minus that in the lowest third. Word "
        "types and random words are resampled. It holds only where it says more than of the same model before training."
    ),
    needs=(
        "the study of hidden states, a text in which words occur often enough, more than one layer, and the model "
        "before its training: fieldguide curve RUN_OR_LIST"
    ),
    parts=(
        stored_part(
            "R05.3",
            "the variance explained by a static vector",
            CONTEXTUALITY,
            "explained_variance.centred.adjusted.mean",
            over="word types",
            null=before_training("R05.3"),
        ),
        stored_part(
            "R05.4",
            "self-similarity in the upper third of layers minus that in the lowest third",
            CONTEXTUALITY,
            "self_similarity.adjusted.rise",
            over="word types",
            null=before_training("R05.4"),
        ),
    ),
    published=("ethayarajh.explained_variance.mean",),
    numbers=(
        "claim/R05.3",
        "claim/R05.4",
        "contextuality/explained_variance.centred.adjusted.mean",
        "contextuality/self_similarity.adjusted.rise",
    ),
    nameless=OF_THE_MODEL,
)


R07 = Claim(
    id="R07",
    title="Attention is weakly related to gradients",
    statement="Attention weights are only weakly related to how much the output depends on them.",
    paper="Jain and Wallace 2019",
    section="abstract",
    measure=(
        "Kendall's tau between what hidden tokens attend to and how much the masked-LM loss depends on the embeddings "
        "of the attended tokens while attention is held fixed, over tokens of the text, as in the paper's code for its "
        "classifiers; and between the weights of the row of [CLS] and the absolute gradients of the loss by them. "
        "Means over heads; documents are resampled. It holds only where it says more than of the same model before "
        "training. The paper studies recurrent classifiers."
    ),
    needs=(
        "a [CLS] token, a masked-LM head with its gradients, and the model before its training: fieldguide curve "
        "RUN_OR_LIST"
    ),
    parts=(
        stored_part(
            "R07.2",
            "the mean rank correlation of weights and the importance of tokens",
            GRADIENT,
            "tau.input",
            null=before_training("R07.2"),
        ),
        stored_part(
            "R07.3",
            "the mean rank correlation of weights and their gradients",
            GRADIENT,
            "tau.cls",
            null=before_training("R07.3"),
        ),
    ),
    numbers=("claim/R07.2", "claim/R07.3", "gradient/tau.cls", "gradient/tau.input"),
    nameless=OF_ALL,
)

LATE = (5, 12)
"""The first and the last of BERT's layers in which the gradient on [SEP] is said to be small."""


def _late(layers: int) -> np.ndarray:
    return in_depth(layers, *LATE)


_LATE_SEPARATOR = attended("[SEP] in layers of relative depth 0.42 or more", ["attention.sep"], _late)


def _late_gradient(evidence: Evidence) -> Number:
    return defined(mean_of(evidence.facts("gradient", "ratio.sep"), _late(evidence.layers)), NO_LAYER)


def _gradient_falls(evidence: Evidence) -> Number:
    early = defined(mean_of(evidence.facts("gradient", "ratio.sep"), ~_late(evidence.layers)), NO_LAYER)
    return difference(_late_gradient(evidence), early)


C08 = Claim(
    id="C08",
    title="Attention to [SEP] hardly matters for the loss",
    statement=(
        "From layer 5 on, where [SEP] gets attention, the gradient of the loss on that attention becomes very small."
    ),
    paper=CLARK,
    section="3.2, Figure 3",
    measure=(
        "Mean absolute gradient of the masked-LM loss on weights to [SEP], divided by that on weights to other tokens; "
        "mean over the layers from relative depth 0.42 on, and that minus the mean of the layers before. Intervals of "
        "single layers are combined as if all erred in the worst direction. Nothing is judged where [SEP] does not get "
        "twice the attention that chance gives."
    ),
    needs=(
        "a masked-LM head with its gradients: fieldguide analyze MODEL, for a checkpoint that has one and in which "
        "[SEP] gets twice the attention that chance gives"
    ),
    parts=(
        part(
            "C08.3",
            "the ratio of the gradient on [SEP] to that on other tokens in layers of relative depth 0.42 or more",
            "ratio",
            _late_gradient,
            premises=(_LATE_SEPARATOR,),
        ),
        part(
            "C08.4",
            "the ratio of the gradient on [SEP] to that on other tokens in layers of relative depth 0.42 or more minus "
            "that before",
            "ratio",
            _gradient_falls,
            premises=(_LATE_SEPARATOR,),
        ),
    ),
    measures=("attention.sep",),
    numbers=("gradient/ratio.sep",),
    nameless=OF_LAYERS,
)


CLAIMS = (C08, R05, R07)
