"""The page that sets a model beside another one: a copy that was trained further, another seed, another size."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from generator.experiments.compare.names import TOLERANCE
from generator.numbers.resampling import FEW_DOCUMENTS
from generator.numbers.writing import number
from generator.pages import addresses
from generator.pages.blocks import Link
from generator.pages.compare.changes import features_table, largest_table, relations_table
from generator.pages.compare.contexts import ComparedOn, ComparePage
from generator.pages.compare.figures import change_figure, measures_figure
from generator.pages.compare.numbers import Comparison, Other, compared_with, comparisons
from generator.pages.compare.tables import heads_table, layers_table, patterns_table, twins_table
from generator.pages.heads.atlas import Atlas
from generator.pages.links import to_model, to_models, to_reference
from generator.pages.renderer import Page, Renderer, plain_text
from generator.pages.studies.tables import title, with_interval
from generator.pages.tasks.results import learned, with_n


def compare_pages(atlases: Sequence[Atlas], renderer: Renderer) -> Iterator[Page]:
    """A page for every comparison that is stored, model by model."""
    by_slug = {atlas.slug: atlas for atlas in atlases}
    for atlas in atlases:
        for slug in compared_with(atlas):
            made = partial(_page, atlas, Other(slug, by_slug.get(slug)), renderer)
            model, address = atlas.results.manifest.model, addresses.compare(atlas.slug, slug)
            yield renderer.attempt(model, f"Beside {slug}", address, made)


def _page(atlas: Atlas, other: Other, renderer: Renderer) -> Page:
    context = compare_page(atlas, other)
    name = f"{context.model.text} and {context.other.text}"
    html = renderer.render("compare.html", context)
    search = plain_text(name, context.lead)
    return Page(addresses.compare(atlas.slug, other.slug), name, html, search, context.lead, wide=True)


def compare_links(atlas: Atlas, page_address: str) -> tuple[Link, ...]:
    """Links from a page to the comparisons of a model."""
    return tuple(
        Link(f"Beside {slug}", addresses.relative(addresses.compare(atlas.slug, slug), page_address))
        for slug in compared_with(atlas)
    )


def compare_page(atlas: Atlas, other: Other) -> ComparePage:
    """The context of one page; the model has numbers of study `compare:` and the other's slug."""
    here = addresses.compare(atlas.slug, other.slug)
    found = comparisons(atlas, other)
    link = to_model(other.slug, other.name, here) if other.atlas else Link(other.name, "")
    return ComparePage(
        models=to_models(here),
        model=to_model(atlas.slug, atlas.results.manifest.model, here),
        other=link,
        lead=_lead(found),
        kinship=_kinship(found),
        source=to_reference("kovaleva2019", "Kovaleva et al. 2019", here),
        corpora=tuple(_compared_on(one, at, here) for at, one in enumerate(found, start=1)),
    )


def _compared_on(found: Comparison, at: int, page: str) -> ComparedOn:
    patterns = patterns_table(found, page)
    return ComparedOn(
        id=f"on-{at}",
        title=title(found.corpus),
        read=_read(found),
        change=change_figure(found, at, page),
        layers=layers_table(found, page),
        heads=heads_table(found, page),
        patterns=patterns,
        patterns_text=_patterns_text(found, len(patterns.rows) if patterns else 0),
        measures=measures_figure(found, at, page),
        largest=largest_table(found, page),
        relations=relations_table(found, page),
        features=features_table(found, page),
        twins=twins_table(found, page),
        twins_text=_twins_text(found),
    )


def _read(found: Comparison) -> str:
    few = ", too few for intervals to mean much" if 0 < found.documents < FEW_DOCUMENTS else ""
    text = f"{found.documents} documents, read by both models{few}." if found.documents else ""
    score = found.facts.get("score")
    if score:
        text += f" On this task {found.other.name} scores {with_n(score)}. {learned(found.facts.get('score.lead'))}"
    return text.strip()


def _lead(corpora: Sequence[Comparison]) -> str:
    """What the first corpus with maps says, in numbers."""
    found = next((one for one in corpora if one.documents), corpora[0])
    if not found.alike:
        return _twins_text(found) or f"The two models are compared on the relations of {found.corpus}."
    cosine, layers = found.facts["cosine"], found.layers["cosine"].value
    of = f"on {int(cosine['n'])} documents of {found.corpus}"
    if found.unchanged:
        return (
            f"No change {of}: every head has the same maps in both models (cosine 1), and every measure is equal. "
            f"{_weights(found)}"
        )
    most, least = int(np.argmin(layers)) + 1, int(np.argmax(layers)) + 1
    text = (
        f"The maps of a head in the two models have a mean cosine of {with_interval(cosine)} {of}. Layer {most} "
        f"changes most ({number(float(layers.min()))}), layer {least} least ({number(float(layers.max()))}). "
    )
    return text + _weights(found)


def _weights(found: Comparison) -> str:
    """How far the weights moved, where they can be compared."""
    if not {"weights.distance", "weights.random"} <= set(found.facts):
        return ""
    moved, random = (float(found.facts[name]["value"]) for name in ("weights.distance", "weights.random"))
    if moved < TOLERANCE:
        return "The weights are the same."
    return f"The weights lie {number(moved)} of their length apart; a random initialisation lies {number(random)} away."


def _kinship(corpora: Sequence[Comparison]) -> str:
    found = next((one for one in corpora if "copy" in one.facts), None)
    if found is None:
        return ""
    if not found.alike:
        return (
            "The models differ in their number of layers or heads, so no head of one stands in the place of a head of "
            "the other: only twins are sought."
        )
    cosine = found.facts.get("weights.cosine")
    told = f" (cosine of their matrices {number(float(cosine['value']))})" if cosine else ""
    if found.copies:
        return f"One is a copy of the other, unchanged or trained further{told}: heads are compared place by place."
    return (
        f"Neither is a copy of the other{told}: heads in the same place need have nothing in common, so twins are "
        "sought as well."
    )


def _patterns_text(found: Comparison, changed: int) -> str:
    if not found.alike or found.patterns is None:
        return ""
    return f"{changed} of {len(found.atlas.places)} heads have another most frequent pattern."


def _twins_text(found: Comparison) -> str:
    if "twin.divergence" not in found.heads:
        return ""
    twin = found.heads["twin.layer"].value
    there = ~np.isnan(twin)
    same = int((twin == np.arange(1, len(twin) + 1)[:, None])[there].sum())
    matched, every = (with_interval(found.facts[name]) for name in ("twin.matched", "twin.every"))
    return (
        f"Matched with their twins, heads differ by {matched} nats on documents of {found.corpus} that the matching "
        f"did not see, any two heads of the two models by {every}; {same} of {int(there.sum())} twins stand in the "
        "same layer."
    )
