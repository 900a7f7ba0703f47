"""The table of verdicts on one claim: a row for each model, with the published numbers below."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import NamedTuple, Self

from markupsafe import Markup

from generator.claims.claim import Claim, Judgement
from generator.numbers import writing
from generator.pages import addresses
from generator.pages.blocks import Block, Table
from generator.pages.claims.tables import (
    MOST,
    UNJUDGED,
    Ledger,
    comparable,
    heads_of,
    mark,
    place,
    row_of,
    told,
)
from generator.pages.inline import Cell, Cells, Joined, Link, Name, Part, Small
from generator.pages.links import to_head, to_model
from generator.pages.renderer import heading_rows
from generator.pages.studies.tables import NOTHING
from generator.results.manifest import Manifest


class Verdicts(NamedTuple):
    """The parts of the table, its rows as HTML."""

    name: str
    columns: Cells
    rows: Mapping[str, Markup]
    """The row of each model by its slug."""
    below: Markup
    """The rows of published numbers."""

    @classmethod
    def of(cls, ledger: Ledger, claim: Claim, page: str) -> Self:
        """One row per model, one column per part."""
        parts = ((part.name, Small(f"{part.unit}, {part.threshold}")) for part in claim.parts)
        judged = ledger.by_model(claim)
        named = any(heads_of(item) for _, item in judged)
        rows = {}
        for one, item in judged:
            made = partial(_row, ledger, one, item, page, named=named)
            rows[one.slug] = ledger.once(one.slug, f"row {claim.id} {named} {page}", made)
        columns: Cells = ("model", "verdict", *parts, *(["heads"] if named else []))
        return cls(f"Verdicts on {claim.id}", columns, rows, _published(claim, named=named))

    def table(self, models: Iterable[str], anchor: str = "") -> Table:
        """The table of these models, given by their slugs."""
        rows = Markup("\n").join(filter(None, (*(self.rows[slug] for slug in models), self.below)))
        return Table(self.columns, rows, self.name, "fg-claims", anchor)


def verdict_table(ledger: Ledger, claim: Claim, page: str) -> Block:
    """The table of all models."""
    if not ledger.manifests:
        return UNJUDGED
    found = Verdicts.of(ledger, claim, page)
    return found.table(found.rows)


def _row(ledger: Ledger, manifest: Manifest, item: Judgement, page: str, *, named: bool) -> Markup:
    numbers = [finding.number for finding in item.findings] or [None] * len(item.claim.parts)
    return heading_rows(
        [
            (
                Name(manifest.model, to_model(manifest.slug, manifest.model, page).href),
                mark(item.verdict),
                *(told(number, part) for number, part in zip(numbers, item.claim.parts, strict=True)),
                *([_to_heads(ledger, item, manifest.slug, page)] if named else []),
            )
        ]
    )


def _published(claim: Claim, *, named: bool) -> Markup:
    rows: list[Cells] = []
    for order in range(len(claim.parts)):
        for number in comparable(claim, order):
            cells: list[Cell] = [NOTHING] * (len(claim.parts) + named)
            cells[order] = Cell(writing.number(number.value), note=number.note)
            rows.append((f"{number.source}, {place(number)}", "published", *cells))
    return heading_rows(rows)


def _to_heads(ledger: Ledger, item: Judgement, slug: str, page: str) -> tuple[str | Part, ...]:
    """The names of the first MOST heads that a verdict rests on, with links, the last to where all are named."""
    heads, every = ledger.named_heads(item), heads_of(item)
    if not heads:
        return (f"all {len(every)}",) if every else (NOTHING,)
    links = "" if heads == every else "all but ", Joined(tuple(to_head(slug, *place, page) for place in heads[:MOST]))
    all_named = f"{addresses.relative(addresses.claim(item.claim.id), page)}#{row_of(slug)}"
    return (*links, " and ", Link(f"{len(heads) - MOST} more", all_named)) if len(heads) > MOST else links
