"""Figures of the pages of models that hand-written pages show, each of the first of these models that has one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from generator.errors import SiteError
from generator.pages.blocks import Figure
from generator.pages.curve import page as curve
from generator.pages.curve.data import Course
from generator.pages.curve.figures import contrast_figure, signatures_figure
from generator.pages.curve.forming import forming_figure
from generator.pages.heads.atlas import Atlas
from generator.pages.studies import phases
from generator.pages.studies.seen import RARE
from generator.pages.tasks.disabling import changes_figure
from generator.pages.tasks.results import sweeps
from generator.pages.tasks.scores import scores, scores_figure


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
    return phases.profiles_figure(atlas, found) if found and sure else None


FIGURES: Mapping[str, Callable[[Atlas, str], Figure | None]] = {
    "forming": partial(_of_course, forming_figure),
    "signatures": partial(_of_course, signatures_figure),
    "next sentence": partial(_of_course, contrast_figure),
    "phases": _phases,
    "scores": _scores,
    "disabling": _changes,
}
"""Name in a hand-written page -> the function that makes the figure of a model; None if the model has none."""


def first_drawn(name: str, atlases: Sequence[Atlas], page: str) -> Figure | None:
    """The named figure of the first model that has one, with the model in its title. Raises SiteError for an unknown
    name.
    """
    if name not in FIGURES:
        raise SiteError(f"Expected one of {', '.join(FIGURES)} in drawn(...), found {name!r}; correct the page.")
    for atlas in atlases:
        if figure := FIGURES[name](atlas, page):
            told, model = figure.label, atlas.results.manifest.model
            return figure if model in told else replace(figure, label=f"In {model}, {told[0].lower()}{told[1:]}")
    return None
