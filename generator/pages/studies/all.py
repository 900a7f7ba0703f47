"""The pages of the studies: each model has those for which it has results."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial

from generator.pages import addresses
from generator.pages.blocks import Card, Sections, first_result
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, plain
from generator.pages.renderer import Page, Renderer, plain_text
from generator.pages.studies import numbers
from generator.pages.studies.parts import parts
from generator.pages.studies.study_page import StudyPage
from generator.topics import of_topics

PAGES: tuple[StudyPage, ...] = (*of_topics("pages", "PAGE"), numbers.PAGE)
Made = Callable[[StudyPage], Sections]


def made_once(atlas: Atlas) -> Made:
    """A function that returns the page of a study of this model, and makes each only once."""
    return cache(lambda study: study.page(atlas))


def study_pages(atlas: Atlas, sections: Made, renderer: Renderer) -> Iterator[Page]:
    """The pages of one model, in the order of PAGES, each followed by its parts."""
    model = atlas.results.manifest.model
    for study in PAGES:
        if study.there(atlas):
            later: list[tuple[str, Sections]] = []
            made = partial(_page, study, atlas, sections, renderer=renderer, later=later)
            yield renderer.attempt(model, study.title, study.address(atlas.slug), made)
            for address, part in later:
                name = plain(part.title)
                yield renderer.attempt(
                    model, name, address, partial(_part, name, part, address, model=model, renderer=renderer)
                )


def _page(
    study: StudyPage, atlas: Atlas, sections: Made, renderer: Renderer, later: list[tuple[str, Sections]]
) -> Page:
    title = f"{study.title} - {atlas.results.manifest.model}"
    (address, page), *later[:] = parts(sections(study), study.address(atlas.slug), study.apart)
    search = plain_text(title, plain(page.lead), *study.words(atlas))
    made = renderer.page(address, page, title, search)
    return replace(made, description=f"{title}. {made.description}")


def _part(name: str, part: Sections, address: str, model: str, renderer: Renderer) -> Page:
    title = f"{name} - {model}"
    made = renderer.page(address, part, title, plain_text(title, *(plain(section.title) for section in part.sections)))
    return replace(made, description=f"{title}. {made.description}")


def study_addresses(atlas: Atlas) -> Iterator[str]:
    """The addresses of these pages and of their parts."""
    for study in PAGES:
        if study.there(atlas):
            here = study.address(atlas.slug)
            try:
                yield from [address for address, _ in parts(study.page(atlas), here, study.apart)]
            except Exception:  # noqa: BLE001 - a page that cannot be made says so at its address
                yield here


def study_cards(atlas: Atlas, sections: Made, page_address: str) -> Iterator[Card]:
    """A card for each of these pages."""
    for study in PAGES:
        if study.there(atlas):
            link = Link(study.title, addresses.relative(study.address(atlas.slug), page_address))
            yield Card(link, first_result(partial(_result, sections, study)))


def _result(sections: Made, study: StudyPage) -> str:
    return sections(study).card
