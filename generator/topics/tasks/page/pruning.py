"""The section about pruning on the page on tasks: the score as heads are set to zero, the least important first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from generator.claims.published import FOLDER, read_published
from generator.numbers.number import Number
from generator.numbers.writing import number, pieces
from generator.pages.blocks import LINES, Block, Figure, Items, Note, Section, Table
from generator.pages.figures import as_stored, embed, estimate_columns
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Joined, Link, Name, prose
from generator.pages.links import to_claim, to_head, to_reference, to_term
from generator.pages.studies.seen import pruned_seen
from generator.pages.studies.tables import NOTHING, by_name, corpora, count, measured, stored, table
from generator.topics.tasks.page.results import ORDER, OfTask, Row
from generator.topics.tasks.records.tasks import GONE_AS, PRUNING, SCORE_WITHOUT

NAMED = 5
"""Heads that are named from each end of the order in which they go; a choice."""
PRUNED_BY = ("michel2019", "Michel et al. 2019")
"""The source of pruning by importance: its key in the list of references, and its author and year."""


@dataclass(frozen=True)
class Curve(OfTask):
    """The pruning curve of one task."""

    scores: Mapping[int, Row]
    """Number of heads gone -> row of the score, fewest first."""
    removable: Row | None


def curves(atlas: Atlas) -> list[Curve]:
    """The tasks on which heads were pruned."""
    facts = stored(atlas, "facts", study=PRUNING, layer=0)
    found = []
    for task in corpora(facts, ORDER):
        rows = by_name(facts[facts["corpus"] == task], PRUNING)
        steps = {int(gone["count"]): row for name, row in rows.items() if (gone := SCORE_WITHOUT.values_in(name))}
        found.append(Curve(task, dict(sorted(steps.items())), rows.get("removable")))
    return found


def pruning(atlas: Atlas, page: str) -> Section | None:
    """The score against the number of heads that are gone, and how many heads can go; None if nothing is stored."""
    found = curves(atlas)
    heads = len(atlas.places)
    blocks = (*_figure(found, heads), *_removable(found, heads, page), *_order(atlas, found, page))
    return Section("pruning", "How many heads can go", blocks) if blocks else None


def _figure(every: Sequence[Curve], heads: int) -> Iterator[Figure]:
    """One view per task."""
    found = [curve for curve in every if curve.scores]
    if not found:
        return
    names = ", ".join(f"{curve.name} (n {max(row['n'] for row in curve.scores.values()):,})" for curve in found)
    yield Figure(
        id="pruned",
        label=pruned_seen(heads, [(curve.name, curve.removable["low"]) for curve in found if curve.removable]),
        kinds=("pruning",),
        data=embed({"shared": {}, "views": [_view(curve, heads) for curve in found]}),
        views=tuple(Link(curve.name, "") for curve in found) if len(found) > 1 else (),
        chooser="Task",
        caption=(
            f"Score on the dev examples of {names} when heads are set to zero, the least important by gradient first; "
            "bands are 95 % intervals over examples. The horizontal dashed line is the score before any head is gone; "
            "the vertical one shows how many heads can go at a loss of at most a point."
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
    columns |= estimate_columns(map(Number.of, rows))
    share = curve.removable["value"] * heads if curve.removable else np.nan
    columns["whole"] = columns["value"][:1] * len(rows)
    columns["removable"] = as_stored(np.full(len(rows), share))
    return {"columns": columns, "signals": {"heads": heads}, "constants": {"corpus": curve.task, "unit": "score"}}


def _removable(found: Sequence[Curve], heads: int, page: str) -> Iterator[Block]:
    """How many heads each task can do without."""
    lines = []
    for curve in found:
        if curve.removable:
            said = read_published(FOLDER).get(f"michel.pruned.{curve.task}")
            share = curve.removable["value"]
            gone = NOTHING if np.isnan(share) else count(round(share * heads))
            published = number(said.value) if said else NOTHING
            lines.append((Name(curve.name), measured(curve.removable), gone, published, count(curve.removable["n"])))
    columns = (
        "task",
        to_term("zero", "share of heads that can go", page),
        f"heads of {heads}",
        "published, BERT-base",
        to_term("n", "n, examples", page),
    )
    if lines:
        yield table("Heads that each task can do without", columns, lines)
        source = to_reference(*PRUNED_BY, page)
        yield Note(
            prose(
                "A share counts no more heads than can go before the score is surely lower. Intervals are for one "
                "task; those of {claim} allow for all tasks at once, so its share may be higher. Published shares "
                "are those of {source}, without visible loss.",
                source=source,
                claim=to_claim("R02", "R02", page),
            )
        )


def _order(atlas: Atlas, found: Sequence[Curve], page: str) -> Iterator[Block]:
    """The heads that go first and last on each task, where that is stored."""
    places = stored(atlas, "head_facts", study=PRUNING, name=GONE_AS.name).sort_values("value")
    lines = []
    for curve in found:
        rows = places[places["corpus"] == curve.task]
        heads = [to_head(atlas.slug, layer, head, page) for layer, head in rows[["layer", "head"]].to_numpy().tolist()]
        if few := min(NAMED, len(heads) // 2):
            first, last = Joined(tuple(heads[:few])), Joined(tuple(heads[-few:]))
            lines.append((Name(curve.name), ": ", first, " go first, ", last, " last"))
    if lines:
        yield "Which heads go first, and which last:"
        yield Items(tuple(lines), style=LINES)
