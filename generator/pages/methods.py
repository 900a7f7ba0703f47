"""The contexts of the methods pages: one definition each, with the heads that score highest on it."""

from collections.abc import Sequence

import numpy as np

from generator.measures import MEASURES
from generator.measures.measure import Measure
from generator.numbers.writing import written
from generator.pages import addresses
from generator.pages.blocks import Link
from generator.pages.contexts import MethodPage, MethodsPage, TopHeads
from generator.pages.dictionary import studies_list
from generator.pages.heads.atlas import Atlas
from generator.pages.links import to_head, to_method, to_methods, to_model

TOP = 5


def methods_page() -> MethodsPage:
    """The list of all definitions."""
    return MethodsPage(
        tuple(
            (
                to_method(measure.name, measure.title, addresses.METHODS),
                measure.definition,
                measure.unit,
            )
            for measure in MEASURES
        ),
        studies_list(addresses.METHODS),
        Link("data dictionary", addresses.DICTIONARY.removeprefix(addresses.METHODS)),
    )


def method_page(measure: Measure, atlases: Sequence[Atlas]) -> MethodPage:
    """One definition."""
    here = addresses.method(measure.name)
    return MethodPage(
        methods=to_methods(here),
        title=measure.title,
        name=measure.name,
        columns=measure.parts,
        definition=measure.definition,
        formula=measure.formula,
        unit=measure.unit_text,
        uniform=measure.reference,
        source=measure.source,
        caveats=measure.caveats,
        top=tuple(_top(measure.name, atlas, here) for atlas in atlases) if not measure.parts else (),
    )


def _top(column: str, atlas: Atlas, page: str) -> TopHeads:
    estimate = atlas.estimates[column]
    values = estimate.value.ravel()
    order = [int(at) for at in np.argsort(-values, kind="stable") if not np.isnan(values[at])][:TOP]
    return TopHeads(
        model=to_model(atlas.slug, atlas.results.manifest.model, page),
        n=estimate.n,
        heads=tuple(
            (
                to_head(atlas.slug, *atlas.places[at], page),
                written(estimate.of(*atlas.places[at])),
            )
            for at in order
        ),
    )
