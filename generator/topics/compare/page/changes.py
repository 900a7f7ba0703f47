"""Sections on what changes from one model to another: measures, relations, kinds of words."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from generator.corpora.relation_names import DIRECTION_IN_WORDS
from generator.measures import OF_COLUMN
from generator.numbers.number import Grid
from generator.numbers.writing import number
from generator.pages.blocks import Block, Note, Section, present
from generator.pages.inline import Link
from generator.pages.links import to_column, to_head, to_term
from generator.pages.studies.tables import NOTHING, cell, count, relation_cell, stored, table
from generator.results.tables import records
from generator.studies.halves import HELD_OUT
from generator.topics.compare.derived.changes import leaves_out_zero
from generator.topics.compare.page.figures import measures_figure
from generator.topics.compare.page.numbers import Comparison
from generator.topics.compare.records.names import BASE, relation_fact
from generator.topics.frames.records import FEATURES
from generator.topics.relations.derived.tried import accuracies

SCORE = "mean"
"""The score of a kind of token that is shown: the share of all attention that goes to it."""


def to_own(found: Comparison, at: Sequence[int], page: str) -> Link:
    """A link to the page of a head of the first model, by its 0-based place."""
    return to_head(found.atlas.slug, at[0] + 1, at[1] + 1, page)


def _most(change: Grid) -> tuple[int, ...]:
    """The 0-based layer and head of the head that changed most."""
    return tuple(int(at) for at in np.unravel_index(np.nanargmax(abs(change.value)), change.value.shape))


def _clear(change: Grid) -> str:
    """How many heads have a change whose own interval leaves out 0."""
    return f"{leaves_out_zero(change)} of {change.value.size}"


def measures(found: Comparison, page: str) -> Section | None:
    """The change of every measure, and which head changed most; None for models of different shape."""
    if not found.alike:
        return None
    blocks = (*present(measures_figure(found, page)), *_largest(found, page))
    return Section(found.anchor("measures"), "Measures", blocks, level=3)


def _largest(found: Comparison, page: str) -> Iterator[Block]:
    """A table with the head that changed most for every measure."""
    rows = []
    for column in found.changed:
        change = found.heads[column]
        at = _most(change)
        before = number(found.heads[BASE + column].value[at]) if BASE + column in found.heads else NOTHING
        names = to_column(column, page), to_own(found, at, page), before
        changed = cell(change.at(*at), signed=True), OF_COLUMN[column].unit, count(change.n[at])
        rows.append((*names, *changed, _clear(change)))
    if not rows:
        yield "No measure changed."
        return
    columns = (
        "measure",
        "head",
        f"in {found.atlas.results.manifest.model}",
        "change",
        "unit",
        to_term("n", f"n, {found.units}", page),
        "heads whose interval leaves out 0",
    )
    yield table("Largest changes of measures", columns, rows)
    yield Note(
        "Each interval is for its head alone: of heads that did not change, one in twenty leaves out 0 by chance, and "
        "the largest of many changes is partly luck."
    )


def relations(found: Comparison, page: str) -> Section | None:
    """For every relation the first model's chosen head, its accuracy and the change of that; None if not compared."""
    chosen = stored(found.atlas, "relation_heads", corpus=found.corpus, protocol=HELD_OUT)
    accuracy = stored(found.atlas, "relations", corpus=found.corpus)
    rows = []
    for row in records(chosen.sort_values("relation")):
        change = found.heads.get(relation_fact(row["relation"], row["direction"]))
        if change is not None:
            at = int(row["layer"]) - 1, int(row["head"]) - 1
            here = accuracy
            for column in ("relation", "direction", "layer", "head"):
                here = here[here[column] == row[column]]
            share = float(accuracies(here).iloc[0]) if len(here) else math.nan
            names = relation_cell(row["relation"]), to_own(found, at, page), DIRECTION_IN_WORDS[row["direction"]]
            rows.append((*names, number(share), cell(change.at(*at), signed=True), count(change.n[at])))
    columns = (
        to_term("dependency-relation", "relation", page),
        "head",
        "direction",
        f"accuracy in {found.atlas.results.manifest.model}",
        "change",
        to_term("n", "n, words", page),
    )
    if not rows:
        return None
    note = Note(
        "The head is the first model's best on one half of the sentences; accuracy and change are those of all "
        "sentences. Intervals resample sentences."
    )
    blocks = (table("Change of accuracy by relation", columns, rows), note)
    return Section(found.anchor("relations"), "Relations", blocks, level=3)


def features(found: Comparison, page: str) -> Section | None:
    """For every kind of word the head whose attention to it changed most; None where not compared."""
    rows = []
    for feature in FEATURES:
        change = found.heads.get(f"{feature}.{SCORE}")
        if change is not None and not np.isnan(change.value).all():
            at = _most(change)
            changed = cell(change.at(*at), signed=True), count(change.n[at]), _clear(change)
            rows.append((feature, to_own(found, at, page), *changed))
    columns = (
        "kind of token",
        "head that changed most",
        "change",
        to_term("n", "n, sentences", page),
        "heads whose interval leaves out 0",
    )
    if not rows:
        return None
    note = Note(
        "Share of all attention that goes to tokens of the kind; sentences without one are left out. Intervals "
        "resample sentences and are each for a head alone."
    )
    blocks = (table("Change of attention to kinds of tokens", columns, rows), note)
    return Section(found.anchor("features"), "Attention to kinds of tokens", blocks, level=3)
