"""Kovaleva et al. 2019, sections 4.1 and 4.4: attention to special tokens, in a model that was not fine-tuned."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from generator.claims.claim import Claim, Finding, part
from generator.claims.cutoffs import MAINLY, SEED
from generator.claims.evidence.evidence import Evidence
from generator.claims.gate.premises import holds_separators
from generator.claims.gate.sentences import heard
from generator.claims.nameless import OF_LAYERS
from generator.claims.published import of_layers
from generator.claims.verdict import OPPOSITE
from generator.numbers.depth import lowest_third
from generator.numbers.number import Number, mean_in
from generator.numbers.resampling import proportion
from generator.numbers.writing import written

KOVALEVA = "Kovaleva et al. 2019"
FEATURES, SPECIAL = "features", ("begin.mean", "separator.mean")
"""A study of sentences, and its numbers of the attention that all tokens give to [CLS] and to [SEP]."""
AS_IN_BERT = holds_separators(1, 2)
"""That inputs are single texts with one [SEP] or pairs with two, as those of the paper's tasks."""


def _special_heads(evidence: Evidence) -> Number:
    columns = ["attention.cls", "attention.sep"]
    return evidence.share_of_heads(columns, lambda begin, end: begin + end > MAINLY, SEED)


def _in_sentences(evidence: Evidence, found: Finding) -> Iterator[str]:
    """What sentences of treebanks contradict of the share of heads in running text."""
    for corpus, text in heard(evidence, FEATURES, SPECIAL[0]).items():
        shares = np.sum([text.head_facts(FEATURES, name, corpus).value for name in SPECIAL], axis=0)
        other = proportion(int((shares > MAINLY).sum()), shares.size)
        if found.part.verdict(other) == OPPOSITE[found.verdict]:
            yield f"in the sentences of {corpus} it is {written(other, against=found.part.against)}"


MAINLY_SPECIAL = part(
    "K03.2",
    "the share of heads that attend mainly to special tokens",
    "share",
    _special_heads,
    over="heads",
    premises=(AS_IN_BERT,),
)
K03 = Claim(
    id="K03",
    title="A third of the heads attend to special tokens only",
    statement="At least one head in three just attends to the special tokens.",
    paper=KOVALEVA,
    section="the authors' blog post, on section 4.1",
    measure=(
        f"Share of heads whose mean attention to [CLS] and [SEP] together is above {MAINLY}; documents are "
        "resampled, and Wilson's interval over heads is added. The source counts maps of fine-tuned models that look "
        "vertical. How much special tokens get also depends on how many [SEP] an input has, which must be one or two. "
        "Sentences of treebanks, each an input by itself, may contradict it by the attention of all their tokens."
    ),
    needs="a [CLS] and a [SEP] token, of which inputs hold no more than two",
    parts=(replace(MAINLY_SPECIAL, elsewhere=_in_sentences),),
    published=("kovaleva.blog.vertical",),
    measures=("attention.cls", "attention.sep", "attention.max"),
    numbers=tuple(f"{FEATURES}/{name}" for name in SPECIAL),
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
