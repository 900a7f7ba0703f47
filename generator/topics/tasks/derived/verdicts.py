"""The verdict on a disabled head from the simultaneous interval of its change, and how many heads have it."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from generator.numbers.makers import makes
from generator.topics.tasks.records.tasks import OF_TASKS, VERDICT

NEEDED, UNSEEN, BETTER = VERDICT.values.values()


def judge(row: Mapping[str, Any]) -> str:
    """The verdict on a change from its simultaneous interval; "" if it has none.

    >>> judge({"low": -3.0, "high": -1.0}), judge({"low": 0.0, "high": 2.0})
    ('needed', 'no change seen')
    """
    if np.isnan(row["low"]) or np.isnan(row["high"]):
        return ""
    return NEEDED if row["high"] < 0 else BETTER if row["low"] > 0 else UNSEEN


@makes(OF_TASKS, "heads.{verdict}")
def how_many(rows: Iterable[Mapping[str, Any]], verdict: str) -> int:
    """How many of these changes, one of each head, have this verdict."""
    return sum(judge(row) == verdict for row in rows)
