"""The section of a task's page on disabled heads: the grid of changes, the heads that are needed, whole layers."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from generator.charts.shifts import DIRECTIONS
from generator.claims.cutoffs import SEED
from generator.corpora.tasks import TASKS
from generator.numbers.correlation import rank_correlation
from generator.numbers.number import Number
from generator.numbers.quantity import Named
from generator.numbers.writing import interval, number, pieces
from generator.pages.blocks import Cell, Figure, Table
from generator.pages.figures import embed, rounded
from generator.pages.heads.atlas import Atlas
from generator.pages.links import head_name, to_head, to_term
from generator.pages.studies.contexts import Disabled
from generator.pages.studies.tables import NOTHING, cell, count, measured, table
from generator.pages.tasks.results import (
    BETTER,
    ESTIMATE,
    FAMILY,
    METRICS,
    NEEDED,
    UNKNOWN,
    UNSEEN,
    WAYS,
    Place,
    Row,
    Sweep,
    judge,
    learned,
    spelled,
    with_n,
    with_own_n,
)
from generator.studies.experiments.task_quantities import DISABLING

TITLES = {task.name: task.title for task in TASKS}
LEFT = "zero.best_left"
BEST_OF = "uniform"
"""The way in which a best head and a best layer are chosen."""
MORE, LESS = DIRECTIONS


def disabled(atlas: Atlas, found: Sequence[Sweep], page: str) -> tuple[Disabled, ...]:
    """A section for each task."""
    return tuple(_section(atlas, sweep, place, page) for place, sweep in enumerate(found, start=1))


def _section(atlas: Atlas, sweep: Sweep, place: int, page: str) -> Disabled:
    metric = METRICS.get(sweep.task, "score")
    base, lead = (sweep.layers.get(name, {}).get(0) for name in ("base", "base.lead"))
    read = f"With every head its {spelled(metric)} is {with_n(base)}." if base else ""
    return Disabled(
        id=f"disabled-{place}",
        title=TITLES.get(sweep.task, sweep.task),
        read=f"{read} {learned(lead)}".strip(),
        found=tuple(_found(atlas, sweep)),
        figure=_figure(atlas, sweep, place, page),
        heads=_heads(atlas, sweep, page),
        layers=_layers(atlas, sweep, page),
    )


def _found(atlas: Atlas, sweep: Sweep) -> Iterator[str]:
    whole = Named(DISABLING, {name: rows[0] for name, rows in sweep.layers.items() if 0 in rows})
    for way in sweep.ways:
        done, parts = WAYS[way][0], []
        if way in sweep.judged:
            said = ", ".join(f"{name} {sweep.how_many(way, name)}" for name in (NEEDED, UNSEEN, BETTER))
            parts.append(f"{len(atlas.places)} heads {done}, one at a time: {said}.")
        if mean := whole.get(f"{way}.mean"):
            parts.append(f"A head {done} changes the score by {with_n(mean, ' points')}, mean over heads.")
        for kind in ("head", "layer") if way == BEST_OF else ():
            if best := whole.get(f"{way}.best_{kind}"):
                parts.append(
                    f"The best {kind} to be {done}, chosen on one half of the examples, changes the score by "
                    f"{with_n(best, ' points')} on the other half."
                )
        if parts:
            yield " ".join(parts)


def _figure(atlas: Atlas, sweep: Sweep, place: int, page: str) -> Figure:
    values = [row["value"] for way in sweep.ways for row in sweep.heads[way].values() if not np.isnan(row["value"])]
    n = max(row["n"] for way in sweep.ways for row in sweep.heads[way].values())
    top = round(max(map(abs, values), default=0.0), 4) or 1.0
    shared = {
        "layer": [layer for layer, _ in atlas.places],
        "head": [head for _, head in atlas.places],
        "href": [to_head(atlas.slug, *one, page).href for one in atlas.places],
    }
    views = []
    for way in sweep.ways:
        columns: dict[str, Any] = {"verdict": [sweep.verdict(way, one) for one in atlas.places]}
        columns["sure"] = [int(verdict in (NEEDED, BETTER)) for verdict in columns["verdict"]]
        for name, start, fields in ((way, "", ESTIMATE), (way + FAMILY, "family_", ESTIMATE[1:])):
            rows = [sweep.heads.get(name, {}).get(one, UNKNOWN) for one in atlas.places]
            columns |= {start + field: rounded(np.array([row[field] for row in rows])) for field in fields}
        columns["size"] = [abs(value or 0) for value in columns["value"]]
        columns["direction"] = [MORE if (value or 0) > 0 else LESS for value in columns["value"]]
        constants = {"corpus": sweep.task, "disabled": WAYS[way][0], "unit": "points", "n": int(n)}
        views.append({"columns": columns, "signals": {"top": top}, "constants": constants})
    ways, several = [WAYS[way] for way in sweep.ways], len(views) > 1
    return Figure(
        id=f"changes-{place}",
        label=f"Change of the score of {sweep.name} without each head",
        kinds=("changes",),
        data=embed({"shared": shared, "views": views}),
        views=tuple(to_term(term, done, page) for done, term in ways) if several else (),
        chooser="Each head" if several else "",
        caption=(
            f"Change of the score in points, hundredths of it, with one head {' or '.join(done for done, _ in ways)}; "
            f"less is a loss, so that the head was of use. Read: {n:,} dev examples of {sweep.name}. Intervals "
            "resample examples: a head's own 95 % interval, and a simultaneous one, which holds for all heads and "
            "layers together. A dot marks a head whose simultaneous interval leaves out 0. Choose a square for the "
            "page of its head."
        ),
        table=Table(
            ("head", *(text for way in sweep.ways for text in _columns(way)), "importance"),
            tuple((head_name(*one), *_cells(sweep, one)) for one in atlas.places),
        ),
    )


def _columns(way: str) -> tuple[str, ...]:
    return f"{WAYS[way][0]}, points", "95 % interval", "simultaneous", "meaning"


def _cells(sweep: Sweep, place: Place) -> Iterator[str]:
    for way in sweep.ways:
        alone, family = (sweep.heads.get(name, {}).get(place, UNKNOWN) for name in (way, way + FAMILY))
        yield from pieces(Number.of(alone))
        yield from (interval(family["low"], family["high"]), sweep.verdict(way, place) or NOTHING.text)
    yield number(sweep.heads.get("importance", {}).get(place, UNKNOWN)["value"])


def _heads(atlas: Atlas, sweep: Sweep, page: str) -> Table | None:
    lines = []
    for way in sweep.ways:
        rows = sweep.heads[way]
        for place in sorted((place for place in atlas.places if place in rows), key=lambda one: rows[one]["value"]):
            verdict = sweep.verdict(way, place)
            if verdict in (NEEDED, BETTER):
                link = to_head(atlas.slug, *place, page)
                family = sweep.heads[way + FAMILY][place]
                heading = Cell(link.text, link.href), Cell(WAYS[way][0]), Cell(verdict), measured(rows[place])
                lines.append((*heading, Cell(interval(family["low"], family["high"])), count(rows[place]["n"])))
    columns = ("head", "how", "meaning", "change, points", "simultaneous interval", to_term("n", "n, examples", page))
    return table(f"Heads that change {sweep.name}", columns, lines) if lines else None


def _layers(atlas: Atlas, sweep: Sweep, page: str) -> Table | None:
    names = [name for name in (*WAYS, LEFT) if any(layer for layer in sweep.layers.get(name, {}))]
    if not names:
        return None
    said = {way: to_term(term, f"{done}, points", page) for way, (done, term) in WAYS.items()}
    columns = (
        "layer",
        *(said.get(name, "only its best head left, points") for name in names),
        *(f"{WAYS[name][0]}: meaning, simultaneous interval" for name in names if name in WAYS),
    )
    lines = []
    for layer in range(1, atlas.shape[0] + 1):
        rows = [sweep.layers[name].get(layer) for name in names]
        family = [sweep.layers.get(name + FAMILY, {}).get(layer, UNKNOWN) for name in names if name in WAYS]
        meant = (Cell(judge(one) or NOTHING.text, note=_simultaneous(one)) for one in family)
        cells = map(with_own_n, rows)
        lines.append((Cell(str(layer)), *cells, *meant))
    return table(f"Whole layers of {sweep.name}", columns, lines)


def _simultaneous(row: Row) -> str:
    between = interval(row["low"], row["high"])
    return "" if between == "-" else between


def importance(found: Sequence[Sweep], page: str) -> Table | None:
    """Spearman's correlation, over heads, of gradient importance with what a task loses without the head."""
    lines = []
    for sweep in found:
        weights = sweep.heads.get("importance", {})
        for way in sweep.ways if weights else ():
            both = sorted(weights.keys() & sweep.heads[way].keys())
            weight, change = (np.array([rows[one]["value"] for one in both]) for rows in (weights, sweep.heads[way]))
            rho = rank_correlation(weight, -change, SEED)
            lines.append((Cell(sweep.name), Cell(WAYS[way][0]), cell(rho), count(rho.n)))
    columns = ("task", "how", to_term("spearmans-correlation", "Spearman's correlation", page), "n, heads")
    return table("Gradient importance and what disabling costs", columns, lines) if lines else None
