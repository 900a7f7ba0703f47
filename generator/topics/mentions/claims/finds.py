"""Names that say that a head finds what a mention refers to, by the same rule as for relations.

Instead of a fixed offset there is the best simple rule, and instead of treebanks there are texts with linked mentions.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from generator.claims.bounds import fewest
from generator.claims.cutoffs import CLEAR_GAIN, is_clear
from generator.claims.gate.statement import Check, Place, Row, Statement, least
from generator.numbers.number import Number
from generator.numbers.writing import listed, percent, pieces
from generator.results.tables import records
from generator.studies.halves import HELD_OUT, SAME_DATA
from generator.topics.mentions.records import ANTECEDENTS, BEST, GAIN
from generator.topics.relations.claims.finds import place_of
from generator.topics.relations.records.relations import FEW_WORDS

ANTECEDENT = "antecedent"
"""The kind of these names."""
TABLE = "antecedents"
COUNTED = "head_facts"
"""The table that has every head in every text."""
IN_TURN = "rules"
"""The predictor that tries all rules in turn."""
AMONG = "mentions"
"""The candidates among which a head that is named finds antecedents: head words of earlier mentions."""
FEWEST_MENTIONS = fewest("mentions")


class Right(NamedTuple):
    """How often one head is right in one text, on all mentions, and the best simple rule."""

    head: Row
    rule: Row

    @property
    def beats(self) -> bool:
        """Whether the head is right more often than the rule."""
        return bool(self.head["value"] > self.rule["value"])

    @property
    def told(self) -> str:
        """Both, as words that follow the head's name."""
        head, rule = (percent(Number.of(row), ends=False) for row in self)
        return f"is right for {head} of {self.head['n']:,} mentions, and the best simple rule for {rule}"


class Everywhere:
    """How often each head is right in each text that has enough mentions, on all of them."""

    def __init__(self, table: pd.DataFrame, heads: pd.DataFrame, among: str = AMONG) -> None:
        """Takes the tables `antecedents` and `head_facts`, and which candidates are meant."""
        whole = _of_all(table, SAME_DATA, among)
        self._rules = {row["corpus"]: row for row in records(whole[whole["predictor"] == BEST])}
        kept = heads[
            (heads["study"] == ANTECEDENTS.name) & (heads["name"] == f"{among}.all") & (heads["n"] >= FEW_WORDS)
        ]
        self._heads = {(row["corpus"], place_of(row)): row for row in records(kept)}

    def of(self, place: Place, corpus: str) -> Right | None:
        """What a head finds in one text; None where that is not stored."""
        head, rule = self._heads.get((corpus, place)), self._rules.get(corpus)
        return Right(head, rule) if head and rule else None

    def apart_from(self, place: Place, corpus: str) -> list[Right]:
        """What a head finds in each text but one."""
        return [right for other in self._rules if other != corpus and (right := self.of(place, other))]


def antecedents(table: pd.DataFrame, heads: pd.DataFrame) -> Iterator[Statement]:
    """A statement for each head that some text chose, from the tables `antecedents` and `head_facts`: of its rows the
    first is that of the head, then come those of the best simple rule, of the gain over it and, where it is stored, of
    all rules in turn.
    """
    texts, everywhere = _texts(table), Everywhere(table, heads)
    seen = set()
    for by in texts:
        if (place := place_of(by["head"])) not in seen:
            seen.add(place)
            mine, others = _in_text(by), [_in_text(other) for other in texts if other is not by]
            first = texts[0]["head"]
            decides = Check("elsewhere", by is texts[0], f"{first['corpus']} decides, with {first['n']:,} mentions")
            read = [row for other in others for row in other.rows]
            read += [(COUNTED, right.head) for right in everywhere.apart_from(place, _corpus(mine))]
            yield mine._replace(
                checks=(*mine.checks, decides, *_elsewhere(mine, others, everywhere)), rows=(*mine.rows, *read)
            )


