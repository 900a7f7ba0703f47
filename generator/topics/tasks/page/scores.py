"""Scores of labelled tasks by way of training, beside those of the paper: Table 1 of Kovaleva et al. 2019."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from generator.charts import TOLD
from generator.charts.theme import PRINTED, SYSTEMS
from generator.claims.published import FOLDER, Published, read_published
from generator.numbers.number import Number
from generator.numbers.quantity import Named
from generator.numbers.writing import number, pieces
from generator.pages.blocks import Figure, Note, Section, Table
from generator.pages.figures import ESTIMATE, as_stored, embed, estimate_columns
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell, Cells, Link, Name, Prose
from generator.pages.links import to_reference, to_term
from generator.pages.studies.seen import gained_seen
from generator.pages.studies.tables import NOTHING, corpora, count, measured, stored, table
from generator.results.tables import records
from generator.topics.tasks.claims.learned import FINE_TUNED, FROZEN, MAJORITY, RANDOM
from generator.topics.tasks.page.results import CORRELATION, ORDER, REGRESSIONS, Row
from generator.topics.tasks.page.words import METRICS, NAMES, POINTS, spelled
from generator.topics.tasks.records.tasks import SCORES

COLUMNS = dict(zip((MAJORITY, FROZEN, RANDOM, FINE_TUNED), SYSTEMS, strict=True))
"""Way of training, as the store names it -> its name on the page."""
PAPER = {FROZEN: "pretrained", RANDOM: "random", FINE_TUNED: "finetuned"}
"""Way of training, as the store names it -> its name in the keys of published numbers."""
SEED, LEAD = ".seed", ".lead"
GAIN = f"{FINE_TUNED}.minus.{FROZEN}"


class Score(NamedTuple):
    """One task by one metric: a row of Table 1."""

    task: str
    metric: str
    rows: Mapping[str, Row]
    """Way of training -> row of its score."""
    seeds: Mapping[str, tuple[float, ...]]
    """Way of training -> the scores of single seeds, in the order of the seeds."""
    published: Mapping[str, Published]

    @property
    def name(self) -> str:
        """The names of task and metric."""
        return f"{NAMES.get(self.task, self.task)}, {spelled(self.metric)}"

    def number(self, how: str) -> Number | None:
        """The score of one way of training; None if it is not stored."""
        row = self.rows.get(how)
        return Number.of(row) if row else None


def scores(atlas: Atlas) -> list[Score]:
    """Every task by every metric, the headline first."""
    facts = stored(atlas, "facts", study=SCORES, layer=0)
    found = []
    for task in corpora(facts, ORDER):
        rows: dict[str, dict[str, Row]] = defaultdict(dict)
        seeds: dict[str, dict[str, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
        for row in records(facts[facts["corpus"] == task]):
            metric, _, how = row["name"].partition(".")
            how, _, seed = how.partition(SEED)
            if seed:
                seeds[metric][how][int(seed)] = row["value"]
            else:
                rows[metric].setdefault(how, row)
        first = METRICS.get(task)
        for metric in sorted(rows, key=lambda name: (name != first, name)):
            ordered = {how: tuple(of[seed] for seed in sorted(of)) for how, of in seeds[metric].items()}
            found.append(
                Score(task, metric, Named(SCORES, rows[metric], f"{metric}."), ordered, _published(task, metric))
            )
    return found


def _published(task: str, metric: str) -> dict[str, Published]:
    """Way of training -> what the paper prints; its "accuracy" of a regression counts as the headline metric."""
    known = read_published(FOLDER)

    def named(name: str) -> dict[str, Published]:
        keys = {how: f"kovaleva.table1.{task}.{name}.{column}" for how, column in PAPER.items()}
        return {how: known[key] for how, key in keys.items() if key in known}

    return named(metric) or (named("accuracy") if metric == METRICS.get(task) else {})


def _cell(score: Score, how: str) -> Cell:
    row = score.rows.get(how)
    if row is None:
        return NOTHING
    seeds = score.seeds.get(how, ())
    value, ends = pieces(Number.of(row))
    parts = [ends]
    if seeds:
        parts.append(f"{len(seeds)} seed{'s' * (len(seeds) > 1)}: {', '.join(map(number, seeds))}")
    led = score.rows.get(how + LEAD) if how != MAJORITY and score.task not in REGRESSIONS else None
    if led and not np.isnan(led["value"]):
        ahead, beyond = pieces(Number.of(led))
        parts.append(f"minus the majority class: {ahead}" + f" ({beyond})" * (beyond != NOTHING.text))
    return Cell(value, note="; ".join(part for part in parts if part != NOTHING.text))


def _gain(score: Score) -> Cell:
    """The gain of fine-tuning over frozen weights, in points."""
    gain = score.rows.get(GAIN)
    if gain is None:
        return NOTHING
    return measured({**gain, **{field: POINTS * gain[field] for field in ESTIMATE}})


def fine_tuning(found: list[Score], page: str) -> Section | None:
    """A figure with scores as dots, and a table with a row for each task and metric and the published scores below;
    None without scores.
    """
    if not found:
        return None
    columns: tuple[Link | str, ...] = (
        "task",
        *COLUMNS.values(),
        to_term("fine-tuning", "gain by fine-tuning, points", page),
        to_term("n", "n, dev examples", page),
    )
    return Section(
        "fine-tuning",
        "What fine-tuning gains",
        (
            scores_figure(found),
            table("Scores by way of training", columns, _rows(found, page)),
            Note(
                "Frozen: the pre-trained weights stay as they are and only a classifier on top is trained; the "
                "authors' blog says the same of the paper's. Random: the same architecture, fine-tuned from random "
                "weights. A gain is the difference on the same examples, so it can be sure where the intervals of both "
                "scores overlap. A point is a hundredth of a score."
            ),
        ),
    )


def _rows(found: list[Score], page: str) -> Iterator[Cells]:
    for score in found:
        n = max(row["n"] for row in score.rows.values())
        yield Name(score.name), *(_cell(score, how) for how in COLUMNS), _gain(score), count(n)
        if score.published:
            first = next(iter(score.published.values()))
            link = to_reference("kovaleva2019", "published", page)
            heading = Cell(link.text, link.href, f"BERT-base, {spelled(first.key.split('.')[-2])}")
            said = (score.published.get(how) for how in COLUMNS)
            cells = (Cell(number(part.value), note=part.note) if part else NOTHING for part in said)
            yield heading, *cells, _published_gain(score), NOTHING


def _published_gain(score: Score) -> Prose:
    if not {FROZEN, FINE_TUNED} <= set(score.published):
        return NOTHING
    return number(POINTS * (score.published[FINE_TUNED].value - score.published[FROZEN].value))


def _in_brackets(name: str) -> str:
    """The name of a score with its metric in brackets, for a list of several."""
    task, comma, score = name.removesuffix(CORRELATION).partition(", ")
    return f"{task} ({score})" if comma else task


def _unlearned(found: list[Score]) -> list[str]:
    """The tasks in whose first metric fine-tuned weights are not surely better than the majority class."""
    first = {score.task: score for score in reversed(found)}
    leads = {task: score.rows.get(FINE_TUNED + LEAD) for task, score in reversed(first.items())}
    return [NAMES.get(task, task) for task, lead in leads.items() if lead and not lead["low"] > 0]


def scores_figure(found: list[Score]) -> Figure:
    """The scores as dots, one line for each way of training, with ticks at published ones."""
    lines = [(score, how, score.rows[how]) for score in found for how in COLUMNS if how in score.rows]
    printed = [score.published[how].value if how in score.published else np.nan for score, how, _ in lines]
    columns: dict[str, Any] = {
        "task": [score.name.removesuffix(CORRELATION) for score, _, _ in lines],
        "system": [COLUMNS[how] for _, how, _ in lines],
        "n": [int(row["n"]) for *_, row in lines],
        "seeds": [len(score.seeds.get(how, ())) for score, how, _ in lines],
        "published": as_stored(np.array(printed)),
        f"published_{TOLD}": list(map(number, printed)),
    }
    columns |= estimate_columns(Number.of(row) for *_, row in lines)
    named = [*COLUMNS.values(), *([PRINTED] if np.isfinite(printed).any() else [])]
    view = {"columns": columns, "signals": {"named": named}, "constants": {"unit": "score"}}
    rows = (
        (score.name, COLUMNS[how], *pieces(Number.of(row)), str(row["n"]), number(said))
        for (score, how, row), said in zip(lines, printed, strict=True)
    )
    return Figure(
        id="scores",
        label=gained_seen(
            {_in_brackets(score.name): Number.of(score.rows[GAIN]) for score in found if GAIN in score.rows},
            _unlearned(found),
        ),
        kinds=("scores",),
        data=embed({"shared": {}, "views": [view]}),
        caption=(
            "Scores on the dev examples of each task, mean over seeds, with 95 % intervals over examples and, where "
            "there are several, over seeds; n counts examples and stands in the table. Ticks are published scores of "
            "BERT-base. The majority class stands for always giving the commonest answer of these examples; a task is "
            "surely learned if the lead over it is surely above 0. Where a number is asked for, such an answer has no "
            "correlation and counts as 0. Scores are compared on the same examples, so one can surely be better "
            "where their intervals overlap."
        ),
        table=Table(("task", "trained", "score", "95 % interval", "n", "published"), tuple(rows)),
    )
