"""The hypothesis of 2021 ("A Hypothesis about Learning Curve of BERT"): roles of special tokens, and three phases.

Its statements about separators, breadth and punctuation by layer are those of Clark et al. 2019, and judged there.
"""

import numpy as np
import pandas as pd

from generator.claims.claim import Claim, part, stored_part
from generator.claims.cutoffs import FEWEST_WORDS, SEED
from generator.claims.evidence.evidence import Evidence
from generator.claims.missing import NotTestable, defined
from generator.claims.nameless import OF_ALL, OF_LAYERS, OF_THE_MODEL, OF_TOKENS
from generator.numbers.depth import in_depth
from generator.numbers.number import Number, difference, exact
from generator.numbers.resampling import mean_over
from generator.topics.inputs.claims import separator_attended
from generator.topics.inputs.records.inputs import NO_OP, OCCLUSION
from generator.topics.inputs.records.mask_rows import MASK_ROWS
from generator.topics.inputs.records.separators import SEPARATORS
from generator.topics.relations.claims.syntax import share_by_head, surely_found
from generator.topics.tokens.claims.types import followed_types
from generator.topics.tokens.derived.rules import FREQUENT

HYPOTHESIS = "The learning-curve hypothesis 2021"
TOO_RARE = "special tokens, or the other frequent types, occur too rarely in what was read to have an entropy"
SPECIAL = ("[CLS]", "[SEP]", "<s>", "</s>", ".", ",")
"""The outsiders: begin tokens, separators, and what the hypothesis calls loners."""


MIDDLE = (4, 9)
"""BERT's layers in which heads find relations."""


def _middle_relations(evidence: Evidence) -> Number:
    middle = in_depth(evidence.layers, *MIDDLE)
    return share_by_head([(item, bool(middle[item.layer - 1])) for item in surely_found(evidence)], SEED)


H01 = Claim(
    id="H01",
    title="Relation heads lie in the middle",
    statement="Heads that find dependency relations lie in layers 4 to 9.",
    paper=HYPOTHESIS,
    section="phase two",
    measure=(
        f"Share of relations with {FEWEST_WORDS} words or more whose best head, if it is surely better than the best "
        "fixed offset and than untrained weights, and in no other treebank right no more often than the offset, has "
        "relative depth 0.33 to 0.75. A head that serves several relations is one head: heads are resampled, each with "
        "all of its relations."
    ),
    needs=f"a treebank with relations of {FEWEST_WORDS} words or more: fieldguide analyze MODEL",
    parts=(
        part(
            "H01.4",
            "the share of relations whose best head lies in the middle layers",
            "share",
            _middle_relations,
            over="heads",
        ),
    ),
    middle=MIDDLE,
    which="surely better than the best fixed offset at finding some relation",
)


H02 = Claim(
    id="H02",
    title="[SEP] is preferred because it stays in place",
    statement="[SEP] rather than punctuation takes attention that does nothing, because its place is fixed.",
    paper=HYPOTHESIS,
    section="phase two",
    measure=(
        "The last [SEP] and a period or comma of the text change places: the weight that the text's tokens give to the "
        "mark, which then stands at the end, minus what they give to [SEP], mean over heads and layers; documents are "
        "resampled."
    ),
    needs="a [SEP] that gets twice the attention that chance gives, and text with periods or commas",
    parts=(
        stored_part(
            "H02.1",
            "the weight on a period or comma in the place of [SEP] minus that on [SEP] in the mark's place",
            SEPARATORS,
            "swapped.lead",
            premises=(separator_attended,),
        ),
    ),
    numbers=("separators/base.last", "separators/base.uniform", "separators/swapped.lead"),
    nameless=OF_ALL,
)


H11 = Claim(
    id="H11",
    title="Attention to [SEP] does nothing",
    statement="[SEP] takes the attention of tokens that have nothing to look for, so that it changes nothing.",
    paper=HYPOTHESIS,
    section="phase two",
    measure=(
        "Rise of the masked-LM loss when no token attends to [SEP] in any layer, minus half of the rise when none "
        "attends to random words of the text that together get as much attention; both for the same hidden words. "
        "Documents are resampled."
    ),
    needs=(
        "a masked-LM head, and a [SEP] that gets twice the attention that chance gives and no more than all words do"
    ),
    parts=(
        stored_part(
            "H11.1",
            "what cutting off attention to [SEP] adds to the loss, minus half of what cutting off as much attention to "
            "words adds",
            NO_OP,
            "lead",
            premises=(separator_attended,),
        ),
    ),
    numbers=("no-op/lead", "separators/base.last", "separators/base.uniform"),
    nameless="the attention of all heads to [SEP] is cut off at once",
)


