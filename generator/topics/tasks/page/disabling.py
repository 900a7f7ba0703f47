"""The sections of the page on tasks on disabled heads: the grid of changes, the heads that are needed, whole layers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from generator.charts.theme import DIRECTIONS
from generator.claims.cutoffs import SEED
from generator.corpora.tasks import TASKS
from generator.numbers.number import Number
from generator.numbers.quantity import Named
from generator.numbers.writing import number, pieces
from generator.pages.blocks import SURE, Block, Figure, Note, Section, Table
from generator.pages.figures import embed, estimate_columns
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cells, Name
from generator.pages.links import head_name, to_head, to_term
from generator.pages.studies.seen import needed_seen
from generator.pages.studies.tables import NOTHING, cell, count, measured, table
from generator.studies.over_heads import explains_cost
from generator.topics.tasks.claims.needs import FAMILY
from generator.topics.tasks.derived.verdicts import BETTER, NEEDED, UNSEEN, judge
from generator.topics.tasks.page.results import (
    UNKNOWN,
    WAYS,
    Place,
    Sweep,
    learned,
    with_n,
    with_own_n,
)
from generator.topics.tasks.page.words import METRICS, spelled
from generator.topics.tasks.records.tasks import DISABLING

TITLES = {task.name: task.title for task in TASKS}
LEFT = "zero.best_left"
BEST_OF = "uniform"
"""The way of disabling for which a best head and a best layer are shown."""
MORE, LESS = DIRECTIONS
OF_ALL = "hold for all heads and layers at once"
OF_ONE = "are of one head each, as no others are stored"
HOW_TO_READ = (
    "A head made uniform attends to every token alike; one set to zero adds nothing. A change is the score without "
    "the head minus that with it, on the same examples and without further training. Its interval holds for all "
    "heads and layers together. A head is needed where the interval of its change lies below 0, and the model is "
    "better without it where the interval lies above. Where the interval contains 0, no change is seen; there may "
    "still be one."
)


def disabling(atlas: Atlas, found: Sequence[Sweep], copies: Mapping[str, int], page: str) -> Iterator[Section]:
    """A section on how to read a change, then a section for each task; `copies` says how many fine-tuned copies the
    scores of a task are means over.
    """
    if found:
        yield Section("disabling", "What disabling heads costs", (HOW_TO_READ,))
    for place, sweep in enumerate(found, start=1):
        title = Name(TITLES.get(sweep.task, sweep.task))
        tables = (*_heads(atlas, sweep, page), *_layers(atlas, sweep, page))
        blocks = (
            *_read(sweep, copies.get(sweep.task, 0)),
            *_found(atlas, sweep),
            changes_figure(atlas, sweep, place, page),
            *tables,
        )
        yield Section(f"disabled-{place}", title, blocks, level=3)


def _read(sweep: Sweep, copies: int) -> Iterator[str]:
    """Sentences on the score with every head in place, of the one copy that is tried."""
    metric = METRICS.get(sweep.task, "score")
    base, lead = (sweep.layers.get(name, {}).get(0) for name in ("base", "base.lead"))
    means = f"The scores above are means over {copies} copies." if copies > 1 else ""
    name = spelled(metric)
    score = name if "'" in name else f"the {name}"
    text = f"With every head, {score} of the copy tried here is {with_n(base)}." if base else ""
    parts = (text, learned(lead, sweep.task), means)
    if any(parts):
        yield " ".join(filter(None, parts))


def _found(atlas: Atlas, sweep: Sweep) -> Iterator[str]:
    whole = Named(DISABLING, {name: rows[0] for name, rows in sweep.layers.items() if 0 in rows})
    for way in sweep.ways:
        done, parts = WAYS[way][0], []
        if way in sweep.judged:
            needed, unseen, better = (sweep.how_many(way, name) for name in (NEEDED, UNSEEN, BETTER))
            parts.append(
                f"Of {len(atlas.places)} heads {done}, one at a time, {needed} {'is' if needed == 1 else 'are'} "
                f"needed, {unseen} {'shows' if unseen == 1 else 'show'} no change, and the model is better without "
                f"{better or 'none'}."
            )
        if mean := whole.get(f"{way}.mean"):
            parts.append(f"On average, one head {done} changes the score by {with_n(mean, ' points')}.")
        for kind in ("head", "layer") if way == BEST_OF else ():
            if best := whole.get(f"{way}.best_{kind}"):
                parts.append(
                    f"When the best {kind} to disable is chosen on one half of the examples and {done}, the score on "
                    f"the other half changes by {with_n(best, ' points')}."
                )
        if parts:
            yield " ".join(parts)


def changes_figure(atlas: Atlas, sweep: Sweep, place: int, page: str) -> Figure:
    """The grid of heads with the change of a task's score without each; `place` numbers the task on its page."""
    values = [row["value"] for way in sweep.ways for row in sweep.heads[way].values() if not np.isnan(row["value"])]
    n = max(row["n"] for way in sweep.ways for row in sweep.heads[way].values())
    top = round(max(map(abs, values), default=0.0), 4) or 1.0
    shared = {
        "layer": [layer for layer, _ in atlas.places],
        "head": [head for _, head in atlas.places],
        "href": [to_head(atlas.slug, *head, page).href for head in atlas.places],
    }
    views = []
    for way in sweep.ways:
        columns: dict[str, Any] = {"verdict": [sweep.verdict(way, head) for head in atlas.places]}
        columns["sure"] = [int(verdict in (NEEDED, BETTER)) for verdict in columns["verdict"]]
        columns |= estimate_columns(Number.of(sweep.row(way, head)) for head in atlas.places)
        columns["size"] = [abs(value or 0) for value in columns["value"]]
        columns["direction"] = [MORE if (value or 0) > 0 else LESS for value in columns["value"]]
        constants = {"corpus": sweep.task, "disabled": WAYS[way][0], "unit": "points", "n": int(n)}
        views.append({"columns": columns, "signals": {"top": top}, "constants": constants})
    ways = [WAYS[way] for way in sweep.ways]
    return Figure(
        id=f"changes-{place}",
        label=needed_seen(
            sweep.name,
            len(atlas.places),
            {WAYS[way][0]: sweep.how_many(way, NEEDED) for way in sweep.ways},
            learned=sweep.learned,
        ),
        kinds=("changes",),
        data=embed({"shared": shared, "views": views}),
        views=tuple(to_term(term, done, page) for done, term in ways) if len(ways) > 1 else (),
        chooser="Each head",
        caption=(
            f"Change of the score in points, hundredths of it, with one head {' or '.join(done for done, _ in ways)}; "
            f"below 0 the score falls, so the head was of use. Measured on {n:,} dev examples of {sweep.name}. "
            f"95 % intervals resample examples and {OF_ALL if sweep.judged else OF_ONE}. A dot marks a head whose "
            "interval leaves out 0 for all of them. Choose a square for the page of its head."
        ),
        table=Table(
            ("head", *(text for way in sweep.ways for text in _columns(way)), "importance"),
            tuple((head_name(*head), *_cells(sweep, head)) for head in atlas.places),
        ),
    )


