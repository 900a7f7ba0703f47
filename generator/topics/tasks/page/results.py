"""Stored results of experiments on labelled tasks, by task and head, and what a head's page says about them.

Changes of scores are in points, hundredths of a score.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from generator.corpora.kinds import TASK
from generator.corpora.tasks import TASKS
from generator.numbers.number import UNDEFINED, Number
from generator.numbers.quantity import AXIS, Named
from generator.numbers.writing import listed, number, pieces
from generator.pages.figures import ESTIMATE
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell
from generator.pages.studies.tables import corpora, measured, of_name, stored
from generator.results.tables import records
from generator.topics.compare.records.comparison import COMPARE, COMPARISON
from generator.topics.tasks.claims.needs import FAMILY
from generator.topics.tasks.derived.verdicts import NEEDED, UNSEEN, how_many, judge
from generator.topics.tasks.page.words import DOING, NAMES, POINTS
from generator.topics.tasks.records.tasks import DISABLING

Row = Mapping[str, Any]
Place = tuple[int, int]
WAYS = {"uniform": ("made uniform", "disable"), "zero": ("set to zero", "zero")}
"""Way of disabling -> what is done to a head, and the entry of the glossary."""
UNKNOWN = UNDEFINED._asdict()
ALIKE, RELATED = 0.95, 0.8
"""The least cosines at which maps are said to have hardly changed, and to have changed somewhat."""
AS_STORED = frozenset(
    DISABLING.quantity(name).name
    for name in ("base", "base.majority", "base.lead", "importance", *map("uniform.best_head.{}".format, AXIS.values))
)
"""Numbers of a sweep that are no changes, and so are not shown in points."""
CORRELATION = " correlation"
"""What the name of a score that is a correlation ends with."""
COSINE = ": the cosine of before and after is"
ORDER = tuple(task.name for task in TASKS)
"""The order in which tasks are shown."""
REGRESSIONS = frozenset(task.name for task in TASKS if not task.labels)
"""Tasks without a majority class: their scores are correlations, and always giving the same answer counts as 0."""


@dataclass(frozen=True)
class OfTask:
    """What is stored about one task."""

    task: str

    @property
    def name(self) -> str:
        """What the task is called on pages."""
        return NAMES.get(self.task, self.task)


@dataclass(frozen=True)
class Sweep(OfTask):
    """One task's results; changes are in points."""

    heads: Mapping[str, Mapping[Place, Row]]
    """Name -> 1-based layer and head -> row."""
    layers: Mapping[str, Mapping[int, Row]]
    """Name -> layer -> row; layer 0 is the whole model."""

    @property
    def learned(self) -> bool:
        """Whether the model surely scores above always giving the same answer: the commonest class or, for a
        regression, the mean. Also true if that is not known.
        """
        lead = self.layers.get("base.lead", {}).get(0, UNKNOWN)
        return np.isnan(lead["low"]) or bool(lead["low"] > 0)

    @property
    def ways(self) -> list[str]:
        """The ways of disabling that were tried."""
        return [way for way in WAYS if way in self.heads]

    @property
    def judged(self) -> list[str]:
        """The ways of disabling for which simultaneous intervals are stored."""
        return [way for way in self.ways if way + FAMILY in self.heads]

    def how_many(self, way: str, verdict: str) -> int:
        """How many heads have this verdict under one way of disabling."""
        return how_many((self._interval(way, place) for place in self.heads[way]), verdict)

    def verdict(self, way: str, place: Place) -> str:
        """The verdict on a head, as `judge` gives it; "" if no simultaneous interval is stored."""
        return judge(self._interval(way, place))

    def row(self, way: str, place: Place) -> Row:
        """What disabling a head in one way changes, with the interval by which it is judged; undefined if it was not
        disabled.
        """
        return self.heads.get(way + FAMILY, {}).get(place) or self.heads[way].get(place, UNKNOWN)

    def of_layer(self, way: str, layer: int) -> Row | None:
        """What disabling a whole layer in one way changes, with the interval by which it is judged; None if it was not
        disabled.
        """
        return self.layers.get(way + FAMILY, {}).get(layer) or self.layers[way].get(layer)

    def _interval(self, way: str, place: Place) -> Row:
        return self.heads.get(way + FAMILY, {}).get(place, UNKNOWN)


