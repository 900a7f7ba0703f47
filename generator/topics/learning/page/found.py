"""Which heads may be said to have learned to find a relation: what is said of them elsewhere holds of their births."""

from collections.abc import Mapping

from generator.claims.cutoffs import FEWEST_WORDS
from generator.claims.gate.statement import Place, given
from generator.numbers.number import Number, difference
from generator.topics.learning.page.data import Course
from generator.topics.learning.records.curves import RELATION_BASELINE, RELATIONS
from generator.topics.relations.claims.finds import Treebanks, in_one, is_lead, place_of


def learned_relations(course: Course) -> Mapping[str, Place]:
    """Relation -> the head that finds it at the last checkpoint, for relations of which that may be said.

    The head is clearly better than the best fixed offset in the treebank of the curve, and no other treebank
    contradicts; on the inputs of the checkpoints, which may be fewer, it is so once more.
    """
    corpus = course.corpus(RELATIONS)
    own = (row for row in course.atlas.results.once(Treebanks.of).rows if row["corpus"] == corpus)
    found = given(course.atlas.results.once(Treebanks.of).unopposed(in_one(row)) for row in own)
    return {statement.about: statement.place for statement in found if _leads(course, statement.about, statement.place)}


def _leads(course: Course, relation: str, place: Place) -> bool:
    """Whether the curve of a head ends clearly above the best fixed offset, on words enough."""
    curve, offsets = course.series(RELATIONS, relation), course.series(RELATION_BASELINE, relation)
    if not curve or not offsets or place_of(curve[-1]) != place or offsets[-1]["n"] < FEWEST_WORDS:
        return False
    return is_lead(difference(Number.of(curve[-1]), Number.of(offsets[-1])))
