"""The page of any two models side by side, and the pages that compare a model with another one head by head: a copy
that was trained further, another seed, another size.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from generator.numbers.number import alone
from generator.numbers.resampling import FEW_DOCUMENTS
from generator.numbers.writing import number, percent
from generator.pages import addresses
from generator.pages.blocks import Card, Items, Section, Sections, first_result, opening, present
from generator.pages.compare.pairs import LEAD, TITLE, chosen
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, Name, Prose, prose
from generator.pages.links import model_crumbs, to_model, to_models, to_reference
from generator.pages.of_model import OfModel
from generator.pages.renderer import Page, Renderer
from generator.pages.studies.tables import title, with_interval
from generator.topics.compare.page.changes import features, measures, relations
from generator.topics.compare.page.compared import COMPARED
from generator.topics.compare.page.figures import change_figure
from generator.topics.compare.page.numbers import Comparison, Other, comparisons
from generator.topics.compare.page.tables import heads, layers, patterns, twins, twins_text
from generator.topics.compare.records.names import TOLERANCE
from generator.topics.tasks.page.results import learned, with_n
from generator.topics.tasks.page.words import NAMES

COPIES = "Models and their tuned copies, head by head"
MAPS = (
    "How much the maps of each head differ between a model and another one, such as a copy of it that was fine-tuned "
    "on a task. A mean cosine of 1 stands for the same maps."
)


def compare_pages(atlases: Sequence[Atlas], renderer: Renderer) -> Iterator[Page]:
    """The page on which readers choose two models, and a page for every stored comparison, model by model."""
    by_slug = {atlas.slug: atlas for atlas in atlases}
    yield renderer.attempt("", TITLE, addresses.COMPARISONS, partial(_all, atlases, renderer))
    for atlas in atlases:
        for slug in COMPARED.of(atlas):
            made = partial(_page, atlas, Other(slug, by_slug.get(slug)), renderer)
            model, address = atlas.results.manifest.model, addresses.compare(atlas.slug, slug)
            yield renderer.attempt(model, f"Compared with {slug}", address, made)


def _all(atlases: Sequence[Atlas], renderer: Renderer) -> Page:
    return renderer.page(addresses.COMPARISONS, comparisons_page(atlases))


def _page(atlas: Atlas, other: Other, renderer: Renderer) -> Page:
    return renderer.page(addresses.compare(atlas.slug, other.slug), compare_page(atlas, other))


def compare_links(atlas: Atlas, page_address: str) -> tuple[Link, ...]:
    """Links from a page to the comparisons of a model."""
    return tuple(
        Link(f"Compared with {slug}", addresses.relative(addresses.compare(atlas.slug, slug), page_address))
        for slug in COMPARED.of(atlas)
    )


def compare_cards(atlas: Atlas, page_address: str) -> Iterator[Card]:
    """A card for each comparison of a model."""
    for slug, link in zip(COMPARED.of(atlas), compare_links(atlas, page_address), strict=True):
        yield Card(link, first_result(partial(_result, atlas, slug)))


def _result(atlas: Atlas, slug: str) -> str:
    return _changes(comparisons(atlas, Other(slug, None)))


def comparisons_page(atlases: Sequence[Atlas]) -> Sections:
    """The page on which readers choose two models; it lists the models and all stored comparisons, too."""
    here = addresses.COMPARISONS
    lists = tuple(
        Section("", to_model(atlas.slug, atlas.results.manifest.model, here), (Items(_outcomes(cards)),), level=3)
        for atlas in atlases
        if (cards := tuple(compare_cards(atlas, here)))
    )
    copies = (Section("copies", COPIES, (MAPS,)), *lists) if lists else ()
    return Sections(TITLE, LEAD, (to_models(here),), (*chosen(atlases, here), *copies))


def _outcomes(cards: Iterable[Card]) -> tuple[Prose, ...]:
    """Each comparison of a model with what it came to, if that can be told."""
    return tuple((card.link, f": {card.told}") if card.told else card.link for card in cards)


def compare_page(atlas: Atlas, other: Other) -> Sections:
    """The page of one comparison; its numbers are stored under the study `compare:` with the other's slug."""
    here = addresses.compare(atlas.slug, other.slug)
    found, model = comparisons(atlas, other), atlas.results.manifest.model
    return Sections(
        title=(Name(model), " and ", Name(other.name)),
        lead=_lead(found),
        crumbs=model_crumbs(atlas.slug, model, here),
        sections=(how(found, here), *present(*(part(comparison, here) for comparison in found for part in OF_CORPUS))),
    )