def sweeps(atlas: Atlas) -> list[Sweep]:
    """The results of every task for which heads were disabled."""
    heads, facts = (stored(atlas, name, study=DISABLING) for name in ("head_facts", "facts"))
    found = []
    for task in corpora(of_name(heads, DISABLING, *WAYS), ORDER):
        of_heads: dict[str, dict[Place, Row]] = {}
        of_layers: dict[str, dict[int, Row]] = {}
        for row in map(in_points, records(heads[heads["corpus"] == task])):
            of_heads.setdefault(row["name"], {}).setdefault((row["layer"], row["head"]), row)
        for row in map(in_points, records(facts[facts["corpus"] == task])):
            of_layers.setdefault(row["name"], {}).setdefault(row["layer"], row)
        found.append(Sweep(task, Named(DISABLING, of_heads), Named(DISABLING, of_layers)))
    return found


def in_points(row: dict[str, Any]) -> dict[str, Any]:
    """A row with its numbers in points if it is a change; any other row unchanged."""
    return row if row["name"] in AS_STORED else row | {field: POINTS * row[field] for field in ESTIMATE}


def with_n(row: Row, unit: str = "") -> str:
    """A number with its interval and n in brackets, for a sentence."""
    value, ends = pieces(Number.of(row))
    inside = f"n {row['n']:,}" if ends == "-" else f"{ends}, n {row['n']:,}"
    return f"{value}{unit} ({inside})"


def learned(lead: Row | None, task: str) -> str:
    """A sentence on whether a score is surely above the majority class, from its lead; "" if no lead is stored or its
    value is NaN.
    """
    if lead is None or np.isnan(lead["value"]):
        return ""
    doubt = "" if lead["low"] > 0 else ", so the model has not surely learned the task"
    if task in REGRESSIONS:
        return f"Always giving the mean scores 0{doubt}."
    if lead["value"] < 0:
        return f"Minus the score of the majority class that is {with_n(lead)}{doubt}."
    return f"That is {with_n(lead)} above the majority class{doubt}."


def with_own_n(row: Row | None) -> Cell:
    """A cell with a number, and its interval and n below."""
    found = measured(row)
    return Cell(found.text, note=", ".join(part for part in (found.note, f"n {row['n']:,}") if part)) if row else found


@dataclass(frozen=True)
class Tuned(OfTask):
    """How similar maps are before and after fine-tuning on a task, as cosines."""

    other: str
    """The slug of the fine-tuned model."""
    heads: Mapping[Place, Row]
    layers: Mapping[int, Row]
    """Layer -> row of the mean over its heads; layer 0 is the mean over all heads."""


def tuned(atlas: Atlas) -> list[Tuned]:
    """The comparisons of the model with copies of it on the text of a task, sorted by task and by name."""
    heads, facts = (atlas.results.table(name) for name in ("head_facts", "facts"))
    tasks = {*ORDER, *atlas.results.manifest.of(TASK)}
    facts, heads = (
        rows[rows["study"].str.startswith(COMPARE) & rows["corpus"].isin(tasks)] if len(rows) else rows
        for rows in (facts, heads)
    )
    found = []
    for task in corpora(facts, ORDER):
        for study, rows in facts[facts["corpus"] == task].groupby("study", sort=True):
            cosine = of_name(rows, COMPARISON, "cosine")
            if len(cosine) and not (of_name(rows, COMPARISON, "copy")["value"] == 0).any():
                mine = heads[(heads["corpus"] == task) & (heads["study"] == study)]
                mine = of_name(mine, COMPARISON, "cosine")
                of_heads = {(row["layer"], row["head"]): row for row in records(mine)}
                of_layers = {row["layer"]: row for row in records(cosine)}
                found.append(Tuned(task, str(study).removeprefix(COMPARE), of_heads, of_layers))
    return found


