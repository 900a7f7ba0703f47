"""The methods pages: one definition each, with the heads that score highest on it."""

from collections.abc import Sequence
from itertools import chain
from urllib.parse import urlencode

import numpy as np

from generator.measures import MEASURES
from generator.measures.measure import Measure
from generator.numbers.writing import written
from generator.pages import addresses
from generator.pages.blocks import LINES, Facts, Items, Section, Sections, opening
from generator.pages.dictionary import studies_list
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.finder import SHORT
from generator.pages.inline import Code, Count, Link, Name, Prose, prose
from generator.pages.links import to_head, to_method, to_methods, to_model

TOP, MOST = 5, 30
"""The most heads that a definition names of each model, and of all models together unless one of each are more."""


def methods_page() -> Sections:
    """The list of all definitions."""
    here = addresses.METHODS
    measures = (
        ((to_method(measure.name, measure.title, here), " ", Count(measure.unit)), measure.definition)
        for measure in MEASURES
    )
    studies = prose(
        "Studies need more than the sums that one pass collects. Each has a page with all of its numbers: what they "
        "say, their unit, and what they are compared with. The {dictionary} has the same as a table.",
        dictionary=Link("data dictionary", addresses.DICTIONARY.removeprefix(here)),
    )
    return Sections(
        title="Methods",
        lead=(
            "One page for each measure: what it is, how it is computed, what uniform attention would give, and where "
            "it comes from."
        ),
        crumbs=(),
        sections=(
            opening(
                "A document is read as pairs of consecutive paragraphs with the tokenizer's own special tokens; "
                "nothing is masked. Each measure is computed for every document and head, then averaged over "
                "documents. Intervals are 95 % percentile bootstrap intervals over documents.",
                Facts(tuple(measures), style="fg-methods"),
            ),
            Section("studies", "Numbers of studies", (studies,)),
            *studies_list(here),
        ),
    )


def method_page(measure: Measure, atlases: Sequence[Atlas]) -> Sections:
    """One definition."""
    here = addresses.method(measure.name)
    columns: Prose = tuple(piece for part in measure.parts for piece in (Code(part), " "))
    entries: list[tuple[str, Prose]] = [
        ("Name", Code(measure.name)),
        ("Formula", Code(measure.formula)),
        ("Unit", measure.unit_text),
        ("Uniform attention", measure.reference),
        ("Source", measure.source),
        *([("Columns", columns)] if columns else []),
    ]
    caveats = Section("caveats", "Caveats", (Items(measure.caveats, LINES),))
    return Sections(
        title=measure.title,
        lead=measure.definition,
        crumbs=(to_methods(here),),
        sections=(
            opening(
                Facts(tuple(entries)),
                "A[i, j] is the attention from token i, the query, to token j, the key; n is the number of tokens, "
                "special tokens included and padding left out. The value of a head is the mean over documents; 3-8 is "
                "head 8 of layer 3.",
            ),
            *((caveats,) if measure.caveats else ()),
            *((_highest(measure, atlases, here),) if atlases and not measure.parts else ()),
        ),
    )


def _highest(measure: Measure, atlases: Sequence[Atlas], page: str) -> Section:
    """The heads of each model that score highest, and where all are sorted."""
    count = min(max(MOST // len(atlases), 1), TOP)
    lines = tuple(_of_model(atlas, measure.name, count, page) for atlas in atlases)
    sort = urlencode({"sort": SHORT.get(measure.name, measure.name)})
    finder = Link("the finder", f"{addresses.relative(addresses.FINDER, page)}?{sort}")
    sentence = prose("Means over documents with their 95 % intervals; {finder} sorts all heads.", finder=finder)
    return Section("highest", "Highest heads", (sentence, Facts(lines, style="fg-facts fg-reasons")))


def _of_model(atlas: Atlas, column: str, count: int, page: str) -> tuple[Name, Prose]:
    """A model and its heads that score highest, at most so many."""
    estimate, model = atlas.estimates[column], atlas.results.manifest.model
    values = estimate.value.ravel()
    defined = np.count_nonzero(~np.isnan(values))  # undefined heads come last
    order = [atlas.places[at] for at in np.argsort(-values, kind="stable")[: min(count, defined)]]
    name = Name(model, to_model(atlas.slug, model, page).href)
    ends = (*[", "] * (len(order) - 1), f"; {estimate.n} documents")
    parts = (
        (to_head(atlas.slug, layer, head, page), f": {written(estimate.of(layer, head))}{end}")
        # Without heads the last ending is still there.
        for (layer, head), end in zip(order, ends, strict=False)
    )
    return name, tuple(chain(*parts)) if order else "undefined for this model"
