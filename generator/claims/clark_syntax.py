"""Clark et al. 2019, section 4.2: what single heads do over all words, and over many dependency relations."""

from collections.abc import Sequence

import numpy as np

from generator.claims.claim import Claim, part
from generator.claims.clark_position import CLARK
from generator.claims.cutoffs import FEWEST_WORDS
from generator.claims.evidence import Evidence, RelationHead
from generator.claims.numbers import Number, proportion
from generator.results.intervals import bootstrap_ratio
from generator.studies.predictions import DIRECTIONS
from generator.studies.syntax import ALL

DEPENDENT_ATTENDS, _ = DIRECTIONS
NOT_RELATIONS = {ALL, "root", "punct"}
"""Left out where relations are counted, as in the released notebook."""
CLEARLY = "Ten points over the best fixed offset is what Voita et al. 2019 ask of a syntactic head."


def counted(evidence: Evidence) -> list[RelationHead]:
    """The heads of all relations with enough words, without those that are no relation between words."""
    return [
        item for item in evidence.relations() if item.relation not in NOT_RELATIONS and item.accuracy.n >= FEWEST_WORDS
    ]


def share_by_head(items: Sequence[tuple[RelationHead, bool]], seed: int) -> Number:
    """The share of relations for which something is true; the interval resamples heads, each with all its relations.

    `n` counts distinct heads: seven relations of one head are one observation.
    """
    places = sorted({(item.layer, item.head) for item, _ in items})
    at = np.array([places.index((item.layer, item.head)) for item, _ in items])
    true = np.bincount(at, weights=[float(truth) for _, truth in items])
    found = bootstrap_ratio(true, np.bincount(at), seed)
    value, low, high = (float(end) for end in found[:3])
    wilson = proportion(round(value * len(places)), len(places))
    return Number(value, min(low, wilson.low), max(high, wilson.high), len(places))


def _gain(evidence: Evidence, *names: str) -> Number | None:
    found = evidence.relation(*names)
    return found.gain if found else None


def _everything(evidence: Evidence) -> Number:
    found = evidence.relation(ALL)
    return [found.accuracy if found else None]


_everything_1 = lambda e: _everything(e)[0]  # STUB


C13 = Claim(
    id="C13",
    title="No single head parses well",
    statement="No single head finds the syntactic heads of all words well.",
    paper=CLARK,
    section="4.2, Table 1",
    measure=(
        "Share of all words whose syntactic head the best single head finds; it is chosen on one half of the "
        "sentences, and those of the other are resampled."
    ),
    needs="a treebank: fieldguide analyze MODEL",
    parts=(part("C13.1", "the accuracy of the best head for all words", "share", _everything_1, over="words"),),
    published=("clark.table1.all.accuracy", "clark.table1.all.baseline"),
)


def _some_and_not_others(evidence: Evidence) -> Number:
    return [
        _gain(evidence, "compound:prt", "prt"),
        _gain(evidence, "ccomp"),
        _gain(evidence, "mark"),
        _gain(evidence, "compound", "nn"),
    ]


_some_and_not_others_1, _some_and_not_others_2, _some_and_not_others_3, _some_and_not_others_4 = (
    lambda e, k=k: _some_and_not_others(e)[k] for k in range(4)
)  # STUB


C19 = Claim(
    id="C19",
    title="Heads beat a fixed offset for some relations only",
    statement=(
        "Particles, clausal complements and markers have good heads; for noun compounds a fixed offset is as good."
    ),
    paper=CLARK,
    section="4.2, Table 1",
    measure=(
        "Gain in accuracy of the best head over the best fixed offset, for each relation; the head is chosen on one "
        "half of the sentences, and those of the other are resampled. The paper's prep has no counterpart in Universal "
        "Dependencies."
    ),
    needs="a treebank with particles, clausal complements, markers and compounds: fieldguide analyze MODEL",
    parts=(
        part("C19.1", "the gain for particles", "share", _some_and_not_others_1, over="words"),
        part("C19.2", "the gain for clausal complements", "share", _some_and_not_others_2, over="words"),
        part("C19.3", "the gain for markers", "share", _some_and_not_others_3, over="words"),
        part("C19.4", "the gain for noun compounds", "share", _some_and_not_others_4, over="words"),
    ),
    published=tuple(
        f"clark.table1.{relation}.{column}"
        for relation in ("prt", "ccomp", "mark", "nn", "prep")
        for column in ("accuracy", "baseline")
    ),
)


def _dependents_attend(evidence: Evidence) -> Number:
    relations = counted(evidence)
    return [proportion(sum(item.direction == DEPENDENT_ATTENDS for item in relations), len(relations))]


_dependents_attend_1 = lambda e: _dependents_attend(e)[0]  # STUB


C20 = Claim(
    id="C20",
    title="Dependents attend to their heads",
    statement="In the best heads the dependent attends to its syntactic head, rather than the reverse.",
    paper=CLARK,
    section="4.2",
    measure=(
        f"Share of relations with {FEWEST_WORDS} words or more whose best head has this direction; Wilson's interval "
        "over relations."
    ),
    needs=f"a treebank with relations of {FEWEST_WORDS} words or more: fieldguide analyze MODEL",
    parts=(
        part(
            "C20.1",
            "the share of relations in which the dependent attends",
            "share",
            _dependents_attend_1,
            over="relations",
        ),
    ),
    published=("clark.directions.printed", "clark.directions.notebook"),
)
