"""The pages of the studies: each model has those for which it has results."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

from generator.pages import addresses
from generator.pages.blocks import Card, Sections, first_result
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, plain
from generator.pages.renderer import Page, Renderer, plain_text
from generator.pages.studies import numbers
from generator.pages.studies.parts import parts
from generator.topics.distances import page as landscape
from generator.topics.frames.page import page as features
from generator.topics.inputs import page as inputs
from generator.topics.layers.page.patterns import page as patterns
from generator.topics.layers.page.phases import page as phases
from generator.topics.layers.page.phases.told import TITLE as PHASES
from generator.topics.learning.page import page as curve
from generator.topics.relations.page import page as relations
from generator.topics.seeds.page import page as seeds
from generator.topics.tasks.page import page as tasks
from generator.topics.tokens.page import roles


class Study(NamedTuple):
    """One kind of page about a study."""

    title: str
    address: Callable[[str], str]
    """A function that returns the address of the page from the model's slug."""
    there: Callable[[Atlas], bool]
    """A function that says whether the model has what the page shows."""
    page: Callable[[Atlas], Sections]
    words: Callable[[Atlas], Iterable[str]] = lambda _: ()
    """A function that returns what the search reads of the page beside title and lead."""
    apart: Callable[[str], bool] = lambda _: False
    """A function that says whether the section with this anchor gets a page of its own."""


STUDIES = (
    Study(relations.TITLE, addresses.relations, relations.there, relations.relations_page, relations.tried),
    Study(landscape.TITLE, addresses.head_map, landscape.there, landscape.landscape_page),
    Study(roles.TITLE, addresses.roles, roles.there, roles.roles_page),
    Study(PHASES, addresses.phases, phases.there, phases.phases_page),
    Study(patterns.TITLE, addresses.patterns, patterns.there, patterns.patterns_page),
    Study(features.TITLE, addresses.features, features.there, features.features_page, apart=features.apart),
    Study(inputs.TITLE, addresses.inputs, inputs.there, inputs.inputs_page),
    Study(tasks.TITLE, addresses.tasks, tasks.there, tasks.tasks_page),
    Study(curve.TITLE, addresses.curve, curve.there, curve.curve_page, apart="learned".__eq__),
    Study(seeds.TITLE, addresses.seeds, seeds.there, seeds.seeds_page),
    Study(numbers.TITLE, addresses.numbers, numbers.there, numbers.numbers_page),
)


Made = Callable[[Study], Sections]


def made_once(atlas: Atlas) -> Made:
    """A function that returns the page of a study of this model, and makes each only once."""
    return cache(lambda study: study.page(atlas))


def study_pages(atlas: Atlas, sections: Made, renderer: Renderer) -> Iterator[Page]:
    """The pages of one model, in the order of STUDIES, each followed by its parts."""
    model = atlas.results.manifest.model
    for study in STUDIES:
        if study.there(atlas):
            later: list[tuple[str, Sections]] = []
            made = partial(_page, study, atlas, sections, renderer, later)
            yield renderer.attempt(model, study.title, study.address(atlas.slug), made)
            for address, part in later:
                name = plain(part.title)
                yield renderer.attempt(model, name, address, partial(_part, name, part, address, model, renderer))


def _page(study: Study, atlas: Atlas, sections: Made, renderer: Renderer, later: list[tuple[str, Sections]]) -> Page:
    title = f"{study.title} - {atlas.results.manifest.model}"
    (address, page), *later[:] = parts(sections(study), study.address(atlas.slug), study.apart)
    search = plain_text(title, plain(page.lead), *study.words(atlas))
    made = renderer.page(address, page, title, search)
    return replace(made, description=f"{title}. {made.description}")


def _part(name: str, part: Sections, address: str, model: str, renderer: Renderer) -> Page:
    title = f"{name} - {model}"
    made = renderer.page(address, part, title, plain_text(title, *(plain(one.title) for one in part.sections)))
    return replace(made, description=f"{title}. {made.description}")


def study_addresses(atlas: Atlas) -> Iterator[str]:
    """The addresses of these pages and of their parts."""
    for study in STUDIES:
        if study.there(atlas):
            here = study.address(atlas.slug)
            try:
                yield from [address for address, _ in parts(study.page(atlas), here, study.apart)]
            except Exception:  # noqa: BLE001 - a page that cannot be made says so at its address
                yield here


def study_cards(atlas: Atlas, sections: Made, page_address: str) -> Iterator[Card]:
    """A card for each of these pages."""
    for study in STUDIES:
        if study.there(atlas):
            link = Link(study.title, addresses.relative(study.address(atlas.slug), page_address))
            yield Card(link, first_result(partial(_result, sections, study)))


def _result(sections: Made, study: Study) -> str:
    return sections(study).card