class Effects:
    """Sentences on what tasks say about single heads; made once for all pages of a model."""

    def __init__(self, atlas: Atlas) -> None:
        self._sweeps = sweeps(atlas)
        self._tuned = tuned(atlas)

    def of_head(self, layer: int, head: int, said: str = "") -> str:
        """What disabling a head changes and how much fine-tuning changes its maps; "" if neither was tried, or if
        `said` is all.

        `said` is a task, with a way of disabling after a slash, of which the page has said what it loses. A number has
        the interval by which it is judged.
        """
        place = layer, head
        return " ".join(filter(None, (self._answer(place, said), self._changes(place, said), self._cosines(place))))

    def _answer(self, place: Place, said: str) -> str:
        """Whether a task that was learned loses by every way of disabling, or by some; "" if none was tried."""
        tried = [sweep for sweep in self._sweeps if sweep.learned]
        found = {
            sweep.name: [sweep.verdict(way, place) for way in WAYS if place in sweep.heads.get(way, {})]
            for sweep in tried
        }
        lost = [task for task, verdicts in found.items() if NEEDED in verdicts]
        named = [sweep.name for sweep in tried if sweep.task == said.partition("/")[0]]
        sure = [task for task in lost if task in named or {*found[task]} == {NEEDED}]
        if sure:
            return f"Yes, for {listed(sure)}."
        if lost:
            return f"Perhaps, for {listed(lost)}: the ways to disable it disagree."
        return "Not that we could see." if any(found.values()) else ""

    def _changes(self, place: Place, said: str) -> str:
        """What the first way of disabling changes, and what another changes beside that or of the same scores."""
        tried = [sweep for sweep in self._sweeps if sweep.learned]  # what was not learned cannot be lost
        first, *others = [way for way in WAYS if any(place in sweep.heads.get(way, {}) for sweep in tried)] or [""]
        of_way = [sweep for sweep in tried if place in sweep.heads.get(first, {})]
        if not of_way:
            return ""
        quiet = [sweep for sweep in of_way if sweep.verdict(first, place) == UNSEEN]
        more = [clause for way in others if (clause := _beside(way, place, of_way, quiet, said))]
        also = [way for way in others if all(sweep.verdict(way, place) == UNSEEN for sweep in quiet)] if quiet else []
        doing = " or ".join([DOING[first], *(DOING[way][0].lower() + DOING[way][1:] for way in also)])
        unseen = f" ({listed([sweep.name for sweep in quiet])})"
        changed = [sweep for sweep in of_way if sweep not in quiet and f"{sweep.task}/{first}" != said]
        if changed:
            rest = f", and that on {listed([sweep.name for sweep in quiet])} not beyond noise" if quiet else ""
            text = f"{_changes_by(first, place, changed)}{rest}."
        elif quiet:
            other = " other" if len(quiet) < len(of_way) else ""
            text = f"{doing} changes no{other} score beyond noise{unseen}."
        else:
            text = ""
        return " ".join([text, *more]).strip()

    def _cosines(self, place: Place) -> str:
        first: dict[str, Row | None] = {}
        for tuning in self._tuned:
            first.setdefault(tuning.name, tuning.heads.get(place))
        rows = sorted((row["value"], name, row) for name, row in first.items() if row)
        if not rows:
            return ""
        (low, most, row), (high, least, _) = rows[0], rows[-1]
        change = _changing(low)
        if change != _changing(high):
            return f"Fine-tuning changes its maps most on {most}{COSINE} {number(low)}, on {least} {number(high)}."
        cosines = f"{number(low)} to {number(high)}" if len(rows) > 1 else f"{with_n(row)} on {most}"
        return f"Fine-tuning {change}{COSINE} {cosines}."


def _changes_by(way: str, place: Place, sweeps: Sequence[Sweep]) -> str:
    seen = listed([f"{sweep.name} by {with_n(sweep.row(way, place), ' points')}" for sweep in sweeps])
    return f"{DOING[way]} changes the score on {seen}"


def _beside(way: str, place: Place, sweeps: Sequence[Sweep], quiet: Sequence[Sweep], said: str) -> str:
    """What another way of disabling changes: every score that it surely changes and, of those that the first way
    changes (which are not `quiet`), those that it does not; without what was said.
    """
    tried = [sweep for sweep in sweeps if place in sweep.heads.get(way, {}) and f"{sweep.task}/{way}" != said]
    unseen = [sweep for sweep in tried if sweep.verdict(way, place) == UNSEEN]
    changed = [sweep for sweep in tried if sweep not in unseen]
    alike = listed([sweep.name for sweep in unseen if sweep not in quiet])
    if changed:
        return _changes_by(way, place, changed) + (f", but that on {alike} not beyond noise." if alike else ".")
    return f"{DOING[way]} does not change the score on {alike} beyond noise." if alike else ""


def _changing(cosine: float) -> str:
    """How much fine-tuning changes maps with this cosine between before and after, in words."""
    if cosine >= ALIKE:
        return "hardly changes its maps"
    return "changes its maps somewhat" if cosine >= RELATED else "changes its maps much"
