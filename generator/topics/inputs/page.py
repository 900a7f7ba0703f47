"""A model's page on changed inputs: how masks, segment ids and moved tokens change maps and losses."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from generator.claims.all import CLAIMS
from generator.errors import SiteError
from generator.measures import OF_COLUMN
from generator.numbers.number import Number
from generator.numbers.quantity import Study
from generator.numbers.writing import listed, number
from generator.pages import addresses
from generator.pages.blocks import Figure, Note, Section, Sections, first_title, opening, present
from generator.pages.figures import DIGITS, by_head, head_table, head_views, number_columns
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell, Cells, Joined, Part, Prose
from generator.pages.links import list_of_claims, model_crumbs, to_claim, to_column, to_term
from generator.pages.studies.study_page import StudyPage
from generator.pages.studies.tables import (
    NOTHING,
    by_name,
    cell,
    count,
    head_grid,
    measured,
    numbers_of,
    of_name,
    stored,
    table,
    with_interval,
)
from generator.pages.titles.heads import changes_seen
from generator.pages.written.context import Context, Written
from generator.pages.written.in_markdown import text
from generator.results.tables import records
from generator.topics.compare.page.numbers import SHOWN
from generator.topics.inputs.records.inputs import BEGIN, CHANGE, DROP, MANIPULATIONS, NO_OP, OCCLUSION
from generator.topics.inputs.records.mask_rows import MASK_ROWS, PLACES, ROWS
from generator.topics.inputs.records.separators import SEPARATORS

TITLE = "Changed inputs"
CONDITIONS = CHANGE.values
"""Name of a condition in the store -> what was done to the input."""
UNIT = MANIPULATIONS.quantity("masks.15.js").unit
MOST = math.log(2)
"""The divergence of two rows that share nothing, in nats."""
HOW = (
    "These are Jensen-Shannon divergences of rows, means over heads and documents; rows that share nothing would "
    f"differ by {number(MOST)}."
)
NUMBERS: Sequence[tuple[Study, str]] = (
    (MANIPULATIONS, "base.loss"),
    (MANIPULATIONS, "masks.40.loss"),
    (MANIPULATIONS, "segments.zero.loss"),
    (MANIPULATIONS, "segments.swapped.loss"),
    (BEGIN, "cut.begin.loss"),
    (BEGIN, "swap.begin.loss"),
    (BEGIN, "cut.separator.loss"),
    (BEGIN, "swap.separator.loss"),
    (NO_OP, "separators.weight"),
    (NO_OP, "separators.loss"),
    (NO_OP, "words.loss"),
    (NO_OP, "lead"),
    (SEPARATORS, "base.last"),
    (SEPARATORS, "moved.kept"),
    (SEPARATORS, "repeated.lead"),
    (SEPARATORS, "dropped.lead"),
    (SEPARATORS, "swapped.lead"),
    (SEPARATORS, "single.gain"),
    (OCCLUSION, "slope"),
    (OCCLUSION, "span.gain"),
    (MASK_ROWS, "deep.near"),
    (MASK_ROWS, "deep.part"),
    (MASK_ROWS, "deep.lead"),
)
"""Study and stored name of the numbers that are shown one by one."""
STUDIES = (MANIPULATIONS, BEGIN, NO_OP, SEPARATORS, OCCLUSION, MASK_ROWS)
_OF_LOSSES = (
    "; losses are compared on the same words. The lower layers are the lowest third, two at least. Where the loss "
    "rises, the model used what was taken away"
)


def there(atlas: Atlas) -> bool:
    """Whether the model has numbers of masks and segment ids, or numbers of changed separators that are shown."""
    shown = [name for study, name in NUMBERS if study is SEPARATORS]
    return bool(len(_facts(atlas, MANIPULATIONS)) or _facts(atlas, SEPARATORS)["name"].isin(shown).any())


def _facts(atlas: Atlas, study: Study) -> pd.DataFrame:
    return stored(atlas, "facts", corpus=atlas.corpus, study=study)


def inputs_page(atlas: Atlas) -> Sections:
    """What the changed inputs change: heads, measures and losses."""
    here = addresses.inputs(atlas.slug)
    facts = {study.name: by_name(_facts(atlas, study), study) for study in STUDIES}
    changed = facts[MANIPULATIONS.name]
    conditions = [name for name in CONDITIONS if f"{name}.js" in changed]
    string = _changes(changed, conditions)
    return Sections(
        title=TITLE,
        lead=f"{string} {HOW}" if string else "What a moved or repeated [SEP] does to attention.",
        card=_changes(changed, conditions[:1]),
        crumbs=model_crumbs(atlas.slug, atlas.results.manifest.model, here),
        sections=present(
            claims(atlas, here),
            heads(atlas, here),
            measures(changed, conditions, here),
            numbers(facts, here),
            distances(facts[OCCLUSION.name], here),
            mask_rows(atlas),
        ),
    )


def claims(atlas: Atlas, page: str) -> Section:
    """The claims that rest on a number of this model."""
    return opening(
        "The same texts are read again with one thing changed, so every difference comes from that change. These "
        "claims rest on such numbers:",
        list_of_claims(numbers_of(atlas, *STUDIES), page),
    )


def _changes(changed: Mapping[str, Mapping[str, Any]], conditions: Sequence[str]) -> str:
    """How much attention changes under each condition; empty if there is none."""
    found = {name: changed[f"{name}.js"] for name in conditions}
    parts = [f"by {with_interval(row)} {UNIT} with {CONDITIONS[name]}" for name, row in found.items()]
    return f"The attention of tokens that stay the same changes {listed(parts)}." if parts else ""


def heads(atlas: Atlas, page: str) -> Section | None:
    """How much the maps of each head change, under each change of the inputs; None if nothing is stored."""
    rows = stored(atlas, "head_facts", corpus=atlas.corpus, study=MANIPULATIONS)
    grids = {
        name: head_grid(found, atlas.shape)
        for name in CONDITIONS
        if len(found := of_name(rows, MANIPULATIONS, f"{name}.js"))
    }
    if not grids:
        return None
    top = round(max(float(np.nanmax(of_condition.value)) for of_condition in grids.values()), DIGITS)
    views = []
    for name, grid in grids.items():
        constants = {"measure": f"{name}.js", "corpus": atlas.corpus, "unit": UNIT, "n": int(grid.n.max())}
        title = changes_seen(f"With {CONDITIONS[name]}, the maps", by_head(atlas, grid), unit=UNIT, plural=True)
        views.append({"columns": number_columns(grid), "signals": {"top": top}, "constants": constants, "title": title})
    texts = [f"{done[0].upper()}{done[1:]}" for done in map(CONDITIONS.__getitem__, grids)]
    choices = tuple(to_term("jensen-shannon-divergence", done, page) for done in texts)
    figure = Figure(
        id="changes",
        label=first_title(views),
        kinds=("grid",),
        data=head_views(atlas, page, views),
        views=choices,
        chooser="With",
        caption=(
            "Each cell is a head: the mean Jensen-Shannon divergence, in nats, between the rows of its maps with and "
            "without the change, at tokens that are the same in both; choose a cell for the page of its head. Colour "
            "runs from 0 to the largest number of any head, one scale for all changes. Intervals are 95 % over "
            f"documents of {atlas.corpus}."
        ),
        table=head_table(atlas, {CONDITIONS[name]: of_condition for name, of_condition in grids.items()}),
    )
    return Section("heads", "Which heads change", (figure,))


def measures(changed: Mapping[str, Mapping[str, Any]], conditions: Sequence[str], page: str) -> Section | None:
    """Every measure without the change and with it; None without conditions."""
    if not conditions:
        return None

    def change(row: Mapping[str, Any]) -> Cell:
        return cell(Number.of(row), signed=True)

    n = to_term("n", "n, documents", page)
    rows = []
    for column in SHOWN:
        base = changed.get(f"base.{column}")  # what was stored before may lack a measure
        if base and not math.isnan(base["value"]):
            link = to_column(column, page)
            cells = (change(changed[f"{name}.{column}"]) for name in conditions)
            heading = Cell(link.text, link.href, note=OF_COLUMN[column].unit)
            rows.append((heading, measured(base), *cells, count(base["n"])))
    columns: tuple[Prose, ...] = ("measure", "as it is", *(CONDITIONS[name] for name in conditions), n)
    return Section(
        "measures",
        "Every measure, as it is and changed",
        (
            table("Every measure with and without the change", columns, rows),
            Note(
                "Means over heads and documents, and how they change, with 95 % intervals over documents. Any token of "
                "the text but periods and commas may be masked; the 15 % are among the 40 %. Segments are those of "
                "the text, whatever ids the model is given. The offset profile, and all of this by layer, is in "
                "facts.parquet."
            ),
        ),
    )


def numbers(facts: Mapping[str, Mapping[str, Mapping[str, Any]]], page: str) -> Section | None:
    """The numbers that are shown one by one; None if none is stored."""

    def rows() -> Iterator[Cells]:
        for study, name in NUMBERS:
            if name in facts[study.name]:
                row, record = facts[study.name][name], study.quantity(name)
                yield record.title, measured(row), record.unit, _decides(study, name, page), count(row["n"])

    found, title = list(rows()), "What else was changed"
    losses = any(study is not SEPARATORS and name in facts[study.name] for study, name in NUMBERS)
    string = _OF_LOSSES if losses else ""
    columns = ("number", "value", "unit", "claims it decides", to_term("n", "n, documents", page))
    if not found:
        return None
    return Section(
        "numbers",
        title,
        (table(title, columns, found), Note(f"Means over documents with 95 % intervals{string}.")),
    )


def _decides(study: Study, name: str, page: str) -> Part:
    """Links to the claims that rest on a number."""
    ids = [to_claim(claim.id, claim.id, page) for claim in CLAIMS if claim.rests_on(f"{study.name}/{name}")]
    return Joined(tuple(ids)) if ids else NOTHING


def distances(occlusion: Mapping[str, Mapping[str, Any]], page: str) -> Section | None:
    """How much the loss rises when another token is hidden, by its distance; the last row has no upper end. None if
    nothing is stored.
    """
    starts = sorted(int(parts["start"]) for parts in map(DROP.values_in, occlusion) if parts)
    if not starts:
        return None
    ends = [after - 1 for after in starts[1:]]
    # The last start has no end.
    names = [str(start) if start == end else f"{start} to {end}" for start, end in zip(starts, ends, strict=False)]
    found = [occlusion[DROP.called(start=start)] for start in starts]
    columns = ("distance, tokens", "rise of the loss of the hidden word, nats", to_term("n", "n, documents", page))
    rows = (
        (name, measured(row), count(row["n"]))
        for name, row in zip((*names, f"{starts[-1]} and more"), found, strict=True)
    )
    title = "What hiding another token costs"
    return Section(
        "distances",
        title,
        (
            table(title, columns, rows),
            Note(
                "A word is hidden, and then another token as well. The number says by how much this raises the loss of "
                "the word: above 0, the other token had helped to predict it. All hidden words are pooled; intervals "
                "resample documents."
            ),
        ),
    )


def mask_rows(atlas: Atlas) -> Section | None:
    """What [MASK] looks at in every layer, and what the word that it hides does; None if nothing is stored."""
    rows = _facts(atlas, MASK_ROWS)
    rows = rows[rows["layer"] > 0]
    if not len(rows):
        return None
    found = {(row["layer"], row["name"]): row for row in records(rows)}
    kinds = [*PLACES, "same"]
    lines: list[Cells] = [
        (str(layer), text, *(measured(found.get((layer, f"{row}.{kind}"))) for kind in kinds))
        for layer in sorted(set(rows["layer"]))
        for row, text in {**ROWS, "word": "the word"}.items()
    ]
    columns = ("layer", "row of", "itself", "special tokens", "next tokens", "2 to 4 away", "5 to 9", "10 and more")
    parts = ("its own part", "other parts", "own part, of two as near")
    title = "What [MASK] looks at"
    return Section(
        "mask-rows",
        title,
        (
            table(title, (*columns, *parts), lines),
            Note(
                "Shares of the row of [MASK], where 15 % of the words are masked, and of the row of the same word in "
                "the text as it is; means over heads. The first six add up to 1. A part lies between two punctuation "
                "marks or special tokens. The last column compares two tokens at the same distance, one on either "
                "side, of which only one lies in the own part; at 0.5 the part does not matter. Intervals resample "
                f"{int(rows['n'].max())} documents."
            ),
        ),
    )


PAGE = StudyPage(TITLE, addresses.inputs, there, inputs_page)


def condition(context: Context, name: str, /) -> str:  # noqa: ARG001 - as all calls
    """How the study of masks and segment ids changes what is read, such as "15 % of the words masked"."""
    if name not in CHANGE.values:
        raise SiteError(f"Expected one of {', '.join(CHANGE.values)} as a condition, found {name!r}; correct the page.")
    return text(CHANGE.values[name])


WRITTEN = Written({"condition": condition})
