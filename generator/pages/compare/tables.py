"""The tables of a page that sets two models side by side."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from generator.experiments.compare.names import PATTERN, TOLERANCE
from generator.numbers.writing import number
from generator.pages.blocks import Cell, Table
from generator.pages.compare.changes import head_cell
from generator.pages.compare.numbers import Comparison
from generator.pages.heads.summary import KINDS
from generator.pages.links import head_name, to_head, to_term
from generator.pages.studies.tables import NOTHING, cell, count, measured, table

MOST = 20
"""Heads in the table of those that changed most."""
_MAPS = "cosine of maps"


class _Distances(NamedTuple):
    """Cells of a row of layers: how far the weights are."""

    distance: Cell
    random: Cell


def layers_table(found: Comparison, page: str) -> Table | None:
    """Cosine of the maps and distance of the weights, layer by layer; None where places cannot be compared."""
    if not found.alike:
        return None
    cosine = found.layers["cosine"]
    order = np.argsort(np.argsort(cosine.value, kind="stable"), kind="stable")
    rows = []
    if "weights.embeddings" in found.facts:
        far = _whole(found, "weights.embeddings", "weights.random.embeddings")
        rows.append((Cell("embeddings"), NOTHING, NOTHING, NOTHING, *far))
    for at, value in enumerate(cosine.value.tolist()):
        rank = Cell(str(order[at] + 1)) if value < 1 - TOLERANCE else NOTHING
        keys = ("weights.distance", "weights.random")
        far = _Distances(
            *(Cell(number(found.layers[key].value[at])) if key in found.layers else NOTHING for key in keys)
        )
        rows.append((Cell(str(at + 1)), cell(cosine.at(at)), count(cosine.n[at]), rank, *far))
    whole = found.facts["cosine"]
    far = _whole(found, "weights.distance", "weights.random")
    rows.append((Cell("all"), measured(whole), count(whole["n"]), NOTHING, *far))
    n = to_term("n", "n, documents", page)
    columns = ("layer", _MAPS, n, "rank by change", "distance of weights", "distance to random weights")
    return table("Maps and weights by layer", columns, rows)


def _whole(found: Comparison, *keys: str) -> _Distances:
    return _Distances(*(Cell(number(found.facts[key]["value"])) if key in found.facts else NOTHING for key in keys))


def heads_table(found: Comparison, page: str) -> Table | None:
    """The heads whose maps changed most; None where none did."""
    if not found.alike:
        return None
    cosine = found.heads["cosine"]
    order = np.argsort(cosine.value.ravel(), kind="stable")[:MOST]
    rows = []
    for layer, head in (found.atlas.places[at] for at in order):
        at = layer - 1, head - 1
        if cosine.value[at] < 1 - TOLERANCE:
            kind = Cell(KINDS[found.atlas.summaries[layer, head].kind])
            beside = _in_other(found, layer, head, page)
            rows.append((head_cell(found, layer, head, page), cell(cosine.at(*at)), count(cosine.n[at]), kind, beside))
    n = to_term("n", "n, documents", page)
    columns = ("head", _MAPS, n, f"kind in {found.atlas.results.manifest.model}", f"in {found.other.name}")
    return table("Heads whose maps changed most", columns, rows) if rows else None


def _in_other(found: Comparison, layer: int, head: int, page: str) -> Cell:
    """The head in the same place of the other model, with its kind where the site knows it."""
    if found.other.atlas is None:
        return NOTHING
    link = to_head(found.other.slug, layer, head, page)
    return Cell(KINDS[found.other.atlas.summaries[layer, head].kind], link.href)


def patterns_table(found: Comparison, page: str) -> Table | None:
    """Heads whose most frequent pattern differs; None where none does."""
    if not found.alike or found.patterns is None:
        return None
    before, after, names = found.patterns
    was, became = before.argmax(-1), after.argmax(-1)
    rows = []
    for layer, head in found.atlas.places:
        at = layer - 1, head - 1
        old, new = was[at], became[at]
        if old != new and not np.isnan(before[at]).any():
            share = found.heads[PATTERN + names[new]]
            rows.append(
                (
                    head_cell(found, layer, head, page),
                    Cell(names[old], note=f"{number(before[*at, old])} of documents"),
                    Cell(names[new], note=f"{number(after[*at, new])} of documents"),
                    cell(share.at(*at), signed=True),
                    count(share.n[at]),
                )
            )
    n = to_term("n", "n, documents", page)
    columns = (
        "head",
        f"pattern in {found.atlas.results.manifest.model}",
        f"pattern in {found.other.name}",
        "change of the second's share",
        n,
    )
    return table("Heads whose pattern changed", columns, rows) if rows else None


def twins_table(found: Comparison, page: str) -> Table | None:
    """Every head with its twin in the other model, the most alike first; None where twins were not sought."""
    if "twin.divergence" not in found.heads:
        return None
    divergence = found.heads["twin.divergence"]
    order = np.argsort(divergence.value.ravel(), kind="stable")
    rows = list(_twins(found, [found.atlas.places[at] for at in order], page))
    columns = (
        "head",
        f"twin in {found.other.name}",
        to_term("jensen-shannon-divergence", "divergence, nats", page),
        to_term("n", "n, documents", page),
    )
    return table("Heads and their twins", columns, rows)


def _twins(found: Comparison, places: list[tuple[int, int]], page: str) -> Iterator[tuple[Cell, ...]]:
    divergence = found.heads["twin.divergence"]
    for layer, head in places:
        at = layer - 1, head - 1
        if not np.isnan(divergence.value[at]):
            twin = int(found.heads["twin.layer"].value[at]), int(found.heads["twin.head"].value[at])
            href = to_head(found.other.slug, *twin, page).href if found.other.atlas else ""
            beside = Cell(head_name(*twin), href)
            yield head_cell(found, layer, head, page), beside, cell(divergence.at(*at)), count(divergence.n[at])
