"""Clark et al. 2019, section 4.2, Table 1: single heads that find one dependency relation.

Relations are named as in Universal Dependencies or, in a treebank that has them, in Stanford Dependencies. The head is
chosen on one half of the sentences and reported on the other; the paper chooses and reports on the same sentences.
"""

from collections.abc import Sequence
from functools import partial

from generator.claims.claim import Claim, Part, part
from generator.claims.clark.position import CLARK
from generator.claims.evidence.evidence import Evidence
from generator.claims.nameless import ON_SENTENCES
from generator.numbers.number import Number, exact
from generator.topics.relations.claims.syntax import DEPENDENT_ATTENDS, gain_part, relation

TREEBANK = "a treebank with this relation: fieldguide analyze MODEL"
MEASURE = (
    "Share of the relation's words whose head word is the word they attend to most, or the one that attends to them "
    "most; and the gain over the best fixed offset. Attention head and offset are chosen on one half of the sentences; "
    "n counts the words of the other half, whose sentences are resampled. Special tokens are no picks, as in the paper."
)
MARKERS = (
    " Where a possessive marker follows the possessor, the marker's prediction counts, as in the paper; here that goes "
    "for offsets too."
)


def _accuracy(evidence: Evidence, names: Sequence[str]) -> Number:
    return relation(evidence, names).accuracy


def _finds(claim_id: str, what: str, names: Sequence[str], gain_key: str = "") -> tuple[Part, Part]:
    """Two parts of a claim: accuracy and gain of the best head for a relation; `names` are its names, ours first."""
    return (
        part(
            f"{claim_id}.1",
            f"the accuracy of the best head for {what}",
            "share",
            partial(_accuracy, names=names),
            over="words",
        ),
        gain_part(gain_key or f"{claim_id}.2", f"of the best head for {what} over the best fixed offset", names),
    )


def _claim(
    claim_id: str, title: str, statement: str, parts: tuple[Part, ...], published: Sequence[str], rule: str = ""
) -> Claim:
    """A claim that some head finds a relation; `published` are the keys of the published rows of the relation."""
    return Claim(
        id=claim_id,
        title=title,
        statement=statement,
        paper=CLARK,
        section="4.2, Table 1",
        measure=MEASURE + rule,
        needs=TREEBANK,
        parts=parts,
        published=tuple(f"clark.{row}.{column}" for row in published for column in ("accuracy", "baseline")),
        comparable=tuple(f"clark.{row}.accuracy" for row in published),
        which=ON_SENTENCES,
        home="found",
    )


C14 = _claim(
    "C14",
    "A head finds the verbs of direct objects",
    "Some head links direct objects with their verbs.",
    _finds("C14", "direct objects", ("obj", "dobj")),
    ("table1.dobj",),
)
C15 = _claim(
    "C15",
    "A head finds the nouns of determiners",
    "Some head links determiners with their nouns.",
    _finds("C15", "determiners", ("det",)),
    ("table1.det",),
)


PREPOSITIONS = ("case", "pobj")


def _direction(evidence: Evidence) -> Number:
    found = relation(evidence, PREPOSITIONS)
    return exact(float((found.relation == "case") == (found.direction == DEPENDENT_ATTENDS)), 1)


C16 = _claim(
    "C16",
    "A head links prepositions to their objects",
    (
        "In some head, prepositions attend to their objects; in the paper's scheme this is from head to dependent, "
        "in Universal Dependencies the reverse."
    ),
    (
        *_finds("C16", "prepositions and their objects", PREPOSITIONS),
        part(
            "C16.3",
            "the direction of the best head (1: the preposition attends to its object)",
            "direction",
            _direction,
            over="head",
        ),
    ),
    ("table1.pobj",),
)
C17 = _claim(
    "C17",
    title="A head finds what is possessed",
    statement="Some head links possessors with what they possess.",
    parts=_finds("C17", "possessors", ("nmod:poss", "poss"), gain_key="C17.3"),
    published=("table1.poss",),
    rule=MARKERS,
)
C18 = _claim(
    "C18",
    "A head finds the verbs of passive auxiliaries",
    "Some head links passive auxiliaries with their verbs.",
    _finds("C18", "passive auxiliaries", ("aux:pass", "auxpass")),
    ("table1.auxpass", "notebook.auxpass"),
)

CLAIMS = (C14, C15, C16, C17, C18)
