"""Stored numbers in hand-written pages that are about single models."""

from collections.abc import Sequence

import numpy as np

from generator.claims.evidence.reading import Stored
from generator.claims.evidence.rows import number
from generator.errors import SiteError
from generator.numbers.quantity import Undeclared
from generator.numbers.writing import percent, written
from generator.pages.written.in_markdown import text
from generator.studies.declared import quantity_of

IN_PERCENT = "percent"
FORMS = {IN_PERCENT: "%", "points": "points"}
"""How a share may be written -> the unit."""


def stored_number(sources: Sequence[Stored], model: str, key: str, step: str = "", form: str = "") -> str:
    """A number of a whole model as "study/name", with its interval; with a step, one of its learning curve.

    Raises SiteError for an unknown model, study, number, step or form, and if the number is undefined.
    """
    study, _, name = key.partition("/")
    what = f"{key} of {model}{f' at step {step}' if step else ''}"
    table = "curves" if step else "facts"
    results = results_of(sources, model, what)
    check_form(form, what)
    try:
        quantity_of(study, name)
    except Undeclared as error:
        raise SiteError(str(error)) from None
    rows = results.table(table)
    chosen = (rows["study"] == study) & (rows["name"] == name) & (rows["layer"] == 0)
    chosen &= rows["step"].astype(str) == step if step else True
    found = [number(row) for row in rows[chosen].to_dict("records")] if np.any(chosen) else []
    if len(found) != 1 or found[0] is None:
        raise SiteError(
            f"Expected one number for {what} in {table}.parquet, found {len(found) or 'none'}"
            f"{', undefined' if found == [None] else ''}; make it again, or write the sentence without it."
        )
    return text(percent(found[0], FORMS[form]) if form else written(found[0]))


def check_form(form: str, what: str) -> None:
    """Raises SiteError for an unknown form of a number."""
    if form and form not in FORMS:
        known = ", ".join(map(repr, FORMS))
        raise SiteError(f"Expected {known} or nothing as the form of {what}, found {form!r}; correct the page.")


def results_of(sources: Sequence[Stored], model: str, what: str) -> Stored:
    """The results of a model; raises SiteError, with `what` they are needed for, if there are none."""
    found = next((source for source in sources if source.manifest.model == model), None)
    if found is None:
        raise SiteError(f"Expected results of {model} for {what}, found none; add them or leave the page out.")
    return found
