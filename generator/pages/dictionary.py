"""The definitions of all studies' numbers, made from their records: a page for each study, and all of them as CSV."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pandas as pd

from generator.measures import COLUMN, MEASURES
from generator.numbers.quantity import Placeholder, Quantity, Study
from generator.numbers.writing import listed
from generator.pages import addresses
from generator.pages.blocks import LINES, Block, Facts, Items, Section, Sections, opening, present
from generator.pages.inline import Code, Prose, prose
from generator.pages.links import to_methods, to_study
from generator.pages.renderer import Page, Renderer
from generator.results.as_csv import inert
from generator.studies.declared import BY_MAKER, DERIVED, STUDIES

FEW, SHORT = 3, 50
"""How many values of a placeholder a title lists at most, and how many characters they may take together."""
BRACES = "A word in braces stands for any of the values that are listed with it."
WRITTEN = {
    ".+": "any that was read",
    "[^.]+": "any that was read",
    r"\d+": "a whole number",
    r"0\.\d+": "a cut-off, such as 0.4",
    r"[A-Z]\d\d\.\d+": "a claim and the number of its part, such as C14.1",
}
"""The form of a placeholder's values, as a regular expression -> words for it."""


def definition_pages(renderer: Renderer) -> Iterator[Page]:
    """One page for each study, by what makes them."""
    for study in (*STUDIES, *DERIVED):
        address = addresses.study(study.name)
        yield renderer.attempt("", study.title, address, partial(_page, study, renderer))


def _page(study: Study, renderer: Renderer) -> Page:
    made = renderer.page(addresses.study(study.name), study_definitions(study))
    return replace(made, description=f"{study.title}: {made.description}")


def study_definitions(study: Study) -> Sections:
    """The page of one study: what is done, and what each of its numbers means."""
    here = addresses.study(study.name)
    numbers = (*study.quantities, *study.columns)
    sentences: tuple[Block, ...] = present(
        Facts((("Name", Code(study.stored)), ("Source", study.source))),
        BRACES if any(quantity.placeholders for quantity in numbers) else None,
    )
    return Sections(
        title=study.title,
        lead=study.about,
        crumbs=(to_methods(here),),
        sections=(opening(*sentences), *(_quantity(quantity, here) for quantity in numbers)),
    )


def studies_list(page: str) -> Iterator[Section]:
    """A section for each maker of numbers: its studies, each with a link and what it does."""
    for maker, studies in BY_MAKER.items():
        row = tuple((to_study(study, page), study.about) for study in studies)
        yield Section("", maker.value, (Facts(row, style="fg-methods"),), level=3)


def dictionary() -> pd.DataFrame:
    """The data dictionary: a row for every number that has a record; a measure of several parts has one for each."""
    return pd.DataFrame(
        {
            "study": study,
            "table": quantity.table,
            "name": name,
            "title": quantity.title,
            "unit": quantity.unit,
            "range": quantity.range,
            "of": " ".join(quantity.of),
            "definition": quantity.definition,
            "formula": quantity.formula,
            "reference": quantity.reference,
            "source": source,
            "caveats": " ".join(quantity.caveats),
        }
        for study, name, quantity, source in _records()
    )


def _records() -> Iterator[tuple[str, str, Quantity, str]]:
    """For each record: its study ("" for a measure), its stored name, the record, and its source."""
    for measure in MEASURES:
        for column in measure.columns:
            yield "", column, measure, measure.source
    for study in (*STUDIES, *DERIVED):
        for quantity in (*study.quantities, *study.columns):
            yield study.stored, quantity.name, quantity, quantity.source or study.source


def dictionary_file() -> tuple[str, str]:
    """The address of the data dictionary, and its text as CSV."""
    return addresses.DICTIONARY, dictionary().map(inert).to_csv(index=False)


def anchor(quantity: Quantity) -> str:
    """The anchor of a number on the page of its study, from its name and, for a column, its table."""
    return re.sub(r"[^a-z0-9]+", "-", f"{quantity.table} {quantity.name}".lower()).strip("-")


def _quantity(quantity: Quantity, page: str) -> Section:
    entries: list[tuple[str, Prose]] = (
        [("Column", Code(quantity.name)), ("Table", Code(quantity.table))] if quantity.table else []
    )
    entries += [] if quantity.table else [("Name", Code(quantity.name))]
    entries += [("Unit", quantity.unit_text)]
    entries += (
        [] if quantity.table and quantity.of == ("model",) else [("For", _of(quantity))]
    )  # a column may be of a token or relation
    entries += [(f"{{{each.name}}}", _values(each, page)) for each in quantity.placeholders]
    entries += [("Formula", Code(quantity.formula))] if quantity.formula else []
    entries += [
        (name, text) for name, text in (("Compare with", quantity.reference), ("Source", quantity.source)) if text
    ]
    blocks: tuple[Block, ...] = present(
        quantity.definition, Facts(tuple(entries)), Items(quantity.caveats, LINES) if quantity.caveats else None
    )
    return Section(anchor(quantity), _title(quantity), blocks)


def _title(quantity: Quantity) -> str:
    """The title of a family of numbers: its placeholder in words if it has only one, with a few short values.

    >>> axis, count = Placeholder("axis", {"x": "longer", "y": "shorter"}), Placeholder.any("count", ".+")
    >>> base = Quantity(name="", title="The {axis} axis", unit="count", definition="", placeholders=(axis,))
    >>> _title(base), _title(replace(base, title="{axis} axis of {count}", placeholders=(axis, count)))
    ('The longer or shorter axis', '{axis} axis of {count}')
    """
    title = quantity.title
    if len(quantity.placeholders) == 1:
        (each,) = quantity.placeholders
        words = listed(list(each.values.values()), "or")
        if 0 < len(each.values) <= FEW and len(words) <= SHORT and " and " not in words:
            title = title.replace(f"{{{each.name}}}", words)
    return title[0].upper() + title[1:]


def _of(quantity: Quantity) -> str:
    return listed([{"model": "the whole model", "layer": "each layer", "head": "each head"}[of] for of in quantity.of])


def _values(placeholder: Placeholder, page: str) -> Prose:
    """The values that a placeholder may have."""
    if placeholder == COLUMN:
        known = "any column of the measures, which the pages under {methods} name, such as attention.cls"
        return prose(known, methods=to_methods(page))
    if not placeholder.values:
        return WRITTEN.get(placeholder.pattern, f"text of the form {placeholder.pattern}")
    return "; ".join(
        name if name == text else f"{name or 'nothing'}: {text}" for name, text in placeholder.values.items()
    )
