"""Sections of a page that compares two models: layers, heads, patterns, twins."""

from collections.abc import Iterator

import numpy as np

from generator.numbers.writing import number
from generator.pages.blocks import Note, Section
from generator.pages.inline import Cell, Cells, Prose
from generator.pages.links import head_name, to_head, to_term
from generator.pages.studies.tables import NOTHING, cell, count, in_unit, measured, table, with_interval
from generator.topics.compare.derived.changes import in_same_layer
from generator.topics.compare.page.changes import to_own
from generator.topics.compare.page.numbers import Comparison
from generator.topics.compare.records.comparison import COMPARISON
from generator.topics.compare.records.names import PATTERN, TOLERANCE
from generator.topics.layers.derived.pattern_shares import commonest

MOST = 20
"""How many heads the table of those that changed most has."""
_MAPS = "cosine of maps"


def layers(found: Comparison, page: str) -> Section | None:
    """Cosine of the maps and distance of the weights, layer by layer; None for models of different shape."""
    if not found.alike:
        return None
    cosine = found.layers["cosine"]
    # Sorted twice: the first gives the places in order, the second the rank of each place.
    order = np.argsort(np.argsort(cosine.value, kind="stable"), kind="stable")
    rows: list[Cells] = []
    if "weights.embeddings" in found.facts:
        far = _whole(found, "weights.embeddings", "weights.random.embeddings")
        rows.append(("embeddings", NOTHING, NOTHING, NOTHING, *far))
    for at, value in enumerate(cosine.value.tolist()):
        rank = str(order[at] + 1) if value < 1 - TOLERANCE else NOTHING
        keys = ("weights.distance", "weights.random")
        far = [number(found.layers[key].value[at]) if key in found.layers else NOTHING for key in keys]
        rows.append((str(at + 1), cell(cosine.at(at)), count(cosine.n[at]), rank, *far))
    whole = found.facts["cosine"]
    far = _whole(found, "weights.distance", "weights.random")
    rows.append(("all", measured(whole), count(whole["n"]), NOTHING, *far))
    n = to_term("n", f"n, {found.units}", page)
    columns = ("layer", _MAPS, n, "rank by change", "distance of weights", "distance to random weights")
    note = Note(
        "Distances are relative: the length of the difference of all parameters divided by the length of the first "
        "model's. They are exact, so they have no interval. Random weights are drawn once, as such models are usually "
        "initialised."
    )
    blocks = (table("Maps and weights by layer", columns, rows), note)
    return Section(found.anchor("layers"), "Layer by layer", blocks, level=3)


def _whole(found: Comparison, *keys: str) -> list[Prose]:
    """These numbers of the whole model as text; a dash for one that is not stored."""
    return [number(found.facts[key]["value"]) if key in found.facts else NOTHING for key in keys]


def heads(found: Comparison, page: str) -> Section | None:
    """The heads whose maps changed most; None for models of different shape."""
    if not found.alike:
        return None
    cosine = found.heads["cosine"]
    order = np.argsort(cosine.value.ravel(), kind="stable")[:MOST]
    rows = []
    for layer, head in (found.atlas.places[at] for at in order):
        at = layer - 1, head - 1
        if cosine.value[at] < 1 - TOLERANCE:
            kinds: Cells = (found.atlas.summaries[layer, head].called, *_in_other(found, layer, head, page))
            rows.append((to_own(found, at, page), cell(cosine.at(*at)), count(cosine.n[at]), *kinds))
    n = to_term("n", f"n, {found.units}", page)
    other = (f"in {found.other.name}",) if found.other.atlas else ()
    columns = ("head", _MAPS, n, f"kind in {found.atlas.results.manifest.model}", *other)
    changed = table("Heads whose maps changed most", columns, rows) if rows else "No head changed its maps."
    return Section(found.anchor("heads"), "Heads whose maps changed most", (changed,), level=3)


def _in_other(found: Comparison, layer: int, head: int, page: str) -> tuple[Cell, ...]:
    """The kind of the head in the same place of the other model; no cell if the site does not have that model."""
    if found.other.atlas is None:
        return ()
    link = to_head(found.other.slug, layer, head, page)
    return (Cell(found.other.atlas.summaries[layer, head].called, link.href),)


def patterns(found: Comparison, page: str) -> Section | None:
    """Heads whose most frequent pattern differs between the models; None if patterns were not compared."""
    if not found.alike or found.patterns is None:
        return None
    before, after, names = found.patterns
    was, became = commonest(before), commonest(after)
    rows = []
    for layer, head in found.atlas.places:
        at = layer - 1, head - 1
        old, new = was[at], became[at]
        if old != new and not np.isnan(before[at]).any():
            share = found.heads[PATTERN + names[new]]
            rows.append(
                (
                    to_own(found, at, page),
                    Cell(names[old], note=f"{number(before[*at, old])} of {found.units}"),
                    Cell(names[new], note=f"{number(after[*at, new])} of {found.units}"),
                    cell(share.at(*at), signed=True),
                    count(share.n[at]),
                )
            )
    columns = (
        "head",
        f"pattern in {found.atlas.results.manifest.model}",
        f"pattern in {found.other.name}",
        "change of the second pattern's share",
        to_term("n", f"n, {found.units}", page),
    )
    text = f"The most frequent pattern of {len(rows)} of {len(found.atlas.places)} heads differs between the models."
    changed = (table("Heads whose pattern changed", columns, rows),) if rows else ()
    return Section(found.anchor("patterns"), "Patterns", (text, *changed), level=3)


def twins(found: Comparison, page: str) -> Section | None:
    """Every head with its twin in the other model, the most similar first; None if no twins were sought."""
    if "twin.divergence" not in found.heads:
        return None
    divergence = found.heads["twin.divergence"]
    order = np.argsort(divergence.value.ravel(), kind="stable")
    rows = list(_twins(found, [found.atlas.places[at] for at in order], page))
    columns = (
        "head",
        f"twin in {found.other.name}",
        to_term("jensen-shannon-divergence", in_unit("divergence", COMPARISON, "twin.divergence"), page),
        to_term("n", f"n, {found.units}", page),
    )
    text = f"{twins_text(found)} Heads are matched one to one so that their differences add up to least."
    return Section(found.anchor("twins"), "Twins", (text, table("Heads and their twins", columns, rows)), level=3)


def twins_text(found: Comparison) -> str:
    """A sentence on how similar twins are; empty if no twins were sought."""
    if "twin.divergence" not in found.heads:
        return ""
    same, there = in_same_layer(found.heads["twin.layer"].value)
    unit = COMPARISON.quantity("twin.matched").unit
    matched, every = (with_interval(found.facts[name]) for name in ("twin.matched", "twin.every"))
    return (
        f"Matched with their twins, heads differ by {matched} {unit} on {found.units} of {found.corpus} that the "
        f"matching did not see, any two heads of the two models by {every}; {same} of {there} twins stand in the "
        "same layer."
    )


def _twins(found: Comparison, places: list[tuple[int, int]], page: str) -> Iterator[Cells]:
    divergence = found.heads["twin.divergence"]
    for layer, head in places:
        at = layer - 1, head - 1
        if not np.isnan(divergence.value[at]):
            twin = int(found.heads["twin.layer"].value[at]), int(found.heads["twin.head"].value[at])
            beside = to_head(found.other.slug, *twin, page) if found.other.atlas else head_name(*twin)
            yield to_own(found, at, page), beside, cell(divergence.at(*at)), count(divergence.n[at])
