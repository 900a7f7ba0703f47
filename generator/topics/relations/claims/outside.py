"""Where words look that stand outside the relation of a head (Clark et al. 2019, section 3.2, and the hypothesis)."""

import numpy as np

from generator.claims.claim import Claim, part
from generator.claims.clark.position import CLARK
from generator.claims.evidence.evidence import Evidence
from generator.claims.gate.statement import Place, given
from generator.claims.missing import NOWHERE, NotTestable, defined
from generator.numbers.number import Number
from generator.numbers.resampling import mean_over
from generator.topics.relations.claims.chosen import chosen_heads
from generator.topics.relations.claims.finds import Treebanks


def specialists(evidence: Evidence) -> list[Place]:
    """0-based layer and head of every head that is named for a relation. Raises NotTestable if there is none."""
    chosen_heads(evidence)  # so that the trail says which treebank is preferred
    found = {statement.place for statement in given(Treebanks.in_tables(evidence.seen, evidence.manifest).names())}
    if not found:
        raise NotTestable("no head is named for a relation")
    evidence.named += sorted(found)
    return [(layer - 1, head - 1) for layer, head in sorted(found)]


def _outside(evidence: Evidence) -> Number:
    outside = evidence.head_facts("words", "sep.outside").value
    return defined(mean_over(np.array([outside[place] for place in specialists(evidence)]), 0, 1), NOWHERE)


def _outside_minus_inside(evidence: Evidence) -> Number:
    outside, inside = (evidence.head_facts("words", f"sep.{side}").value for side in ("outside", "inside"))
    return defined(mean_over(np.array([(outside - inside)[place] for place in specialists(evidence)]), -1, 1), NOWHERE)


C09 = Claim(
    id="C09",
    title="Words outside a head's relation attend to [SEP]",
    statement="Where a head has a clear function, words to which it does not apply mostly attend to [SEP].",
    paper=CLARK,
    section="3.2, Figure 5; also the hypothesis of 2021, phase two",
    measure=(
        "Attention to [SEP] from words outside a head's own best relation, and that minus the attention from words "
        "inside, mean over the heads that are named for finding a relation, each head once, with Student's interval "
        "over heads."
    ),
    needs="a treebank, a [SEP] token and heads that are named for finding a relation: fieldguide analyze MODEL",
    parts=(
        part("C09.4", "attention to [SEP] from words outside a head's relation", "share", _outside, over="heads"),
        part(
            "C09.5",
            "attention to [SEP] from words outside a head's relation minus that from words inside",
            "share",
            _outside_minus_inside,
            over="heads",
        ),
    ),
    numbers=("words/sep.inside", "words/sep.outside"),
    which="named for finding a relation",
)

CLAIMS = (C09,)
