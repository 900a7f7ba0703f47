"""The hypothesis of 2021 ("A Hypothesis about Learning Curve of BERT"): roles of special tokens, and three phases.

Its statements about separators, breadth and punctuation by layer are those of Clark et al. 2019, and judged there.
"""

import numpy as np
import pandas as pd

from generator.claims.claim import Claim, part
from generator.claims.clark_syntax import counted
from generator.claims.cutoffs import FEWEST_WORDS, SEED
from generator.claims.evidence import Evidence
from generator.claims.numbers import Number, difference, exact, mean_over, proportion
from generator.studies.layer_profiles import in_depth
from generator.studies.role_rules import FREQUENT

HYPOTHESIS = "The learning-curve hypothesis 2021"
PREFERRED = 2
"""Times the weight that chance gives, from which a separator takes attention that can be explained."""
SPECIAL = ("[CLS]", "[SEP]", "<s>", "</s>", ".", ",")
"""The outsiders: begin tokens, separators, and what the hypothesis calls loners."""


def _middle_relations(evidence: Evidence) -> Number:
    middle = in_depth(evidence.layers, 4, 9)
    inside = [bool(middle[item.layer - 1]) for item in counted(evidence) if item.gain.value > 0]
    return [proportion(sum(inside), len(inside))]


H01 = Claim(
    id="H01",
    title="Relation heads lie in the middle",
    statement="Heads that find dependency relations lie in layers 4 to 9.",
    paper=HYPOTHESIS,
    section="phase two",
    measure=(
        f"Share of relations with {FEWEST_WORDS} words or more whose best head, if it beats the best fixed offset, has "
        "relative depth 0.33 to 0.75; Wilson's interval over relations."
    ),
    needs=f"a treebank with relations of {FEWEST_WORDS} words or more: fieldguide analyze MODEL",
    parts=(
        part(
            "H01.1",
            "the share of relations whose best head lies in the middle layers",
            "share",
            _middle_relations,
            over="relations",
        ),
    ),
)


def _place(evidence: Evidence) -> Number:
    there, uniform = (evidence.fact("separators", f"base.{name}") for name in ("last", "uniform"))
    if there is None or uniform is None or there.low < PREFERRED * uniform.value:
        return [None]
    return [evidence.fact("separators", "swapped.lead")]


H02 = Claim(
    id="H02",
    title="Separators are preferred because they stay in place",
    statement="[SEP] rather than punctuation takes attention that does nothing, because its place is fixed.",
    paper=HYPOTHESIS,
    section="phase two",
    measure=(
        "The last separator and a period or comma of the text change places: weight of the mark, which then stands at "
        "the end, less that of the separator, from the text's tokens, mean over heads and layers; documents are "
        "resampled."
    ),
    needs="a separator that gets twice the attention that chance gives, and text with periods or commas",
    parts=(
        part(
            "H02.1",
            "the weight of a mark in the separator's place less that of the separator elsewhere",
            "share",
            _place,
        ),
    ),
)


def _nothing(evidence: Evidence) -> Number:
    return [evidence.fact("no-op", "lead")]


H11 = Claim(
    id="H11",
    title="Attention to separators does nothing",
    statement="[SEP] takes the attention of tokens that have nothing to look for, so that it changes nothing.",
    paper=HYPOTHESIS,
    section="phase two",
    measure=(
        "Rise of the masked-LM loss when no token attends to separators in any layer, less half of the rise when none "
        "attends to random words of the text that together get as much attention; for the same hidden words, documents "
        "are resampled."
    ),
    needs="a masked-LM head, and separators that get no more attention than all words",
    parts=(
        part(
            "H11.1",
            "the rise of the loss without separators less half of that without words of equal weight",
            "nats",
            _nothing,
        ),
    ),
)


def _near_words(evidence: Evidence) -> Number:
    return [evidence.fact("occlusion", name) for name in ("slope", "span.gain")]


H03 = Claim(
    id="H03",
    title="Masked words are predicted from near words of the same part",
    statement="For a masked word, near words of the same part of the sentence matter most.",
    paper=HYPOTHESIS,
    section="phase three",
    measure=(
        "How much less likely a masked word becomes when another token is hidden, too: Spearman's correlation with the "
        "distance, and tokens of the same stretch between punctuation marks less others at the same distance from the "
        "same word; documents are resampled."
    ),
    needs="a masked-LM head",
    parts=(
        part("H03.1", "the rank correlation of a token's use with its distance", "correlation", _near_words_1),
        part("H03.2", "the use of tokens of the same part less that of others as near", "nats", _near_words_2),
    ),
)


def _outsiders(evidence: Evidence) -> Number:
    roles = evidence.roles()
    if roles is None or not roles["token"].isin(SPECIAL).any():
        return [None, None, None]
    types = roles.groupby("token").mean(numeric_only=True)
    special = types.index.isin(SPECIAL)
    others = ~special & (types["rank"] <= FREQUENT)
    beside = types[["next_entropy", "previous_entropy"]].mean(axis=1)

    def lead(entropy: pd.Series) -> Number | None:
        first, second = (mean_over(entropy.to_numpy()[np.asarray(side)], SEED) for side in (special, others))
        return difference(first, second)

    last = exact(float(types.loc[special, "rank"].max()), int(special.sum()))
    return [lead(beside), lead(types["attended_by_entropy"]), last]


H04 = Claim(
    id="H04",
    title="Special tokens are frequent outsiders",
    statement="[CLS], [SEP], periods and commas are frequent, but without constant relations to particular tokens.",
    paper=HYPOTHESIS,
    section="special part of speech",
    measure=(
        "Of these tokens and of the other types among the 20 commonest: entropy of the neighbours in the text, mean of "
        "both sides, and entropy over who attends to a type, mean over layers; types are resampled, intervals of both "
        "are added up end to end. The rank by frequency is counted."
    ),
    needs="the roles of frequent token types, special tokens among them",
    parts=(
        part(
            "H04.1",
            "neighbour entropy of special tokens less that of other frequent types",
            "nats",
            _outsiders_1,
            over="token types",
        ),
        part(
            "H04.2",
            "entropy of who attends to special tokens less that of other frequent types",
            "nats",
            _outsiders_2,
            over="token types",
        ),
        part("H04.3", "the lowest rank by frequency of a special token", "rank", _outsiders_3, over="token types"),
    ),
)
