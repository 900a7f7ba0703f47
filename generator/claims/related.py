"""Related work: norms, pruning, positional heads, trees, contextual vectors, sinks and gradients."""

import numpy as np

from generator.claims.claim import Bound, Claim, Part
from generator.claims.cutoffs import CLEAR_GAIN, SEED
from generator.claims.evidence import Evidence
from generator.claims.numbers import Number, difference, mean_of, mean_over
from generator.studies.layer_profiles import lowest_third
from generator.studies.maxima import CONFIDENT, MOST_ROWS

SINK = 0.3
WEAK = 0.5


def _special_norms(evidence: Evidence) -> list[Number | None]:
    columns = ["norm.cls", "norm.sep", "attention.cls", "attention.sep"]

    def ratio(norm_begin: np.ndarray, norm_end: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
        share: np.ndarray = (norm_begin + norm_end).mean((1, 2)) / (begin + end).mean((1, 2))
        return share

    everywhere = np.ones(evidence.layers, bool)
    correlation = mean_of(evidence.facts("norms", "frequency_norm.spearman"), everywhere)
    return [correlation, evidence.estimate(columns, ratio, SEED)]


R01 = Claim(
    id="R01",
    title="By norm, special tokens contribute little",
    statement="Counted by norm, special tokens contribute little; frequent words have smaller transformed vectors.",
    paper="Kobayashi et al. 2020",
    section="abstract; relation to word frequency",
    measure=(
        "Spearman's correlation of frequency rank with the mean norm of a type's transformed vectors, mean over "
        "layers, with a jackknife interval over documents; share of special tokens in the summed norms divided by "
        "their share of attention, means over all heads, documents resampled."
    ),
    needs="a begin token, a separator token, and the value and output projections of the model with the study of norms",
    parts=(
        Part(
            "the rank correlation of rarity and norm",
            "correlation",
            (Bound("above", 0),),
            "Smaller vectors of frequent words are a positive correlation; 0.75 is known from memory only.",
        ),
        Part(
            "the share of special tokens by norm divided by that by weight",
            "ratio",
            (Bound("below", 0.5),),
            "Little, contrary to what weights say: less than half of their weight.",
        ),
    ),
    judge=_special_norms,
    published=("kobayashi.spearman.norm", "kobayashi.spearman.weight"),
)


def _positional(evidence: Evidence) -> list[Number | None]:
    return [evidence.fact("maxima", "positional")]


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
        Part(
            "the number of positional heads",
            "heads",
            (Bound("above", 0),),
            "The statement is that there are such heads.",
        ),
    ),
    judge=_positional,
    published=("voita.positional.maxima", "voita.positional.weight"),
)


def _best_tree(evidence: Evidence) -> list[Number | None]:
    return [evidence.fact("trees", "uuas.best.gain")]


R04 = Claim(
    id="R04",
    title="No head gives good trees",
    statement="No single head yields trees that are clearly better than those of a trivial baseline.",
    paper="Htut et al. 2019",
    section="abstract",
    measure=(
        "Share of undirected links of the gold tree that are in a head's maximum spanning tree, less that in the chain "
        "of adjacent words. The best head is chosen on one half of the sentences; those of the other are resampled."
    ),
    needs="a treebank: fieldguide analyze MODEL",
    parts=(
        Part(
            "the gain of the best head's trees over the chain",
            "share",
            (Bound("below", CLEAR_GAIN),),
            "Clearly better is ten points or more, as for relations; the paper's gains are not known to us.",
            over="links",
        ),
    ),
    judge=_best_tree,
)


def _contextual(evidence: Evidence) -> list[Number | None]:
    explained, alike = (
        evidence.facts("contextuality", f"{name}.adjusted") for name in ("explained_variance", "self_similarity")
    )
    early = lowest_third(evidence.layers)
    upper = early[::-1]
    change = difference(mean_of(alike, upper), mean_of(alike, early)) if not (upper & early).any() else None
    return [mean_of(explained, np.ones(evidence.layers, bool)), change]


R05 = Claim(
    id="R05",
    title="Vectors of a word depend on its context",
    statement=(
        "The vectors of a word differ by context, more so in upper layers; a static vector explains little of them."
    ),
    paper="Ethayarajh 2019",
    section="abstract",
    measure=(
        "Variance of a word's vectors explained by one direction, less that of random vectors, mean over layers; mean "
        "cosine of a word's vectors, less that of random ones, in the upper third of layers less that in the lowest "
        "third. Word types are resampled; intervals of single layers are added up end to end."
    ),
    needs="the study of hidden states, a text in which words occur often enough, and more than one layer",
    parts=(
        Part(
            "the variance explained by a static vector",
            "share",
            (Bound("below", 0.05),),
            "The paper says less than 5 % on average.",
            over="word types",
        ),
        Part(
            "self-similarity in the upper third of layers less that in the lowest third",
            "cosine",
            (Bound("below", 0),),
            "More dependent on context means less alike.",
            over="word types",
        ),
    ),
    judge=_contextual,
    published=("ethayarajh.explained_variance.mean",),
)


def _sinks(evidence: Evidence) -> list[Number | None]:
    return [evidence.estimate(["sink.mass"], lambda mass: (mass.mean(-1) > SINK).mean(-1), SEED)]


R06 = Claim(
    id="R06",
    title="A sink collects attention in most layers",
    statement="In most layers one token collects much of the attention, whatever it is; in BERT it is [SEP].",
    paper="Xiao et al. 2023",
    section="appendix H",
    measure=(
        f"Share of layers in which the position that receives most attention gets more than {SINK} of it, mean over "
        "heads; the position is chosen for each document and head. Documents are resampled."
    ),
    needs="text that the model can read",
    parts=(
        Part(
            "the share of layers with a sink",
            "share",
            (Bound("above", 0.5),),
            "Most layers are more than half; 0.3 on one token of many is ours, the paper prints no number for BERT.",
        ),
    ),
    judge=_sinks,
    published=("xiao.first_token.layers",),
)


def _gradients(evidence: Evidence) -> list[Number | None]:
    agreement = evidence.head_facts("gradient", "tau.cls")
    return [mean_over(agreement.value.ravel(), SEED) if agreement else None]


R07 = Claim(
    id="R07",
    title="Attention is weakly related to gradients",
    statement="Attention weights are only weakly related to how much the output depends on them.",
    paper="Jain and Wallace 2019",
    section="abstract",
    measure=(
        "Kendall's tau between the weights of the begin token's row and the absolute gradients of the masked-LM loss "
        "on them, mean over heads; heads are resampled. The paper studies recurrent classifiers."
    ),
    needs="a begin token, and a masked-LM head with its gradients",
    parts=(
        Part(
            "the mean rank correlation of weights and gradients",
            "tau",
            (Bound("above", -WEAK), Bound("below", WEAK)),
            "Weak is less than half of full agreement, in either direction; the paper's values are not verified.",
            over="heads",
        ),
    ),
    judge=_gradients,
)
