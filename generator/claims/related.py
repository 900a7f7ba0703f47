"""Related work: norms, pruning, positional heads, trees, contextual vectors, sinks and gradients.

What each statistic was compared with in its source stands in `docs/ported-statistics.md`.
"""

from functools import partial

import numpy as np

from generator.claims.bounds import cutoff
from generator.claims.claim import Claim, part
from generator.claims.cutoffs import SEED
from generator.claims.evidence import Evidence
from generator.claims.numbers import Number
from generator.studies.maxima import CONFIDENT, MOST_ROWS

SINK = cutoff("sink")


def _fact(evidence: Evidence, study: str, name: str) -> Number:
    return evidence.fact(study, name)


def _special_norms(evidence: Evidence) -> Number:
    columns = ["norm.cls", "norm.sep", "attention.cls", "attention.sep"]

    def ratio(norm_begin: np.ndarray, norm_end: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
        share: np.ndarray = (norm_begin + norm_end).mean((1, 2)) / (begin + end).mean((1, 2))
        return share

    return evidence.estimate(columns, ratio, SEED)


R01 = Claim(
    id="R01",
    title="By norm, special tokens contribute little",
    statement="Counted by norm, special tokens contribute little; frequent words have smaller transformed vectors.",
    paper="Kobayashi et al. 2020",
    section="abstract; relation to word frequency",
    measure=(
        "Spearman's correlation over tokens of the frequency rank of their type with the norm of their transformed "
        "vectors, mean over heads and layers, with a jackknife interval over documents, as in the paper's code; ranks "
        "are those of the text that is read. Share of special tokens in the summed norms divided by their share of "
        "attention, means over all heads, documents resampled; the paper shows both sums, not their ratio."
    ),
    needs="a begin token, a separator token, and the value and output projections of the model with the study of norms",
    parts=(
        part(
            "R01.3",
            "the rank correlation of rarity and norm over tokens",
            "correlation",
            partial(_fact, study="norms", name="frequency_norm.tokens.spearman"),
        ),
        part("R01.2", "the share of special tokens by norm divided by that by weight", "ratio", _special_norms),
    ),
    published=("kobayashi.spearman.norm", "kobayashi.spearman.weight"),
)


R03 = Claim(
    id="R03",
    title="Positional heads are confident",
    statement="There are positional heads, whose maxima lie at one neighbouring position and carry most of the weight.",
    paper="Voita et al. 2019",
    section="criteria of positional heads",
    measure=(
        f"Number of heads with at least {MOST_ROWS} of their maxima on the previous token, or as many on the next, "
        f"whose largest weights are above {CONFIDENT} in the mean, last query left out; documents are resampled and "
        "heads counted again."
    ),
    needs="text that the model can read, with the study of maxima",
    parts=(
        part("R03.1", "the number of positional heads", "heads", partial(_fact, study="maxima", name="positional")),
    ),
    published=("voita.positional.maxima", "voita.positional.weight"),
)


R04 = Claim(
    id="R04",
    title="No head gives good trees",
    statement="No single head yields trees that are clearly better than those of a trivial baseline.",
    paper="Htut et al. 2019",
    section="abstract",
    measure=(
        "Share of undirected links of the gold tree that are in a head's maximum spanning tree, minus that in the "
        "chain of adjacent words; with edges from a word to those it attends to, as in the paper, and to those that "
        "attend to it. The best head is chosen on one half of the sentences; those of the other are resampled."
    ),
    needs="a treebank: fieldguide analyze MODEL",
    parts=(
        part(
            "R04.2",
            "the gain of the best head's trees over the chain, edges to attended words",
            "share",
            partial(_fact, study="trees", name="uuas.to_dependents.best.gain"),
            over="links",
        ),
        part(
            "R04.1",
            "the gain of the best head's trees over the chain, edges to attending words",
            "share",
            partial(_fact, study="trees", name="uuas.best.gain"),
            over="links",
        ),
    ),
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
        "Share of the variance of a word's vectors about their mean that lies along their first singular direction, "
        "minus that of a thousand random words, mean over layers: what the paper's code computed when it gave the "
        "printed 5 %. By the paper's formula, which does not subtract the mean, the share is far larger; the model's "
        "page on layers shows both. Mean cosine of a word's vectors, minus that of random words, in the upper third of "
        "layers minus that in the lowest third. Word types are resampled, and random words, all layers together."
    ),
    needs="the study of hidden states, a text in which words occur often enough, and more than one layer",
    parts=(
        part(
            "R05.3",
            "the variance explained by a static vector",
            "share",
            partial(_fact, study="contextuality", name="explained_variance.centred.adjusted.mean"),
            over="word types",
        ),
        part(
            "R05.4",
            "self-similarity in the upper third of layers minus that in the lowest third",
            "cosine",
            partial(_fact, study="contextuality", name="self_similarity.adjusted.rise"),
            over="word types",
        ),
    ),
    published=("ethayarajh.explained_variance.mean",),
)


R06 = Claim(
    id="R06",
    title="A sink collects attention in most layers",
    statement="In most layers one token collects much of the attention, whatever it is; in BERT it is [SEP].",
    paper="Xiao et al. 2023",
    section="appendix H",
    measure=(
        f"Share of layers in which the position that receives most attention from all heads together gets more than "
        f"{SINK} of it; the position is chosen in every input. Documents are resampled and layers counted again."
    ),
    needs="text that the model can read",
    parts=(part("R06.2", "the share of layers with a sink", "share", partial(_fact, study="sinks", name="layers")),),
    published=("xiao.first_token.layers",),
)


R07 = Claim(
    id="R07",
    title="Attention is weakly related to gradients",
    statement="Attention weights are only weakly related to how much the output depends on them.",
    paper="Jain and Wallace 2019",
    section="abstract",
    measure=(
        "Kendall's tau between what hidden tokens attend to and how much the masked-LM loss depends on the embeddings "
        "of those tokens while attention is held fixed, over tokens of the text, as in the paper's code for its "
        "classifiers; and between the weights of the begin token's row and the absolute gradients of the loss by them. "
        "Means over heads; documents are resampled. The paper studies recurrent classifiers."
    ),
    needs="a begin token, and a masked-LM head with its gradients",
    parts=(
        part(
            "R07.2",
            "the mean rank correlation of weights and the importance of tokens",
            "tau",
            partial(_fact, study="gradient", name="tau.input"),
        ),
        part(
            "R07.3",
            "the mean rank correlation of weights and their gradients",
            "tau",
            partial(_fact, study="gradient", name="tau.cls"),
        ),
    ),
)
