"""Kovaleva et al. 2019, sections 4.1 and 4.4: attention to special tokens, in a model that was not fine-tuned."""

from generator.claims.claim import Claim, part
from generator.claims.cutoffs import MAINLY, SEED
from generator.claims.evidence.evidence import Evidence
from generator.claims.gate.premises import holds_separators
from generator.claims.nameless import OF_LAYERS
from generator.claims.published import of_layers
from generator.numbers.depth import lowest_third
from generator.numbers.number import Number, mean_in

KOVALEVA = "Kovaleva et al. 2019"
AS_IN_BERT = holds_separators(1, 2)
"""That inputs are single texts with one [SEP] or pairs with two, as those of the paper's tasks."""


def _special_heads(evidence: Evidence) -> Number:
    columns = ["attention.cls", "attention.sep"]
    return evidence.share_of_heads(columns, lambda begin, end: begin + end > MAINLY, SEED)


K03 = Claim(
    id="K03",
    title="A third of the heads attend to special tokens only",
    statement="At least one head in three just attends to the special tokens.",
    paper=KOVALEVA,
    section="the authors' blog post, on section 4.1",
    measure=(
        f"Share of heads whose mean attention to [CLS] and [SEP] together is above {MAINLY}; documents are "
        "resampled, and Wilson's interval over heads is added. The source counts maps of fine-tuned models that look "
        "vertical. How much special tokens get also depends on how many [SEP] an input has, which must be one or two."
    ),
    needs="a [CLS] and a [SEP] token, of which inputs hold no more than two",
    parts=(
        part(
            "K03.2",
            "the share of heads that attend mainly to special tokens",
            "share",
            _special_heads,
            over="heads",
            premises=(AS_IN_BERT,),
        ),
    ),
    published=("kovaleva.blog.vertical",),
    measures=("attention.cls", "attention.sep", "attention.max"),
    home="famous",
    which="with most of the attention on special tokens",
)


def _begin_early(evidence: Evidence) -> Number:
    early = lowest_third(evidence.layers)
    columns = ["attention.cls", "attention.sep"]
    return evidence.estimate(columns, lambda begin, end: mean_in(begin - end, early), SEED, heads=True)


def _separator_late(evidence: Evidence) -> Number:
    early = lowest_third(evidence.layers)
    columns = ["attention.cls", "attention.sep"]
    return evidence.estimate(columns, lambda begin, end: mean_in(end - begin, ~early), SEED, heads=True)


K10 = Claim(
    id="K10",
    title="First [CLS], then [SEP]",
    statement="Early layers attend more to [CLS], later layers more to [SEP].",
    paper=KOVALEVA,
    section="4.4",
    measure=(
        "Attention to [CLS] minus that to [SEP], mean over the heads of the lowest third of layers, "
        "and the reverse for the other layers, on plain text; documents, and the heads of every layer, are resampled. "
        "The paper takes the larger of two [SEP], and finds this order in every task; here all [SEP] of an input "
        "count, which must be one or two."
    ),
    needs="a [CLS] and a [SEP] token, of which inputs hold no more than two, and more than one layer",
    parts=(
        part(
            "K10.1",
            "attention to [CLS] minus that to [SEP] in the lowest third of layers",
            "share",
            _begin_early,
            heads=True,
            premises=(AS_IN_BERT,),
        ),
        part(
            "K10.2",
            "attention to [SEP] minus that to [CLS] in the other layers",
            "share",
            _separator_late,
            heads=True,
            premises=(AS_IN_BERT,),
        ),
    ),
    published=of_layers("kovaleva.qqp.cls") + of_layers("kovaleva.qqp.sep"),
    measures=("attention.cls", "attention.sep", "attention.max"),
    nameless=OF_LAYERS,
)


CLAIMS = (K03, K10)
