"""The section of a page on tasks on pruning: the score with more and more heads set to zero, least important first."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from generator.claims.published import FOLDER, read_published
from generator.numbers.number import Number
from generator.numbers.writing import number, pieces
from generator.pages.blocks import Cell, Figure, Link, Table
from generator.pages.figures import embed, rounded
from generator.pages.heads.atlas import Atlas
from generator.pages.links import to_term
from generator.pages.studies.tables import NOTHING, by_name, corpora, count, measured, stored, table
from generator.pages.tasks.results import ESTIMATE, NAMES, ORDER, Row
from generator.studies.experiments.task_quantities import PRUNING, SCORE_WITHOUT


class Curve(NamedTuple):
    """One task."""

    task: str
    scores: Mapping[int, Row]
    """By how many heads are gone, fewest first."""
    removable: Row | None

    @property
    def name(self) -> str:
        """What the task is called."""
        return NAMES.get(self.task, self.task)


def curves(atlas: Atlas) -> list[Curve]:
    """The tasks on which heads were pruned."""
    facts = stored(atlas, "facts", study=PRUNING, layer=0)
    found = []
    for task in corpora(facts, ORDER):
        rows = by_name(facts[facts["corpus"] == task], PRUNING)
        steps = {int(gone["count"]): row for name, row in rows.items() if (gone := SCORE_WITHOUT.values_in(name))}
        found.append(Curve(task, dict(sorted(steps.items())), rows.get("removable")))
    return found


def pruning(atlas: Atlas) -> Figure | None:
    """One view per task."""
    found = [curve for curve in curves(atlas) if curve.scores]
    if not found:
        return None
    several = len(found) > 1
    names = ", ".join(f"{curve.name} (n {max(row['n'] for row in curve.scores.values()):,})" for curve in found)
    return Figure(
        id="pruned",
        label="Score with more and more heads set to zero",
        kinds=("pruning",),
        data=embed({"shared": {}, "views": [_view(curve, len(atlas.places)) for curve in found]}),
        views=tuple(Link(curve.name, "") for curve in found) if several else (),
        chooser="Task" if several else "",
        caption=(
            f"Score on the dev examples of {names} when heads are set to zero, the least important by gradient first; "
            "bands are 95 % intervals over examples. The dashed line across is the score before any head is gone, the "
            "one upright shows how many can go at a loss of less than a point."
        ),
        table=Table(
            ("task", "heads gone", "score", "95 % interval", "n"),
            tuple(
                (curve.name, str(gone), *pieces(Number.of(row)), str(row["n"]))
                for curve in found
                for gone, row in curve.scores.items()
            ),
        ),
    )


def _view(curve: Curve, heads: int) -> dict[str, Any]:
    rows = list(curve.scores.values())
    columns: dict[str, Any] = {"gone": list(curve.scores), "n": [int(row["n"]) for row in rows]}
    columns |= {field: rounded(np.array([row[field] for row in rows])) for field in ESTIMATE}
    share = curve.removable["value"] * heads if curve.removable else np.nan
    columns["whole"] = columns["value"][:1] * len(rows)
    columns["removable"] = rounded(np.full(len(rows), share))
    return {"columns": columns, "signals": {"heads": heads}, "constants": {"corpus": curve.task, "unit": "score"}}


def removable(atlas: Atlas, page: str) -> Table | None:
    """How many heads each task can do without."""
    lines = []
    for curve in curves(atlas):
        if curve.removable:
            said = read_published(FOLDER).get(f"michel.pruned.{curve.task}")
            share = curve.removable["value"]
            heads = NOTHING if np.isnan(share) else count(round(share * len(atlas.places)))
            published = Cell(number(said.value)) if said else NOTHING
            lines.append((Cell(curve.name), measured(curve.removable), heads, published, count(curve.removable["n"])))
    columns = (
        "task",
        to_term("zero", "share of heads that can go", page),
        f"heads of {len(atlas.places)}",
        "published, BERT-base",
        to_term("n", "n, examples", page),
    )
    return table("Heads that each task can do without", columns, lines) if lines else None
