"""What a part of a claim was before its model was trained."""

from generator.claims.evidence.evidence import Evidence
from generator.claims.evidence.rows import plain
from generator.claims.gate.premises import NO_TWIN, Null
from generator.claims.missing import NotTestable
from generator.numbers.number import Number
from generator.topics.learning.claims.history import history
from generator.topics.learning.records.curves import CLAIM


def before_training(key: str) -> Null:
    """What a part of a claim, by its key, was before the first step of the model's own training."""

    def number_of(evidence: Evidence) -> Number:
        rows = history(evidence, "curves", CLAIM, key)
        rows = rows[rows["step"] == 0] if len(rows) else rows
        if not len(rows):
            raise NotTestable(NO_TWIN)
        return plain(rows.iloc[0])

    return Null("an untrained model", number_of)
