"""The definitions of all studies' numbers, made from their records: a page for each study, and all of them as CSV."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pandas as pd

from generator.measures import MEASURES
from generator.numbers.quantity import Placeholder, Quantity, Study
from generator.numbers.writing import listed
from generator.pages import addresses
from generator.pages.blocks import LINES, Block, Facts, Items, Section, Sections, opening, present
from generator.pages.inline import Code, Part
from generator.pages.links import to_methods, to_study
from generator.pages.renderer import Page, Renderer
from generator.studies.declared import ANALYSIS, CURVES, DERIVED, EXPERIMENTS, STUDIES

MADE = {
    "An analysis": ANALYSIS,
    "Experiments": EXPERIMENTS,
    "The learning curve": CURVES,
    "Made from stored tables": DERIVED,
}
"""What makes the numbers -> its studies."""
FEW = 3
"""The most values of a placeholder that a title lists."""
WRITTEN = {".+": "any that was read", "[^.]+": "any that was read", r"\d+": "a whole number"}
"""The form of a placeholder's values, as a regular expression -> words for it."""


def definition_pages(renderer: Renderer) -> Iterator[Page]:
    """One page for each study, in the order of `MADE`."""
    for study in (*STUDIES, *DERIVED):
        address = addresses.study(study.name)
        yield renderer.attempt("", study.title, address, partial(_page, study, renderer))


def _page(study: Study, renderer: Renderer) -> Page:
    made = renderer.page(addresses.study(study.name), study_definitions(study))
    return replace(made, description=f"{study.title}: {made.description}")


def study_definitions(study: Study) -> Sections:
    """The page of one study: what is done, and what each of its numbers means."""
    here = addresses.study(study.name)
    told = Facts((("Name", Code(study.stored)), ("Source", study.source)))
    return Sections(
        title=study.title,
        lead=study.about,
        crumbs=(to_methods(here),),
        sections=(opening(told), *map(_quantity, (*study.quantities, *study.columns))),
    )


def studies_list(page: str) -> Iterator[Section]:
    """A section for each key of `MADE`: its studies, each with a link and what it does."""
    for made, studies in MADE.items():
        told = tuple((to_study(study, page), study.about) for study in studies)
        yield Section("", made, (Facts(told, style="fg-methods"),), level=3)


def dictionary() -> pd.DataFrame:
    """The data dictionary: a row for every number that has a record; a measure of several parts has one for each."""
    return pd.DataFrame(
        {
            "study": study,
            "table": one.table,
            "name": name,
            "title": one.title,
            "unit": one.unit,
            "range": one.range,
            "of": " ".join(one.of),
            "definition": one.definition,
            "formula": one.formula,
            "reference": one.reference,
            "source": source,
            "caveats": " ".join(one.caveats),
        }
        for study, name, one, source in _records()
    )


def _records() -> Iterator[tuple[str, str, Quantity, str]]:
    """For each record: its study ("" for a measure), its stored name, the record, and its source."""
    for measure in MEASURES:
        for column in measure.columns:
            yield "", column, measure, measure.source
    for study in (*STUDIES, *DERIVED):
        for one in (*study.quantities, *study.columns):
            yield study.stored, one.name, one, one.source or study.source


def dictionary_file() -> tuple[str, str]:
    """The address of the data dictionary, and its text as CSV."""
    return addresses.DICTIONARY, dictionary().to_csv(index=False)


def anchor(one: Quantity) -> str:
    """The anchor of a number on the page of its study, from its name and, for a column, its table."""
    return re.sub(r"[^a-z0-9]+", "-", f"{one.table} {one.name}".lower()).strip("-")


def _quantity(one: Quantity) -> Section:
    told: list[tuple[str, Part | str]] = [("Column", Code(one.name)), ("Table", Code(one.table))] if one.table else []
    told += [] if one.table else [("Name", Code(one.name))]
    told += [("Unit", one.unit_text), ("Of", _of(one))]
    told += [(f"{{{each.name}}}", _values(each)) for each in one.placeholders]
    told += [("Formula", Code(one.formula))] if one.formula else []
    told += [(name, text) for name, text in (("Beside it", one.reference), ("Source", one.source)) if text]
    blocks: tuple[Block, ...] = present(
        one.definition, Facts(tuple(told)), Items(one.caveats, LINES) if one.caveats else None
    )
    return Section(anchor(one), _title(one), blocks)


def _title(one: Quantity) -> str:
    """The title of a family of numbers, with words for its placeholders."""
    title = one.title
    for each in one.placeholders:
        title = title.replace(f"{{{each.name}}}", _words(each))
    return title[0].upper() + title[1:]


def _words(placeholder: Placeholder) -> str:
    r"""What stands for a placeholder in a title: all of its values if they are few.

    >>> _words(Placeholder("axis", {"x": "longer", "y": "shorter"})), _words(Placeholder.any("step", "\\d+"))
    ('longer or shorter', 'n')
    >>> _words(Placeholder.any("relation", ".+"))
    'each relation'
    """
    if 0 < len(placeholder.values) <= FEW:
        return listed(list(placeholder.values.values()), "or")
    return "n" if r"\d" in placeholder.pattern else f"each {placeholder.name}"


def _of(one: Quantity) -> str:
    return " and ".join({"model": "the whole model", "layer": "each layer", "head": "each head"}[of] for of in one.of)


def _values(placeholder: Placeholder) -> str:
    """The values that a placeholder may have."""
    if not placeholder.values:
        return WRITTEN.get(placeholder.pattern, f"text of the form {placeholder.pattern}")
    return "; ".join(name if name == text else f"{name}: {text}" for name, text in placeholder.values.items())
