"""Figures of the pages of models that hand-written pages show, at first that of the first model that has one."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from generator.errors import SiteError
from generator.pages.blocks import Figure
from generator.pages.figures import embed
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.sentences import maps_figure
from generator.pages.heads.summary import FINDS
from generator.pages.inline import Link, Name
from generator.pages.links import head_name
from generator.pages.studies.seen import RARE
from generator.topics.layers.page.phases.figure import profiles_figure
from generator.topics.learning.page import page as curve
from generator.topics.learning.page.data import Course
from generator.topics.learning.page.figures import contrast_figure, signatures_figure
from generator.topics.learning.page.forming import forming_figure
from generator.topics.tasks.page.disabling import changes_figure
from generator.topics.tasks.page.results import sweeps
from generator.topics.tasks.page.scores import scores, scores_figure


def _of_course(drawn: Callable[[Course], Figure | None], atlas: Atlas, page: str) -> Figure | None:  # noqa: ARG001
    return drawn(Course(atlas)) if curve.there(atlas) else None


def _scores(atlas: Atlas, page: str) -> Figure | None:  # noqa: ARG001
    found = scores(atlas)
    return scores_figure(found) if found else None


def _changes(atlas: Atlas, page: str) -> Figure | None:
    """That of the first task that was learned, for what was not learned cannot be lost."""
    learned = (sweep for sweep in sweeps(atlas) if sweep.learned)
    return next((changes_figure(atlas, sweep, 1, page) for sweep in learned), None)


def _phases(atlas: Atlas, page: str) -> Figure | None:  # noqa: ARG001
    """Only of a model whose layers fall into phases better than in random order."""
    found = atlas.division
    sure = found and not found.found.note and found.found.p < RARE
    return profiles_figure(atlas, found) if found and sure else None


def _map(atlas: Atlas, page: str) -> Figure | None:  # noqa: ARG001
    """Example sentences as the head reads them that is right most often in what it finds."""
    finding = [
        (summary.share, place)
        for place, summary in atlas.summaries.items()
        if summary.kind in FINDS and atlas.examples[place]
    ]
    if not finding:
        return None
    _, place = max(finding)
    figure, head = maps_figure(atlas, *place), f"head {head_name(*place)}"
    told = f"{head} of {atlas.results.manifest.model}, which {atlas.summaries[place].title}"
    return replace(figure, label=figure.label.replace(head, told, 1))


FIGURES: Mapping[str, Callable[[Atlas, str], Figure | None]] = {
    "forming": partial(_of_course, forming_figure),
    "signatures": partial(_of_course, signatures_figure),
    "next sentence": partial(_of_course, contrast_figure),
    "phases": _phases,
    "map": _map,
    "scores": _scores,
    "disabling": _changes,
}
"""Name in a hand-written page -> the function that makes the figure of a model; None if the model has none."""


def model_figure(name: str, atlases: Sequence[Atlas], page: str) -> Figure | None:
    """The named figure of the first model that has one, with the model in its title. Raises SiteError for an unknown
    name.

    Figures of further models that are read in the same way can be chosen in it.
    """
    if name not in FIGURES:
        raise SiteError(f"Expected one of {', '.join(FIGURES)} in drawn(...), found {name!r}; correct the page.")
    found = [
        (atlas.results.manifest.model, _of_model(atlas, figure))
        for atlas in atlases
        if (figure := FIGURES[name](atlas, page))
    ]
    if not found:
        return None
    first = found[0][1]
    alike = [(model, one) for model, one in found if one.caption == first.caption and not one.views]
    return _chosen_by_model(alike) if len(alike) > 1 and alike[0][1] is first else first


def _of_model(atlas: Atlas, figure: Figure) -> Figure:
    told, model = figure.label, atlas.results.manifest.model
    return figure if model in told else replace(figure, label=f"In {model}, {told[0].lower()}{told[1:]}")


def _chosen_by_model(found: Sequence[tuple[str, Figure]]) -> Figure:
    """The figures of several models as one, whose reader chooses the model."""
    first, views = found[0][1], []
    for _, one in found:
        data = json.loads(one.data)
        (view,) = data["views"]
        views.append({**view, "columns": data["shared"] | view["columns"], "title": one.label})
    rows = tuple((Name(model), *row) for model, one in found for row in one.table.rows)
    return replace(
        first,
        data=embed({"shared": {}, "views": views}),
        first=None,
        views=tuple(Link(model, "") for model, _ in found),
        chooser="Model",
        table=replace(first.table, columns=("model", *first.table.columns), rows=rows),
    )
