"""Where trainings on a task end, for hand-written pages: the lines between every two of them, and two sentences."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from generator.numbers.number import Number
from generator.numbers.writing import number, percent, pieces, written
from generator.pages.blocks import Figure, Table, first_title
from generator.pages.figures import embed, estimate_columns
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cells, Link
from generator.pages.studies.tables import by_name, stored
from generator.pages.written.context import Context
from generator.pages.written.in_markdown import text
from generator.topics.tasks.page.words import NAMES
from generator.topics.tasks.records.optima import OPTIMA, SPLIT, START

Row = Mapping[str, Any]
STARTS = START.values
"""Group of trainings -> its name in the figure."""
SPLITS = {name: SPLIT.values[name] for name in ("dev", "train")}
POINTS = 10
"""Steps of a line."""
ENDLESS = "No model of this guide was trained on a task from one start and from several."


@dataclass(frozen=True)
class Ends:
    """What is stored of a model on one task."""

    atlas: Atlas
    task: str

    @cached_property
    def facts(self) -> Mapping[str, Row]:
        """Name -> row."""
        return by_name(stored(self.atlas, "facts", study=OPTIMA, corpus=self.task), OPTIMA)

    @property
    def learned(self) -> bool:
        """Whether every training is surely above the majority class."""
        leads = [row for name, row in self.facts.items() if name.startswith("lead.")]
        return all(row["low"] > 0 for row in leads)

    def of(self, name: str) -> Number:
        """A number."""
        return Number.of(self.facts[name])

    def lines(self, split: str, group: str) -> Iterator[tuple[int, int, Row]]:
        """The number of a line, the point on it in tenths, and the row of the loss there."""
        number = 1
        while f"line.{split}.{group}.{number}.0" in self.facts:
            for point in range(POINTS + 1):
                yield number, point, self.facts[f"line.{split}.{group}.{number}.{point}"]
            number += 1


def ends(atlas: Atlas) -> Ends | None:
    """The first task on which all trainings learned, or else the first; None where there is none."""
    tasks = [
        results.manifest.experiment.partition(".")[2]
        for results in atlas.results.more
        if results.manifest.experiment.startswith(f"{OPTIMA.name}.")
    ]
    found = [Ends(atlas, task) for task in tasks]
    return next((one for one in found if one.learned), found[0] if found else None)


def optima(context: Context, /) -> str:
    """Two sentences on where trainings end, of the first model that has them."""
    found = next(filter(None, map(ends, context.atlases)), None)
    return text(_told(found)) if found else ENDLESS


def _told(found: Ends) -> str:
    model, task = found.atlas.results.manifest.model, NAMES.get(found.task, found.task)
    if not found.learned:
        return f"Of the trainings of {model} on {task}, not all learned it, so nothing is said of where they end."
    alike = {group: percent(found.of(f"agree.{group}")) for group in STARTS}
    implied = {group: percent(found.of(f"agree.{group}.implied"), ends=False) for group in STARTS}
    heights = {group: written(found.of(f"barrier.dev.{group}"), "nats", signed=True) for group in STARTS}
    return (
        f"Two trainings of {model} on {task} answer {alike['pretrained.same']} of the held-out examples alike from one "
        f"pre-trained start, {alike['random.same']} from one random start and {alike['random.other']} from several; "
        f"their accuracies alone would give {implied['pretrained.same']}, {implied['random.same']} and "
        f"{implied['random.other']}. At its highest, the held-out loss on the line between two of them lies "
        f"{heights['pretrained.same']} above the straight line between their own losses from one pre-trained start, "
        f"{heights['pretrained.other']} with heads of their own, {heights['random.same']} from one random start and "
        f"{heights['random.other']} from several."
    )


def optima_figure(atlas: Atlas, page: str) -> Figure | None:  # noqa: ARG001 - as all figures
    """The losses on the lines between every two trainings; None where there are none, or where not all learned."""
    found = ends(atlas)
    if found is None or not found.learned:
        return None
    views = [_view(found, split) for split in SPLITS]
    rows = [row for split in SPLITS for row in _rows(found, split)]
    return Figure(
        id="lines",
        label=first_title(views),
        kinds=("lines",),
        data=embed({"shared": {}, "views": views}),
        views=tuple(Link(words[0].upper() + words[1:], "") for words in SPLITS.values()),
        chooser="Examples",
        caption=(
            f"Each line joins two trainings on {NAMES.get(found.task, found.task)}; at its ends are these, and between "
            "them models whose weights, those of the head among them, lie at so much of the straight way. The dashed "
            "rule is the loss of a constant answer. Intervals, in the tooltip, are 95 % over examples, not over "
            "trainings."
        ),
        table=Table(("examples", "trainings", "line", "share of the way", "value", "95 % interval", "n"), tuple(rows)),
    )


def _view(found: Ends, split: str) -> dict[str, Any]:
    lines = [(STARTS[group], *one) for group in STARTS for one in found.lines(split, group)]
    numbers = [Number.of(row) for *_, row in lines]
    constant = found.of(f"loss.{split}.constant").value
    columns: dict[str, Any] = {
        "series": [series for series, *_ in lines],
        "line": [f"{series}, line {number}" for series, number, *_ in lines],
        "share": [point / POINTS for _, _, point, _ in lines],
        "n": [int(one.n) for one in numbers],
        "constant": [constant for _ in lines],
    }
    highest = max(range(len(lines)), key=lambda at: numbers[at].value)
    return {
        "columns": columns | estimate_columns(numbers),
        "signals": {},
        "constants": {"examples": SPLITS[split], "unit": "nats"},
        "title": (
            f"The highest loss of {found.atlas.results.manifest.model} on {SPLITS[split]} is "
            f"{number(numbers[highest].value)} nats, on a line between trainings of this kind: {lines[highest][0]}"
        ),
    }


def _rows(found: Ends, split: str) -> Iterator[Cells]:
    for group, series in STARTS.items():
        for line, point, row in found.lines(split, group):
            cells = pieces(Number.of(row))
            yield SPLITS[split], series, str(line), number(point / POINTS), *cells, f"{int(row['n']):,}"
