"""Related work: norms, pruning, positional heads, trees, contextual vectors, sinks and gradients.

What each statistic was compared with in its source stands in `docs/ported-statistics.md`.
"""

from collections.abc import Callable

import numpy as np

from generator.claims.claim import OF_ALL, OF_THE_MODEL, Claim, part, stored_part
from generator.claims.cutoffs import SEED
from generator.claims.evidence.evidence import Evidence
from generator.claims.gate.premises import attended, before_training
from generator.claims.missing import NotTestable
from generator.numbers.number import Number
from generator.numbers.simultaneous import widened
from generator.topics.relations.records.trees import TREES
from generator.topics.tokens.records.tokens import CONFIDENT, MOST_ROWS, NORMS
from generator.topics.vectors.records.contextuality import CONTEXTUALITY
from generator.topics.vectors.records.gradients import GRADIENT


def _special_by_norm(evidence: Evidence) -> Number:
    columns = ["norm.cls", "norm.sep", "attention.cls", "attention.sep"]

    def ratio(norm_begin: np.ndarray, norm_end: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
        share: np.ndarray = (norm_begin + norm_end).mean((1, 2)) / (begin + end).mean((1, 2))
        return share

    return evidence.estimate(columns, ratio, SEED)


_SPECIAL_ATTENDED = attended(
    "[CLS] and [SEP]", ["attention.cls", "attention.sep"], lambda layers: np.ones(layers, bool)
)


R01 = Claim(
    id="R01",
    title="By norm, rare words contribute much and special tokens little",
    statement="Counted by norm, special tokens contribute little; frequent words have smaller transformed vectors.",
    paper="Kobayashi et al. 2020",
    section="abstract; relation to word frequency",
    measure=(
        "Spearman's correlation of frequency rank with the norm of transformed vectors, over tokens and with the mean "
        "over layers taken first, as in the released code, with a jackknife interval over documents; share of special "
        "tokens in the summed norms divided by their share of attention, means over all heads, documents resampled. "
        "That frequent words have smaller vectors is known to us from memory alone. The second number needs special "
        "tokens that get twice the attention that chance gives."
    ),
    needs=(
        "a [CLS] and a [SEP] that get twice the attention that chance gives, and the value and output projections of "
        "the model with the study of norms"
    ),
    parts=(
        stored_part(
            "R01.3",
            "the rank correlation of rarity and norm",
            NORMS,
            "frequency_norm.tokens.spearman",
        ),
        part(
            "R01.2",
            "the share of special tokens counted by norm divided by their share counted by weight",
            "ratio",
            _special_by_norm,
            premises=(_SPECIAL_ATTENDED,),
        ),
    ),
    published=("kobayashi.spearman.norm", "kobayashi.spearman.weight"),
    comparable=("kobayashi.spearman.norm",),
    measures=("norm.cls", "norm.sep", "attention.cls", "attention.sep"),
    numbers=("norms/frequency_norm.tokens.spearman",),
    nameless=OF_ALL,
)


def _positional(evidence: Evidence) -> Number:
    """How positional the most positional head is: 1 or more if it meets both criteria of the paper.

    A head's value is the smaller of two shares: how often its largest weight is on one neighbour, and its confidence,
    each divided by what the paper asks for. The interval allows for the number of heads.
    """
    previous, following, confidence = (
        evidence.head_facts("maxima", name) for name in ("previous", "next", "confidence")
    )
    rows = np.fmax(previous.value, following.value) / MOST_ROWS
    found = np.fmin(rows, confidence.value / CONFIDENT)
    if np.isnan(found).all():
        raise NotTestable("no row has a largest weight that could be placed")
    layer, head = np.unravel_index(np.nanargmax(found), found.shape)
    place = int(layer), int(head)
    evidence.named.append((place[0] + 1, place[1] + 1))
    side = previous if previous.value[place] >= following.value[place] else following
    both = _as_share(side.at(*place), MOST_ROWS), _as_share(confidence.at(*place), CONFIDENT)
    weaker = min(both, key=lambda number: number.value)
    return widened(weaker, found.size)


def _as_share(number: Number, asked: float) -> Number:
    return Number(number.value / asked, number.low / asked, number.high / asked, number.n)


R03 = Claim(
    id="R03",
    title="Positional heads are confident",
    statement="There are positional heads, whose maxima lie at one neighbouring position and carry most of the weight.",
    paper="Voita et al. 2019",
    section="criteria of positional heads",
    measure=(
        f"Of the head that comes closest: its share of maxima on the previous token, or on the next, divided by "
        f"{MOST_ROWS}, or its mean largest weight divided by {CONFIDENT}, whichever is lower; last query left out. "
        "Documents are resampled, and the interval allows for all heads tried. The paper's heads are those of a "
        "translation encoder."
    ),
    needs="text that the model can read, with the study of maxima",
    parts=(
        part(
            "R03.2",
            "the weaker of the two scores of the most positional head divided by the score that is asked for",
            "ratio",
            _positional,
        ),
    ),
    published=("voita.positional.maxima", "voita.positional.weight"),
    numbers=("maxima/confidence", "maxima/next", "maxima/previous"),
    which="closest to both criteria",
)


def _best_trees(reading: str) -> Callable[[Evidence], Number]:
    best = f"{reading}.best"
    return lambda evidence: evidence.of_chosen(TREES.name, f"{best}.gain", best)


R04 = Claim(
    id="R04",
    title="No head gives good trees",
    statement="No single head yields trees that are clearly better than those of a trivial baseline.",
    paper="Htut et al. 2019",
    section="abstract",
    measure=(
        "Share of undirected links of the gold tree that are in a head's maximum spanning tree, minus that in the "
        "chain of adjacent words; with edges from a word to those it attends to, as in the paper, and to those that "
        "attend to it. The best head is chosen on one half of the sentences; those of the other half are resampled. It "
        "holds only where it says more than of the same model before training."
    ),
    needs="a treebank: fieldguide analyze MODEL; and the model before its training: fieldguide curve RUN_OR_LIST",
    parts=(
        part(
            "R04.2",
            "the gain of the best head's trees with edges to attended words over the chain of adjacent words",
            TREES.quantity("uuas.to_dependents.best.gain").unit,
            _best_trees("uuas.to_dependents"),
            over="links",
            null=before_training("R04.2"),
        ),
        part(
            "R04.1",
            "the gain of the best head's trees with edges to attending words over the chain of adjacent words",
            TREES.quantity("uuas.best.gain").unit,
            _best_trees("uuas"),
            over="links",
            null=before_training("R04.1"),
        ),
    ),
    numbers=("claim/R04.1", "claim/R04.2", "trees/uuas.best.*", "trees/uuas.to_dependents.best.*"),
    which="with the best trees, by either direction of edges, on the other half of the sentences",
)


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


def _middle_sink(evidence: Evidence) -> Number:
    """The largest sink weight that more than half of the layers reach: it decides whether most layers have a sink."""
    shared = evidence.facts("sinks", "shared")
    order = np.argsort(-shared.value, kind="stable")
    return shared.at(int(order[evidence.layers // 2]))


R06 = Claim(
    id="R06",
    title="A sink collects attention in most layers",
    statement="In most layers one token collects much of the attention, whatever it means.",
    paper="Xiao et al. 2023",
    section="appendix H",
    measure=(
        "Weight on the position that receives most, which is chosen in every input, mean over the queries and heads of "
        "a layer; of the layer that decides whether most layers have as much. Documents are resampled. The paper "
        "reports [SEP] for BERT and prints no number; which token it is does not count here."
    ),
    needs="text that the model can read",
    parts=(
        part(
            "R06.2", "the attention to a single position that more than half of the layers reach", "share", _middle_sink
        ),
    ),
    numbers=("sinks/shared",),
    nameless="the token is one that the heads of a layer look at together",
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

CLAIMS = (R01, R03, R04, R05, R06, R07)
