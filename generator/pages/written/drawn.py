"""Figures of the pages of models that hand-written pages show, at first that of the first model that has one."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from generator.errors import SiteError
from generator.pages.blocks import Figure
from generator.pages.figures import embed
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.naming.naming import finds
from generator.pages.heads.sentences import maps_figure
from generator.pages.inline import Link, Name
from generator.pages.links import head_name
from generator.pages.written.context import Drawn
from generator.topics import of_topics


def _map(atlas: Atlas, page: str) -> Figure | None:  # noqa: ARG001
    """Example sentences as the head reads them that is right most often in what it finds."""
    finding = [
        (summary.share, place)
        for place, summary in atlas.summaries.items()
        if summary.kind in finds() and atlas.examples[place]
    ]
    if not finding:
        return None
    _, place = max(finding)
    figure, head = maps_figure(atlas, *place), f"head {head_name(*place)}"
    text = f"{head} of {atlas.results.manifest.model}, which {atlas.summaries[place].title}"
    return replace(figure, label=figure.label.replace(head, text, 1))


@cache
def every_figure() -> Mapping[str, Drawn]:
    """Name in a hand-written page -> the function that makes the figure of a model."""
    found: dict[str, Drawn] = {"map": _map}
    for given in of_topics("written", "WRITTEN"):
        found |= given.figures
    return found


def model_figure(name: str, atlases: Sequence[Atlas], page: str) -> Figure | None:
    """The named figure of the first model that has one, with the model in its title. Raises SiteError for an unknown
    name.

    Figures of further models that are read in the same way can be chosen in it.
    """
    figures = every_figure()
    if name not in figures:
        raise SiteError(f"Expected one of {', '.join(figures)} in drawn(...), found {name!r}; correct the page.")
    found = [
        (atlas.results.manifest.model, _of_model(atlas, figure))
        for atlas in atlases
        if (figure := figures[name](atlas, page))
    ]
    if not found:
        return None
    first = found[0][1]
    alike = [(model, figure) for model, figure in found if figure.caption == first.caption and not figure.views]
    return _chosen_by_model(alike) if len(alike) > 1 and alike[0][1] is first else first


def _of_model(atlas: Atlas, figure: Figure) -> Figure:
    text, model = figure.label, atlas.results.manifest.model
    return figure if model in text else replace(figure, label=f"In {model}, {text[0].lower()}{text[1:]}")


def _chosen_by_model(found: Sequence[tuple[str, Figure]]) -> Figure:
    """The figures of several models as one, whose reader chooses the model."""
    first, views = found[0][1], []
    for _, figure in found:
        data = json.loads(figure.data)
        (view,) = data["views"]
        views.append({**view, "columns": data["shared"] | view["columns"], "title": figure.label})
    rows = tuple((Name(model), *row) for model, drawn in found for row in drawn.table.rows)
    return replace(
        first,
        data=embed({"shared": {}, "views": views}),
        first=None,
        views=tuple(Link(model, "") for model, _ in found),
        chooser="Model",
        table=replace(first.table, columns=("model", *first.table.columns), rows=rows),
    )