def how(found: Sequence[Comparison], page: str) -> Section:
    """Whether one model is a copy of the other, and how changes are computed."""
    atlas, other = found[0].atlas, found[0].other
    there = to_model(other.slug, other.name, page).href if other.atlas else ""
    model = atlas.results.manifest.model
    return opening(
        prose(
            "{kinship} Changes are those of {other} minus {model}. The cosine of maps follows section 4.3 of {source}, "
            "cropped to the tokens of the text.",
            kinship=_kinship(found),
            other=Name(other.name, there),
            model=Name(model, to_model(atlas.slug, model, page).href),
            source=to_reference("kovaleva2019", "Kovaleva et al. 2019", page),
        )
    )


def maps(found: Comparison, page: str) -> Section:
    """What was read, and how far the maps of each head are from those of the other model."""
    read = filter(None, (_read(found),))
    return Section(found.anchor(), Name(title(found.corpus)), (*read, *present(change_figure(found, page))))


OF_CORPUS: tuple[Callable[[Comparison, str], Section | None], ...] = (
    maps,
    layers,
    heads,
    patterns,
    measures,
    relations,
    features,
    twins,
)
"""Functions that make the sections of a corpus; each returns None if it does not apply."""


def _read(found: Comparison) -> str:
    few = ", too few for intervals to mean much" if 0 < found.documents < FEW_DOCUMENTS else ""
    text = f"{_texts(found, found.documents)}, read by both models{few}." if found.documents else ""
    score = found.facts.get("score")
    if score:
        lead = learned(found.facts.get("score.lead"), found.corpus)
        text += f" On this task {found.other.name} scores {with_n(score)}. {lead}"
    return text.strip()


def _lead(corpora: Sequence[Comparison]) -> str:
    """The main numbers of the first corpus with maps, in a few sentences."""
    found, text = _first(corpora), _changes(corpora)
    if not found.alike or found.unchanged:
        return f"{text} {_weights(found)}" if found.alike else text
    cosines = found.layers["cosine"].value
    most, least = int(np.argmin(cosines)) + 1, int(np.argmax(cosines)) + 1
    return (
        f"{text} Layer {most} changes most (cosine {number(float(cosines.min()))}), layer {least} least "
        f"({number(float(cosines.max()))}). {_weights(found)}"
    )


def _first(corpora: Sequence[Comparison]) -> Comparison:
    return next((corpus for corpus in corpora if corpus.documents), corpora[0])


def _changes(corpora: Sequence[Comparison]) -> str:
    """How alike the maps of both models are, in a sentence."""
    found = _first(corpora)
    if not found.alike:
        return twins_text(found) or f"The two models are compared on the relations of {found.corpus}."
    cosine = found.facts["cosine"]
    of = f"on {_texts(found, int(cosine['n']))}"
    if found.unchanged:
        return f"No change {of}: every head has the same maps in both models (cosine 1), and every measure is equal."
    return f"The maps of a head in the two models have a mean cosine of {with_interval(cosine)} {of}."


def _texts(found: Comparison, count: int) -> str:
    """How many texts both models read, and of what."""
    return f"{count:,} {found.units} of {NAMES.get(found.corpus, found.corpus)}"


def _weights(found: Comparison) -> str:
    """A sentence on how far the weights moved; empty if they cannot be compared."""
    if not {"weights.distance", "weights.random"} <= set(found.facts):
        return ""
    moved, random = (float(found.facts[name]["value"]) for name in ("weights.distance", "weights.random"))
    if moved < TOLERANCE:
        return "The weights are the same."
    return (
        f"The weights of the two models differ by {percent(alone(moved))} of their length, those of a random "
        f"initialisation by {percent(alone(random))}."
    )


def _kinship(corpora: Sequence[Comparison]) -> str:
    found = next((corpus for corpus in corpora if "copy" in corpus.facts), None)
    if found is None:
        return ""
    if not found.alike:
        return (
            "The models differ in their number of layers or heads, so no head of one stands in the place of a head of "
            "the other: only twins are sought."
        )
    cosine = found.facts.get("weights.cosine")
    text = f" (their weight matrices have a cosine of {float(cosine['value']):.4f})" if cosine else ""
    if found.copies:
        return (
            f"One model is a copy of the other, perhaps trained further{text}, so each head is compared with the one "
            "in its place."
        )
    return (
        f"Neither model is a copy of the other{text}. Heads in the same place need have nothing in common, so twins "
        "are sought as well."
    )


class Compared(OfModel):
    """The comparisons of a model."""

    def cards(self, page: str) -> Iterator[Card]:
        """A card for each comparison."""
        yield from compare_cards(self.atlas, page)

    def addresses(self) -> Iterator[str]:
        """The address of the page of each comparison."""
        yield from (addresses.compare(self.atlas.slug, other) for other in COMPARED.of(self.atlas))


OF_MODELS = Compared
SHARED = compare_pages
