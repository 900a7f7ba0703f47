"""Rows on the page of a head that finds antecedents: how often it is right, beside the best simple rule."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from generator.claims.gate.statement import Place
from generator.numbers.number import UNDEFINED, Number
from generator.numbers.writing import number, pieces
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell, Cells
from generator.pages.studies.tables import NOTHING, by_head, count
from generator.results.tables import records
from generator.studies.halves import SAME_DATA
from generator.topics.mentions.claims.finds import COUNTED, IN_TURN, TABLE, Everywhere
from generator.topics.mentions.derived.lead import lead
from generator.topics.mentions.records import ANTECEDENTS, BEST
from generator.topics.relations.claims.finds import LEAST_GAIN, is_lead


class Rule(NamedTuple):
    """How often the best simple rule finds the antecedent among some candidates, and in which text: the first with
    mentions.
    """

    right: Number
    corpus: str
    in_turn: Number
    """How often all rules in turn do in that text; undefined where that is not stored."""

    def beside(self, head: Number) -> str:
        """The baseline of a head, and all rules in turn where they are right more often than the head."""
        more = f", {number(self.in_turn.value)} by all rules in turn" if self.in_turn.value > head.value else ""
        return f"{number(self.right.value)} by the best simple rule{more}"


class Mentioned(NamedTuple):
    """What all heads of a model find of mentions."""

    heads: Mapping[Place, Mapping[str, Any]]
    rules: Mapping[str, Rule]
    """By candidates."""
    everywhere: Mapping[str, Everywhere]
    """By candidates."""


def antecedent_rows(atlas: Atlas, layer: int, head: int) -> Iterator[Cells]:
    """A row for each set of candidates among which a head finds antecedents clearly better than the best rule."""
    mentioned = atlas.once(_mentioned)
    found: Mapping[str, Any] = mentioned.heads.get((layer, head), {})
    for candidates, rule in mentioned.rules.items():
        row = found.get(f"{candidates}.all")
        if not all(right.beats for right in mentioned.everywhere[candidates].apart_from((layer, head), rule.corpus)):
            continue
        if row and is_lead(gain := lead(Number.of(row), rule.right)):
            cells = *pieces(Number.of(row)), count(row["n"]), rule.beside(Number.of(row)), gain_cell(gain), rule.corpus
            yield "antecedents", f"among {candidates}", *cells


def gain_cell(estimate: Number) -> Cell:
    """A gain over a baseline with its interval, beside the least that is told."""
    value, ends = pieces(estimate, against=(LEAST_GAIN,))
    return Cell(value, note="" if ends == NOTHING.text else ends)


def _mentioned(atlas: Atlas) -> Mentioned:
    table = atlas.results.table(TABLE)
    of_all = table[(table["kind"] == "all") & (table["protocol"] == SAME_DATA)]
    rows = of_all[of_all["predictor"] == BEST]
    in_turn = {row["corpus"]: Number.of(row) for row in records(of_all[of_all["predictor"] == IN_TURN])}
    rules = {
        row["candidates"]: Rule(Number.of(row), row["corpus"], in_turn.get(row["corpus"], UNDEFINED))
        for row in records(rows.drop_duplicates("candidates"))
    }
    facts = atlas.results.of_study(COUNTED, ANTECEDENTS.name)
    everywhere = {candidates: Everywhere(table, facts, candidates) for candidates in rules}
    return Mentioned(by_head(atlas, ANTECEDENTS), rules, everywhere)
