"""Stored numbers in hand-written pages that are about single models."""

from collections.abc import Sequence

import numpy as np

from generator.claims.cutoffs import FEWEST_WORDS
from generator.claims.evidence.reading import Stored
from generator.claims.evidence.rows import number
from generator.claims.gate.statement import given
from generator.claims.gate.treebanks import in_one
from generator.corpora.relation_names import ALL, NOT_RELATIONS
from generator.errors import SiteError
from generator.numbers.quantity import Undeclared
from generator.numbers.writing import percent, written
from generator.pages.written.in_markdown import text
from generator.results.tables import records
from generator.studies.declared import quantity_of
from generator.studies.halves import HELD_OUT
from generator.topics.inputs.records.inputs import CHANGE

IN_PERCENT = "percent"
FORMS = {IN_PERCENT: "%", "points": "points"}
"""How a share may be written -> the unit."""


def stored_number(
    sources: Sequence[Stored],
    page: str,  # noqa: ARG001 - as all calls of pages
    model: str,
    key: str,
    /,
    *,
    step: str = "",
    form: str = "",
) -> str:
    """A number of a whole model as "study/name", with its interval; with a step, one of its learning curve.

    Raises SiteError for an unknown model, study, number, step or form, and if the number is undefined.
    """
    study, _, name = key.partition("/")
    what = f"{key} of {model}{f' at step {step}' if step else ''}"
    table = "curves" if step else "facts"
    results = _results(sources, model, what)
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


def relations_found(sources: Sequence[Stored], page: str, model: str, corpus: str, /) -> str:  # noqa: ARG001 - as above
    """How many of the relations of a treebank that have enough words a head finds, such as "4 of 29".

    Raises SiteError if there are none.
    """
    what = f"the relations that {model} finds in {corpus}"
    rows = _results(sources, model, what).table("relation_heads")
    chosen = (rows["corpus"] == corpus) & (rows["protocol"] == HELD_OUT) & (rows["n"] >= FEWEST_WORDS)
    heads = list(records(rows[chosen & ~rows["relation"].isin((ALL, *NOT_RELATIONS))]))
    if not heads:
        raise SiteError(f"Expected {what} in relation_heads.parquet, found none; make them again or correct the page.")
    return f"{len(given(map(in_one, heads)))} of {len(heads)}"


def condition(page: str, name: str, /) -> str:  # noqa: ARG001 - as above
    """How the study of masks and segment ids changes what is read, such as "15 % of the words masked"."""
    if name not in CHANGE.values:
        raise SiteError(f"Expected one of {', '.join(CHANGE.values)} as a condition, found {name!r}; correct the page.")
    return text(CHANGE.values[name])


def _results(sources: Sequence[Stored], model: str, what: str) -> Stored:
    found = next((one for one in sources if one.manifest.model == model), None)
    if found is None:
        raise SiteError(f"Expected results of {model} for {what}, found none; add them or leave the page out.")
    return found