def against(table: pd.DataFrame, heads: pd.DataFrame, place: Place, chosen: str) -> list[str]:
    """What others say against the head that a text chose, in clauses; none if that text did not choose it. The tables
    are those of `antecedents`.
    """
    found = [_in_text(by) for by in _texts(table)]
    mine = next((statement for statement in found if statement.place == place and _corpus(statement) == chosen), None)
    if mine is None:
        return []
    checks = _elsewhere(mine, [statement for statement in found if statement is not mine], Everywhere(table, heads))
    return [check.found for check in checks if not check.met]


def _texts(table: pd.DataFrame) -> list[dict[str, dict[str, Any]]]:
    """Of each text with enough mentions the rows by predictor, the text with most mentions first."""
    held = _of_all(table, HELD_OUT)
    texts = [
        {row["predictor"]: row for row in records(rows)}
        for _, rows in held[held["n"] >= FEW_WORDS].groupby("corpus", sort=False)
    ]
    whole = (by for by in texts if {"head", BEST, GAIN + BEST} <= by.keys())
    return sorted(whole, key=lambda by: -by["head"]["n"])


def _elsewhere(mine: Statement, others: Sequence[Statement], everywhere: Everywhere) -> Iterator[Check]:
    """What other texts say to a head that one chose, from what each says by itself."""
    if others:
        yield _same_in_some(mine.place, others, everywhere)
    for other in others:
        if other.place == mine.place:
            gain = other.rows[2][1]
            yield Check("elsewhere", not gain["value"] <= 0, f"in {gain['corpus']}, {_gain(gain)}")
    for right in everywhere.apart_from(mine.place, _corpus(mine)):
        yield Check("elsewhere", right.beats, f"in {right.head['corpus']} it {right.told}")


def _of_all(table: pd.DataFrame, protocol: str, among: str = AMONG) -> pd.DataFrame:
    """The rows about mentions of all kinds."""
    return table[(table["protocol"] == protocol) & (table["kind"] == "all") & (table["candidates"] == among)]


def _same_in_some(place: Place, others: Sequence[Statement], everywhere: Everywhere) -> Check:
    """That one other text at least names the same head, all checks met but that on the number of mentions."""
    agree = [_corpus(statement) for statement in others if statement.place == place and _names(statement)]
    texts = [f"the same head is best in {listed(agree)}"] if agree else []
    for other in others:
        if other.place == place:
            continue
        best = f"head {other.place[0]}-{other.place[1]}" if _names(other) else "no head clearly"
        here = everywhere.of(place, _corpus(other))
        texts.append(
            f"in {_corpus(other)} {best} is best" + (f", and {place[0]}-{place[1]} {here.told}" if here else "")
        )
    return Check("elsewhere", bool(agree), "; ".join(texts) or "no other text names it")


def _names(statement: Statement) -> bool:
    return all(check.met for check in statement.checks if check.asks != "premise")


def _corpus(statement: Statement) -> str:
    return str(statement.rows[0][1]["corpus"])


def _in_text(by: Mapping[str, dict[str, Any]]) -> Statement:
    """What one text says by itself, from its rows by predictor."""
    head, rule, gain = by["head"], by[BEST], by[GAIN + BEST]
    clear = is_clear(gain["value"], gain["low"])
    checks = (
        least(head["n"], FEWEST_MENTIONS, "mentions", f"of the other half of {head['corpus']}"),
        Check("range", clear, f"{_gain(gain)} (at least {CLEAR_GAIN}, surely above 0)"),
    )
    rows = tuple((TABLE, row) for row in (head, rule, gain, *filter(None, [by.get(IN_TURN)])))
    return Statement(
        place_of(head), kind=ANTECEDENT, about="antecedents", number=Number.of(head), checks=checks, rows=rows
    )


def _gain(row: Row) -> str:
    value, ends = pieces(Number.of(row))
    return f"its gain over the best simple rule is {value} ({ends})"
