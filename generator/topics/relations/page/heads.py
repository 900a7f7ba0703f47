"""What one head finds: dependency relations, compared with fixed offsets, and antecedents, compared with rules."""

from collections.abc import Iterator, Mapping
from typing import Any

from generator.claims.gate.mentions import COUNTED, Everywhere
from generator.claims.gate.mentions import TABLE as MENTIONED
from generator.claims.gate.treebanks import LEAST_GAIN, is_lead, leads
from generator.corpora.relation_names import DIRECTION_IN_WORDS
from generator.numbers.number import Number
from generator.numbers.writing import in_letters, number, pieces
from generator.pages import addresses
from generator.pages.blocks import SURE, Block, Section
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell, Cells, Link
from generator.pages.studies.study_page import OfHead
from generator.pages.studies.tables import NOTHING, by_head, count, relation_cell, table
from generator.results.tables import records
from generator.studies.halves import SAME_DATA
from generator.topics.mentions.compute.antecedents import BEST
from generator.topics.mentions.compute.lead import lead
from generator.topics.mentions.records import ANTECEDENTS
from generator.topics.relations.compute.relations import FEW_WORDS
from generator.topics.relations.compute.tried import Tried
from generator.topics.relations.page.page import there

MOST = 3
"""Relations that are listed."""
LEAD = (
    "On all sentences it finds {which} surely more often than the best fixed offset, by {gain} or more{most}. Every "
    "relation of {words} words or more was tried{where}."
)

SEVERAL = ", in the treebank that has most of them, this project's own last; what another contradicts is left out"


def of_heads(atlas: Atlas) -> OfHead:
    """Of a model, what gives the section of a head."""
    return Tracked(atlas).section


class Tracked:
    """What the heads of one model find, arranged by head; made once for all of its pages."""

    def __init__(self, atlas: Atlas) -> None:
        self._atlas, self._antecedents = atlas, by_head(atlas, ANTECEDENTS)
        treebanks = atlas.results.table("relations")["corpus"].nunique()
        self._read = treebanks > 0
        self._where = SEVERAL if treebanks > 1 else ""
        self._tried = atlas.tried
        self._found: dict[tuple[int, int], list[Tried]] = {}
        for place, one in leads(self._tried.drop_duplicates(["relation", "layer", "head"])):
            if atlas.treebanks.stands(one, place):
                self._found.setdefault(place, []).append(one)
        self._rules = self._best_rules()
        tables = atlas.results.table(MENTIONED), atlas.results.of_study(COUNTED, ANTECEDENTS.name)
        self._everywhere = {candidates: Everywhere(*tables, candidates) for candidates in self._rules}

    def section(self, layer: int, head: int, page: str) -> Section | None:
        """The section on what this head finds; None if the model read no treebank."""
        if not self._read:
            return None
        found = self._found.get((layer, head), [])
        more = Link("all relations", addresses.relative(addresses.relations(self._atlas.slug), page))
        rows = (*map(_row, found[:MOST]), *self._mentions(layer, head))
        which = "these dependency relations" if found else "no dependency relation"
        if len(found) > MOST:
            which = f"{in_letters(len(found))} dependency relations"
        most = f"; below are the {in_letters(MOST)} with the largest gain" if len(found) > MOST else ""
        few = f"No dependency relation that was read has {FEW_WORDS} words or more, so none was tried."
        lead = (
            LEAD.format(which=which, gain=LEAST_GAIN, most=most, words=FEW_WORDS, where=self._where)
            if len(self._tried)
            else few
        )
        told: Block = (lead, " See ", more, ".") if there(self._atlas) else (lead,)
        columns = ("finds", "how", "accuracy", "95 % interval", "n", "baseline", "gain", "corpus")
        shown = (table("What this head finds", columns, rows, SURE),) if rows else ()
        return Section("relations", "What it finds", (told, *shown))

    def _mentions(self, layer: int, head: int) -> Iterator[Cells]:
        """A row for each set of candidates among which the head finds antecedents clearly better than the best rule."""
        found: Mapping[str, Any] = self._antecedents.get((layer, head), {})
        for candidates, (rule, corpus) in self._rules.items():
            row = found.get(f"{candidates}.all")
            if not all(one.beats for one in self._everywhere[candidates].apart_from((layer, head), corpus)):
                continue
            if row and is_lead(gain := lead(Number.of(row), rule)):
                base = f"{number(rule.value)} by the best simple rule"
                told = *pieces(Number.of(row)), count(row["n"]), base, _gain(gain), corpus
                yield "antecedents", f"among {candidates}", *told

    def _best_rules(self) -> Mapping[str, tuple[Number, str]]:
        """Candidates -> how often the best simple rule finds the antecedent among them, and in which text: the first
        with mentions.
        """
        table = self._atlas.results.table(MENTIONED)
        rows = table[(table["kind"] == "all") & (table["predictor"] == BEST) & (table["protocol"] == SAME_DATA)]
        rows = rows.drop_duplicates("candidates")
        return {row["candidates"]: (Number.of(row), row["corpus"]) for row in records(rows)}


def _row(one: Tried) -> Cells:
    base = f"{number(one.baseline.value)} at {one.offset:+d}"
    how = DIRECTION_IN_WORDS[one.direction]
    return relation_cell(one.relation), how, *pieces(one.right), count(one.n), base, _gain(one.gain), one.corpus


def _gain(one: Number) -> Cell:
    value, ends = pieces(one, against=(LEAST_GAIN,))
    return Cell(value, note="" if ends == NOTHING.text else ends)
