"""Kovaleva et al. 2019, section 4.1 to 4.5, as far as a model that was not fine-tuned can decide it."""

import numpy as np
from scipy.spatial.distance import squareform

from generator.claims.claim import Claim, part
from generator.claims.cutoffs import MAINLY, SEED
from generator.claims.evidence import Evidence
from generator.claims.numbers import Number, mean_in, proportion, rank_correlation
from generator.studies.layer_profiles import lowest_third

KOVALEVA = "Kovaleva et al. 2019"
STRONG = 0.5
DOUBLE = 0.5
"""Share of the mean divergence between heads below which two heads are doubles."""


def _special_heads(evidence: Evidence) -> Number:
    columns = ["attention.cls", "attention.sep"]
    return [evidence.estimate(columns, lambda begin, end: (begin + end > MAINLY).mean((1, 2)), SEED)]


_special_heads_1 = lambda e: _special_heads(e)[0]  # STUB


K03 = Claim(
    id="K03",
    title="A third of the heads attend to special tokens only",
    statement="At least one head in three just attends to the special tokens.",
    paper=KOVALEVA,
    section="4.1; the authors' blog post",
    measure=(
        f"Share of heads whose mean attention to begin token and separators together is above {MAINLY}; documents are "
        "resampled. The paper counts maps of fine-tuned models that look vertical."
    ),
    needs="a begin token and a separator token",
    parts=(part("K03.1", "the share of heads that attend mainly to special tokens", "share", _special_heads_1),),
    published=("kovaleva.blog.vertical", "kovaleva.patterns.vertical"),
)


def _begin_then_separator(evidence: Evidence) -> Number:
    columns, early = ["attention.cls", "attention.sep"], lowest_third(evidence.layers)
    return [
        evidence.estimate(columns, lambda begin, end: mean_in(begin - end, early), SEED),
        evidence.estimate(columns, lambda begin, end: mean_in(end - begin, ~early), SEED),
    ]


_begin_then_separator_1, _begin_then_separator_2 = (
    lambda e, k=k: _begin_then_separator(e)[k] for k in range(2)
)  # STUB


K10 = Claim(
    id="K10",
    title="First the begin token, then the separators",
    statement="Early layers attend more to [CLS], later layers more to [SEP].",
    paper=KOVALEVA,
    section="4.4",
    measure=(
        "Attention to the begin token less that to the separators, mean over the heads of the lowest third of layers, "
        "and the reverse for the other layers, on plain text; documents are resampled. The paper takes the larger "
        "separator, and finds it in every task."
    ),
    needs="a begin token, a separator token, and more than one layer",
    parts=(
        part(
            "K10.1",
            "attention to the begin token less that to separators in the lowest third of layers",
            "share",
            _begin_then_separator_1,
        ),
        part(
            "K10.2",
            "attention to separators less that to the begin token in the other layers",
            "share",
            _begin_then_separator_2,
        ),
    ),
    published=tuple(f"kovaleva.qqp.{name}.{layer}" for name in ("cls", "sep") for layer in range(1, 13)),
)


def _diagonal_links(evidence: Evidence) -> Number:
    diagonal = (evidence.mean("attention.previous") + evidence.mean("attention.next")).ravel()
    links = (evidence.head_facts("words", f"link.{name}") for name in ("verb_subject", "noun_pronoun"))
    return [rank_correlation(link.value.ravel(), diagonal, SEED) if link else None for link in links]


_diagonal_links_1 = lambda e: _diagonal_links(e)[0]  # STUB


_diagonal_links_1, _diagonal_links_2 = (lambda e, k=k: _diagonal_links(e)[k] for k in range(2))  # STUB


K13 = Claim(
    id="K13",
    title="Heads that link verbs and subjects look next door",
    statement=(
        "Heads that link verbs with subjects, or nouns with pronouns, are those that attend to neighbouring tokens."
    ),
    paper=KOVALEVA,
    section="4.5",
    measure=(
        "Spearman's correlation over heads of the largest weight between such words with the attention to previous and "
        "next token; heads are resampled."
    ),
    needs="a treebank with verbs, subjects, nouns and pronouns: fieldguide analyze MODEL",
    parts=(
        part(
            "K13.1",
            "the rank correlation of verb-subject links with attention to neighbours",
            "correlation",
            _diagonal_links_1,
            over="heads",
        ),
        part(
            "K13.2",
            "the rank correlation of noun-pronoun links with attention to neighbours",
            "correlation",
            _diagonal_links_2,
            over="heads",
        ),
    ),
)


def _doubles(evidence: Evidence) -> Number:
    divergence = evidence.divergence()
    if divergence is None or not divergence.any():
        return [None]
    distance = squareform(divergence)
    np.fill_diagonal(distance, np.inf)
    nearest = distance.min(axis=1)
    return [proportion(int((nearest < DOUBLE * divergence.mean()).sum()), len(nearest))]


_doubles_1 = lambda e: _doubles(e)[0]  # STUB


K18 = Claim(
    id="K18",
    title="Heads repeat each other",
    statement="The model is redundant: the same pattern repeats over heads.",
    paper=KOVALEVA,
    section="6",
    measure=(
        "Share of heads whose nearest other head, by Jensen-Shannon divergence of their maps, is less than half as far "
        "as two heads are in the mean; Wilson's interval over heads."
    ),
    needs="the distances between heads",
    parts=(part("K18.1", "the share of heads that have a double", "share", _doubles_1, over="heads"),),
)


def _single(evidence: Evidence) -> Number:
    return [evidence.fact("separators", "single.gain")]


_single_1 = lambda e: _single(e)[0]  # STUB


K11 = Claim(
    id="K11",
    title="A single separator takes more weight",
    statement="Inputs of one sentence give their single [SEP] more weight than pairs give either of theirs.",
    paper=KOVALEVA,
    section="4.4",
    measure=(
        "Mean weight on the separator that a head looks at most, with both paragraphs read as one segment, less the "
        "same with the paragraphs apart; mean over heads and layers, documents resampled. The paper compares tasks, "
        "whose texts differ."
    ),
    needs="a separator token, and text in pairs of paragraphs",
    parts=(part("K11.1", "the weight of a single separator less that of the larger of two", "share", _single_1),),
)
