"""Related work: norms, pruning, positional heads, trees, contextual vectors, sinks and gradients."""

import numpy as np

from generator.claims.claim import Claim, part
from generator.claims.cutoffs import SEED
from generator.claims.evidence import Evidence
from generator.claims.numbers import Number, difference, mean_of, mean_over
from generator.studies.layer_profiles import lowest_third
from generator.studies.maxima import CONFIDENT, MOST_ROWS

SINK = 0.3
WEAK = 0.5


def _special_norms(evidence: Evidence) -> Number:
    columns = ["norm.cls", "norm.sep", "attention.cls", "attention.sep"]

    def ratio(norm_begin: np.ndarray, norm_end: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
        share: np.ndarray = (norm_begin + norm_end).mean((1, 2)) / (begin + end).mean((1, 2))
        return share

    everywhere = np.ones(evidence.layers, bool)
    correlation = mean_of(evidence.facts("norms", "frequency_norm.spearman"), everywhere)
    return [correlation, evidence.estimate(columns, ratio, SEED)]


_special_norms_1, _special_norms_2 = (lambda e, k=k: _special_norms(e)[k] for k in range(2))  # STUB


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
        part("R01.1", "the rank correlation of rarity and norm", "correlation", _special_norms_1),
        part("R01.2", "the share of special tokens by norm divided by that by weight", "ratio", _special_norms_2),
    ),
    published=("kobayashi.spearman.norm", "kobayashi.spearman.weight"),
)


def _positional(evidence: Evidence) -> Number:
    return [evidence.fact("maxima", "positional")]


_positional_1 = lambda e: _positional(e)[0]  # STUB


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
    parts=(part("R03.1", "the number of positional heads", "heads", _positional_1),),
    published=("voita.positional.maxima", "voita.positional.weight"),
)


def _best_tree(evidence: Evidence) -> Number:
    return [evidence.fact("trees", "uuas.best.gain")]


_best_tree_1 = lambda e: _best_tree(e)[0]  # STUB


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
    parts=(part("R04.1", "the gain of the best head's trees over the chain", "share", _best_tree_1, over="links"),),
)


def _contextual(evidence: Evidence) -> Number:
    explained, alike = (
        evidence.facts("contextuality", f"{name}.adjusted") for name in ("explained_variance", "self_similarity")
    )
    early = lowest_third(evidence.layers)
    upper = early[::-1]
    change = difference(mean_of(alike, upper), mean_of(alike, early)) if not (upper & early).any() else None
    return [mean_of(explained, np.ones(evidence.layers, bool)), change]


_contextual_1, _contextual_2 = (lambda e, k=k: _contextual(e)[k] for k in range(2))  # STUB


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
        part("R05.1", "the variance explained by a static vector", "share", _contextual_1, over="word types"),
        part(
            "R05.2",
            "self-similarity in the upper third of layers less that in the lowest third",
            "cosine",
            _contextual_2,
            over="word types",
        ),
    ),
    published=("ethayarajh.explained_variance.mean",),
)


def _sinks(evidence: Evidence) -> Number:
    return [evidence.estimate(["sink.mass"], lambda mass: (mass.mean(-1) > SINK).mean(-1), SEED)]


_sinks_1 = lambda e: _sinks(e)[0]  # STUB


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
    parts=(part("R06.1", "the share of layers with a sink", "share", _sinks_1),),
    published=("xiao.first_token.layers",),
)


def _gradients(evidence: Evidence) -> Number:
    agreement = evidence.head_facts("gradient", "tau.cls")
    return [mean_over(agreement.value.ravel(), SEED) if agreement else None]


_gradients_1 = lambda e: _gradients(e)[0]  # STUB


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
    parts=(part("R07.1", "the mean rank correlation of weights and gradients", "tau", _gradients_1, over="heads"),),
)
