"""Names that say that a head finds what a mention refers to, by the same rule as for relations.

Instead of a fixed offset there is the best simple rule, and instead of treebanks there are texts with linked mentions.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from generator.claims.bounds import fewest
from generator.claims.cutoffs import CLEAR_GAIN, is_clear
from generator.claims.gate.statement import Check, Row, Statement, least
from generator.claims.gate.treebanks import place_of
from generator.numbers.number import Number
from generator.numbers.writing import pieces
from generator.results.tables import records
from generator.studies.halves import HELD_OUT
from generator.studies.mentions.antecedents import BEST, GAIN
from generator.studies.syntax.relations import FEW_WORDS

ANTECEDENT = "antecedent"
"""The kind of these names."""
TABLE = "antecedents"
FEWEST_MENTIONS = fewest("mentions")


def antecedents(table: pd.DataFrame) -> Iterator[Statement]:
    """A statement for each head that some text chose, from the table `antecedents`: of its rows the first is that of
    the head, then come those of the best simple rule and of the gain over it.
    """
    held = table[(table["protocol"] == HELD_OUT) & (table["kind"] == "all") & (table["candidates"] == "mentions")]
    texts = [
        {row["predictor"]: row for row in records(rows)}
        for _, rows in held[held["n"] >= FEW_WORDS].groupby("corpus", sort=False)
    ]
    texts.sort(key=lambda by: -by["head"]["n"])
    seen = set()
    for by in texts:
        if (place := place_of(by["head"])) not in seen:
            seen.add(place)
            others = [_in_text(other) for other in texts if other is not by]
            same = [one for one in others if one.place == place]
            first = texts[0]["head"]
            checks = [Check("elsewhere", by is texts[0], f"{first['corpus']} decides, with {first['n']:,} mentions")]
            if others:
                agree = [one for one in same if all(check.met for check in one.checks if check.asks != "premise")]
                told = f"{len(agree)} of {len(others)} other texts name the same head"
                checks.append(Check("elsewhere", bool(agree), told))
            for one in same:
                gain = one.rows[2][1]
                checks.append(Check("elsewhere", not gain["value"] <= 0, f"in {gain['corpus']}, {_gain(gain)}"))
            mine = _in_text(by)
            yield mine._replace(
                checks=(*mine.checks, *checks), rows=(*mine.rows, *(row for one in others for row in one.rows))
            )


def _in_text(by: Mapping[str, dict[str, Any]]) -> Statement:
    """What one text says by itself, from its rows by predictor."""
    head, rule, gain = by["head"], by[BEST], by[GAIN + BEST]
    clear = is_clear(gain["value"], gain["low"])
    checks = (
        least(head["n"], FEWEST_MENTIONS, "mentions", f"of the other half of {head['corpus']}"),
        Check("range", clear, f"{_gain(gain)} (at least {CLEAR_GAIN}, surely above 0)"),
    )
    rows = tuple((TABLE, row) for row in (head, rule, gain))
    return Statement(place_of(head), ANTECEDENT, "antecedents", Number.of(head), checks, rows)


def _gain(row: Row) -> str:
    value, ends = pieces(Number.of(row))
    return f"its gain over the best simple rule is {value} ({ends})"