def _columns(way: str) -> tuple[str, ...]:
    return f"{WAYS[way][0]}, points", "interval", "meaning"


def _cells(sweep: Sweep, place: Place) -> Iterator[str]:
    for way in sweep.ways:
        yield from (*pieces(Number.of(sweep.row(way, place))), sweep.verdict(way, place) or NOTHING.text)
    yield number(sweep.heads.get("importance", {}).get(place, UNKNOWN)["value"])


def _heads(atlas: Atlas, sweep: Sweep, page: str) -> Iterator[Table]:
    """Tables of the heads without which the score surely changes."""
    lines = []
    for way in sweep.ways:
        rows = sweep.heads[way]
        for place in sorted((place for place in atlas.places if place in rows), key=lambda head: rows[head]["value"]):
            verdict = sweep.verdict(way, place)
            if verdict in (NEEDED, BETTER):
                judged = sweep.row(way, place)
                heading = to_head(atlas.slug, *place, page), WAYS[way][0], verdict
                lines.append((*heading, measured(judged), count(judged["n"])))
    columns = ("head", "how", "meaning", "change, points", to_term("n", "n, examples", page))
    if lines:
        yield table(f"Heads that change {sweep.name}", columns, lines, SURE)


def _layers(atlas: Atlas, sweep: Sweep, page: str) -> Iterator[Block]:
    names = [name for name in (*WAYS, LEFT) if any(layer for layer in sweep.layers.get(name, {}))]
    if not names:
        return
    said = {way: to_term(term, f"{done}, points", page) for way, (done, term) in WAYS.items()}
    columns = (
        "layer",
        *(said.get(name, "only its best head left, points") for name in names),
        *(f"{WAYS[name][0]}: meaning" for name in names if name in WAYS),
    )
    lines: list[Cells] = []
    for layer in range(1, atlas.shape[0] + 1):
        rows = [sweep.layers[name].get(layer) if name == LEFT else sweep.of_layer(name, layer) for name in names]
        family = (sweep.layers.get(name + FAMILY, {}).get(layer, UNKNOWN) for name in names if name in WAYS)
        lines.append((str(layer), *map(with_own_n, rows), *(judge(row) or NOTHING.text for row in family)))
    yield table(f"Whole layers of {sweep.name}", columns, lines)
    yield Note(
        "All heads of a layer at once. The head that is left is chosen on one half of the examples; its numbers are "
        "those on the other."
    )


def importance(found: Sequence[Sweep], page: str) -> Section | None:
    """Spearman's correlation, over heads, between gradient importance and what a task loses without the head; None if
    nothing is stored.
    """
    lines = []
    for sweep in found:
        weights = sweep.heads.get("importance", {})
        for way in sweep.ways if weights else ():
            both = sorted(weights.keys() & sweep.heads[way].keys())
            weight, change = (
                np.array([rows[place]["value"] for place in both]) for rows in (weights, sweep.heads[way])
            )
            rho = explains_cost(weight, change, SEED)
            lines.append((Name(sweep.name), WAYS[way][0], cell(rho), count(rho.n)))
    if not lines:
        return None
    columns = ("task", "how", to_term("spearmans-correlation", "Spearman's correlation", page), "n, heads")
    return Section(
        "importance",
        "Do gradients say what disabling costs?",
        (
            table("Gradient importance and what disabling costs", columns, lines),
            Note(
                "The correlation is over all heads of this model, which the interval resamples. Importance is the mean "
                "size of the gradient of the loss on a factor that scales the head's output; cost is the change with "
                "its sign turned. 1 would mean that the heads with the largest gradients cost most."
            ),
        ),
    )
