"""The page of a model's course of training, from the tables `curves` and `rises`."""

from collections.abc import Mapping
from typing import Any

from generator.pages import addresses
from generator.pages.blocks import Listing, Section, Sections, opening, present
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, Prose, plain, prose
from generator.pages.links import model_crumbs
from generator.pages.studies.study_page import StudyPage
from generator.topics.learning.page.claims import claim_course
from generator.topics.learning.page.data import Course, step_text
from generator.topics.learning.page.forming import formation_sentence, forming_figure
from generator.topics.learning.page.learned import learned, next_sentence, short_at_first
from generator.topics.learning.page.relations import relation_course
from generator.topics.learning.page.slider import slider
from generator.topics.learning.page.strips import by_layer
from generator.topics.learning.page.tables import births, phases_in_time

TITLE = "Learning curve"
ALL = prose("Everything on this page can be {again}.", again=Link("computed again", "#again"))


def there(atlas: Atlas) -> bool:
    """Whether checkpoints of the model were analysed."""
    return len(atlas.results.table("curves")) > 0


def curve_page(atlas: Atlas) -> Sections:
    """The heads at every checkpoint, and when heads, phases and verdicts took shape."""
    here = addresses.curve(atlas.slug)
    course = Course(atlas)
    formed = formation_sentence(course, here)
    pieces: list[Prose] = [formed, _about(course)] if formed else [_about(course)]
    lead, *more = pieces
    return Sections(
        title=TITLE,
        lead=lead,
        card=plain(formed) or next_sentence(course),
        crumbs=model_crumbs(atlas.slug, atlas.results.manifest.model, here),
        sections=present(
            opening(*more, *present(forming_figure(course)), ALL),
            slider(course, here),
            by_layer(course),
            phases_in_time(course, here),
            births(course, here),
            relation_course(course, here),
            claim_course(course, here),
            *learned(course, here),
            Section("again", "How to compute it again", (Listing(_command(course)), *_otherwise(course))),
        ),
    )


def _about(course: Course) -> str:
    """What was followed in which training, on what inputs, and how well it learned to predict the next sentence."""
    manifest, steps = course.atlas.results.manifest, course.steps
    text = (
        f"This page follows {manifest.model} through its training, at {len(steps)} checkpoints from step "
        f"{step_text(steps[0])} to step {step_text(steps[-1])}: what each of its {len(course.atlas.places)} heads "
        "attends to, and when heads, phases and verdicts took shape."
    )
    return " ".join(filter(None, (text, _short_inputs(course.settings), next_sentence(course))))


def _short_inputs(settings: Mapping[str, Any]) -> str:
    """A warning if training began with shorter inputs; otherwise empty."""
    began = short_at_first(settings)
    if not began:
        return ""
    training = settings["training"]
    text = f"{began}, after that inputs of up to {training['max_tokens']}. "
    if settings["max_tokens"] <= training["first_tokens"]:
        return f"{text}All checkpoints are measured on inputs of at most {settings['max_tokens']}."
    return (
        f"{text}All checkpoints are measured on inputs of up to {settings['max_tokens']}, so changes right after that "
        "step may come from positions that it had not seen before."
    )


def _command(course: Course) -> str:
    """The command that analysed the checkpoints, or else the one that analysed the model."""
    return "\n".join(manifest.command for manifest in course.manifests) or course.atlas.results.manifest.command


def _otherwise(course: Course) -> list[str]:
    """What the code of today would make otherwise, where that was found."""
    return list(dict.fromkeys(manifest.otherwise for manifest in course.manifests if manifest.otherwise))


PAGE = StudyPage(TITLE, addresses.curve, there, curve_page, apart="learned".__eq__)