H03 = Claim(
    id="H03",
    title="Masked words are predicted from near words of the same part",
    statement="For a masked word, near words of the same part of the sentence matter most.",
    paper=HYPOTHESIS,
    section="phase three",
    measure=(
        "How much less likely a masked word becomes when another token is hidden, too: Spearman's correlation of this "
        "effect with the distance, and the effect of tokens of the same stretch between punctuation marks minus that "
        "of others at the same distance from the same word; documents are resampled."
    ),
    needs="a masked-LM head",
    parts=(
        stored_part(
            "H03.1",
            "the rank correlation of a token's effect with its distance from the masked word",
            OCCLUSION,
            "slope",
        ),
        stored_part(
            "H03.2",
            "the effect of tokens of the same part minus that of tokens equally near in another part",
            OCCLUSION,
            "span.gain",
        ),
    ),
    numbers=("occlusion/slope", "occlusion/span.gain"),
    nameless=OF_THE_MODEL,
)


def _types(evidence: Evidence) -> pd.DataFrame:
    """One row per followed type, means over layers. Raises NotTestable without special tokens among them."""
    types = followed_types(evidence).groupby("token").mean(numeric_only=True)
    if not types.index.isin(SPECIAL).any():
        raise NotTestable("none of the tokens that were followed is [CLS], [SEP], period or comma")
    return types


def _lead(types: pd.DataFrame, entropy: pd.Series) -> Number:
    """Mean entropy of special tokens minus that of the other frequent types."""
    special = types.index.isin(SPECIAL)
    others = ~special & (types["rank"] <= FREQUENT)
    first, second = (
        defined(mean_over(entropy.to_numpy()[np.asarray(side)], least=0), TOO_RARE) for side in (special, others)
    )
    return difference(first, second)


def _varied_neighbours(evidence: Evidence) -> Number:
    types = _types(evidence)
    return _lead(types, types[["next_entropy", "previous_entropy"]].mean(axis=1))


def _varied_attention(evidence: Evidence) -> Number:
    types = _types(evidence)
    return _lead(types, types["attended_by_entropy"])


def _lowest_rank(evidence: Evidence) -> Number:
    types = _types(evidence)
    special = types.index.isin(SPECIAL)
    return exact(float(types.loc[special, "rank"].max()), int(special.sum()))


H04 = Claim(
    id="H04",
    title="Special tokens are frequent outsiders",
    statement="[CLS], [SEP], periods and commas are frequent, but without constant relations to particular tokens.",
    paper=HYPOTHESIS,
    section="special part of speech",
    measure=(
        "Entropy of the neighbours in the text, mean of both sides, and entropy over who attends to a type, mean over "
        "layers: that of these tokens minus that of the other types among the 20 commonest. Both sides have Student's "
        "interval over types, combined as if both erred in the worst direction. The rank by frequency is "
        "counted."
    ),
    needs="the roles of frequent token types, special tokens among them",
    parts=(
        part(
            "H04.1",
            "neighbour entropy of special tokens minus that of other frequent types",
            "nats",
            _varied_neighbours,
            over="token types",
        ),
        part(
            "H04.2",
            "entropy of who attends to special tokens minus that of other frequent types",
            "nats",
            _varied_attention,
            over="token types",
        ),
        part("H04.3", "the rank by frequency of the rarest special token", "rank", _lowest_rank, over="token types"),
    ),
    nameless=OF_TOKENS,
)

H17 = Claim(
    id="H17",
    title="[MASK] looks near by, at its own part",
    statement="For a masked word, deep layers look at near tokens, above all of the same part of the sentence.",
    paper=HYPOTHESIS,
    section="phase three",
    measure=(
        "15 % of the words are masked. In the last layers: what the row of [MASK] gives to tokens up to four places "
        "away, minus what the row of the word gives to them where it is not masked. The same difference of how much "
        "the own part gets of what goes to two tokens at the same distance, one on either side, of which only one lies "
        "in it. And the first, minus the same in layers of relative depth 0.33 to 0.75. Means over heads; documents "
        "are resampled."
    ),
    needs="a masked-LM head, and two layers or more",
    parts=(
        stored_part(
            "H17.1",
            "what [MASK] gives near tokens minus what the word that it hides gives them, in the last layers",
            MASK_ROWS,
            "deep.near",
        ),
        stored_part(
            "H17.2",
            "the share of its own part in what [MASK] gives two tokens as near, minus the same for the word",
            MASK_ROWS,
            "deep.part",
        ),
        stored_part(
            "H17.3",
            "what [MASK] gives near tokens beyond the word in the last layers minus the same in the middle ones",
            MASK_ROWS,
            "deep.lead",
        ),
    ),
    numbers=("mask rows/deep.lead", "mask rows/deep.near", "mask rows/deep.part"),
    nameless=OF_LAYERS,
)

CLAIMS = (H01, H02, H03, H04, H11, H17)
