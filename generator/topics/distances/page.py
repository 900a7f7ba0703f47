"""A model's map of heads: which heads are alike, and whether heads of one layer are."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from generator.claims.gate.maps import PATTERN, WINDOW
from generator.numbers.number import Number, alone
from generator.numbers.writing import number, percent
from generator.pages import addresses
from generator.pages.blocks import Figure, Items, Note, Section, Sections, Table, opening
from generator.pages.figures import as_stored, embed
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.of_head import OfHead
from generator.pages.heads.summary import kinds as every_kind
from generator.pages.inline import Count, Kind, Link, prose
from generator.pages.links import head_name, model_crumbs, to_head, to_reference, to_term
from generator.pages.studies.labels import Extent
from generator.pages.studies.labels import places as label_places
from generator.pages.studies.seen import alike_seen
from generator.pages.studies.study_page import StudyPage
from generator.pages.studies.tables import NOTHING, by_name, count, in_unit, measured, stored, table, with_interval
from generator.topics.distances.records import LANDSCAPE

TITLE = "Map of heads"
SELDOM = 0.1
"""Probabilities below this are written as 1 of so many cases."""
MARGIN = 0.04
"""Share of the width and height of the map that is left free on each side, so that no point is cut."""
MOST = 0.75
"""A cluster that holds more than this share of the heads is not called a group."""
UNNAMED = (PATTERN, WINDOW, "broad", "none")
"""Kinds whose points have no names on the map, because most heads are of these kinds."""
LEAD = ("within", "between", "ratio", "p")
"""Numbers that the lead tells, if the model has all of them."""
TERMS = {
    "within": "jensen-shannon-divergence",
    "between": "jensen-shannon-divergence",
    "ratio": "landscape",
    "p": "permutation-test",
    "silhouette.layer": "silhouette",
    "silhouette.behaviour": "silhouette",
    "clusters": "cluster",
    "stress": "stress",
    "doubles": "double",
    "doubles.random": "double",
    "doubles.twin": "double",
    "doubles.excess": "double",
    "doubles.twin.excess": "double",
}
"""Stored name of a number -> the entry of the glossary that explains it."""


def there(atlas: Atlas) -> bool:
    """Whether the distances between heads were measured on the corpus that pages show."""
    return bool(len(stored(atlas, "head_facts", corpus=atlas.corpus, study=LANDSCAPE)))


def _places(atlas: Atlas) -> pd.DataFrame:
    """`x`, `y` and `cluster` of every head, in the order of the heads."""
    rows = stored(atlas, "head_facts", corpus=atlas.corpus, study=LANDSCAPE)
    return rows.pivot_table(index=["layer", "head"], columns="name", values="value").sort_index()


def landscape_page(atlas: Atlas) -> Sections:
    """The map, its numbers, and the clusters."""
    here = addresses.head_map(atlas.slug)
    places = _places(atlas)
    facts = by_name(stored(atlas, "facts", corpus=atlas.corpus, study=LANDSCAPE), LANDSCAPE)
    return Sections(
        title=TITLE,
        lead=_lead(facts),
        card=f"{_seen(facts, places)}.",
        crumbs=model_crumbs(atlas.slug, atlas.results.manifest.model, here),
        sections=(opening(_figure(atlas, places, facts, here)), alike(facts, here), *clusters(atlas, places, here)),
    )


def _lead(facts: Mapping[str, Any]) -> str:
    known = [facts[name] for name in LEAD if name in facts]
    if len(known) < len(LEAD) or math.isnan(facts["ratio"]["value"]):
        return "Heads that attend alike lie near each other."
    within, between, ratio = map(with_interval, known[:3])
    unit = LANDSCAPE.quantity("within").unit
    return (
        f"Two heads of one layer differ by {within} {unit} on average, two of different layers by {between}: a ratio "
        f"of {ratio}. With the heads assigned to layers at random the ratio is as small in "
        f"{_of_cases(facts['p']['value'])}."
    )


def _of_cases(p: float) -> str:
    """A probability as a share of the shuffles, in words.

    >>> _of_cases(0.000999), _of_cases(0.0182), _of_cases(0.31)
    ('about 1 of 1,000 cases', 'about 1 of 55 cases', '31 % of cases')
    """
    seldom = 0 < p < SELDOM
    return f"about 1 of {float(f'{1 / p:.2g}'):,.0f} cases" if seldom else f"{percent(alone(p))} of cases"


def alike(facts: Mapping[str, Any], page: str) -> Section:
    """Whether heads of one layer are more alike than heads of different layers."""
    columns = ("number", "value", "unit", "reference", to_term("n", "n, documents", page))
    rows = []
    for name, anchor in TERMS.items():
        if name in facts:
            row, record = facts[name], LANDSCAPE.quantity(name)
            value = count(row["value"]) if name == "clusters" and not math.isnan(row["value"]) else measured(row)
            cells = to_term(anchor, record.title, page), value, record.unit_text, record.reference or NOTHING
            rows.append((*cells, count(row["n"])))
    return Section(
        "numbers",
        "Are heads of one layer alike?",
        (
            table("Numbers of the map", columns, rows),
            Note(
                prose(
                    "The map follows section 6 of {source}, and so do the names of behaviours. That section gives no "
                    "statistic; the numbers are ours. Intervals are over documents and keep the labels as they "
                    "are; p, stress and the number of clusters have none. A head has a double when another head lies "
                    "nearer than half of the mean divergence; sets of random heads are drawn from a normal "
                    "distribution with the covariance of the real ones, and their interval is the range of 95 % of the "
                    "sets.",
                    source=to_reference("clark2019", "Clark et al. 2019", page),
                )
            ),
        ),
    )


def _seen(facts: Mapping[str, Any], places: pd.DataFrame) -> str:
    if "ratio" not in facts or math.isnan(facts["ratio"]["value"]):
        return _grouped(places)
    return alike_seen(Number.of(facts["ratio"]), facts["p"]["value"] if "p" in facts else math.nan)


def _figure(atlas: Atlas, places: pd.DataFrame, facts: Mapping[str, Any], page: str) -> Figure:
    heads = [(int(layer), int(head)) for layer, head in places.index]
    kinds = [atlas.summaries[head].kind for head in heads]
    columns: dict[str, Any] = {
        "layer": [layer for layer, _ in heads],
        "head": [head for _, head in heads],
        "x": as_stored(places["x"].to_numpy()),
        "y": as_stored(places["y"].to_numpy()),
        "kind": kinds,
        "cluster": places["cluster"].astype(int).tolist(),
        "summary": [atlas.summaries[head].called for head in heads],
        "href": [to_head(atlas.slug, *head, page).href for head in heads],
    }
    extent = Extent(*_ends(places["x"]), *_ends(places["y"]))
    columns |= _labels(atlas, places, extent)
    depth, _ = atlas.shape
    signals = {name: round(value, 4) for name, value in extent._asdict().items()} | {
        "names": dict(every_kind()),
        "kinds": [kind for kind in every_kind() if kind in kinds],
        "layers": sorted({round(layer) for layer in np.linspace(1, depth, min(depth, 6)).tolist()}),
    }
    drawn = columns["summary"], columns["cluster"], places["x"].tolist(), places["y"].tolist()
    stress = f" (stress {number(facts['stress']['value'])})" if "stress" in facts else ""
    unit = LANDSCAPE.quantity("x").unit
    view = {"columns": columns, "signals": signals, "constants": {"corpus": atlas.corpus, "unit": unit}}
    return Figure(
        id="map",
        label=_seen(facts, places),
        kinds=("heads-by-kind", "heads-by-layer"),
        data=embed({"shared": {}, "views": [view]}),
        caption=(
            "Each point is a head; choose one for its page. Heads lie as near each other as their Jensen-Shannon "
            f"divergence allows in two dimensions{stress}; only distances mean something, not the axes. The first map "
            "is coloured by kind, the second by layer; heads with a specialty have their names where there is room. "
            f"Measured on {atlas.text}."
        ),
        table=Table(
            ("head", "kind", "cluster", *(in_unit(axis, LANDSCAPE, axis) for axis in ("x", "y"))),
            tuple(
                (head_name(*head), called, str(cluster), number(x), number(y))
                for head, called, cluster, x, y in zip(heads, *drawn, strict=True)
            ),
        ),
    )


def _ends(places: pd.Series) -> tuple[float, float]:
    """The ends of an axis that shows all of these places."""
    first, last = float(places.min()), float(places.max())
    # An axis needs some length, also where all places are the same.
    room = max(MARGIN * (last - first), 1e-3)
    return first - room, last + room


def _labels(atlas: Atlas, places: pd.DataFrame, extent: Extent) -> dict[str, list[Any]]:
    """The names of heads with a specialty where there is room for them, those that are clearest first."""
    heads = [(int(layer), int(head)) for layer, head in places.index]
    summaries = [atlas.summaries[head] for head in heads]
    order = sorted(
        range(len(heads)), key=lambda at: (list(every_kind()).index(summaries[at].kind), -summaries[at].share)
    )
    names = ["" if summaries[at].kind in UNNAMED else head_name(*heads[at]) for at in order]
    points = [(float(places["x"].iloc[at]), float(places["y"].iloc[at])) for at in order]
    sides = dict(zip(order, label_places(points, names, extent), strict=True))
    shown = [sides[at] for at in range(len(heads))]
    return {
        "label": ["" if side is None else head_name(*head) for head, side in zip(heads, shown, strict=True)],
        "aside": [side[0] if side else 0 for side in shown],
        "down": [side[1] if side else 0 for side in shown],
    }


def _grouped(places: pd.DataFrame) -> str:
    """Whether heads fall into groups, as a phrase that is a sentence but for its full stop."""
    sizes = places["cluster"].value_counts()
    largest, total = int(sizes.max()), len(places)
    if largest > MOST * total:
        return f"There are hardly any groups: {largest} of {total} heads lie in one cluster"
    return f"The heads fall into {len(sizes)} groups, the largest of {largest} heads"


def clusters(atlas: Atlas, places: pd.DataFrame, page: str) -> Iterator[Section]:
    """A section on whether there are groups and how they are found, then a section for each cluster with its heads."""
    yield Section(
        "clusters",
        "Clusters",
        (
            prose(
                "{found}. They were made by average linkage; of 2 to 12 clusters, that number was taken whose mean "
                "silhouette is largest. A cluster of one head says that this head is unlike all others.",
                found=_grouped(places),
            ),
        ),
    )
    for cluster, group in places.groupby("cluster"):
        heads = [(int(layer), int(head)) for layer, head in group.index]
        kinds = {head: Kind(atlas.summaries[head].kind, atlas.summaries[head].called) for head in heads}
        counts = ", ".join(
            f"{text} {times}" for text, times in Counter(kind.text for kind in kinds.values()).most_common()
        )
        lines = tuple(
            (kind, replace(to_head(atlas.slug, *place, page), title=kind.text)) for place, kind in kinds.items()
        )
        number_of = int(np.asarray(cluster).item())
        title = (f"Cluster {number_of} ", Count(counts))
        yield Section(f"cluster-{number_of}", title, (Items(lines),), level=3)


PAGE = StudyPage(TITLE, addresses.head_map, there, landscape_page)


class OfMap(OfHead):
    """Where a head stands on the map of all heads."""

    def alike(self, page: str) -> Link | None:
        """A link to the map; None if there is none."""
        return (
            Link("map of heads", addresses.relative(addresses.head_map(self.atlas.slug), page))
            if there(self.atlas)
            else None
        )


OF_HEADS = OfMap
