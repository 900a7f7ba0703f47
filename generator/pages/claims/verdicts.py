"""The table of verdicts on one claim: a row for each model, with the published numbers below."""

from functools import partial

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
    number_cell,
    place,
    row_of,
)
from generator.pages.inline import Cell, Cells, Joined, Link, Name, Part, Small
from generator.pages.links import to_head, to_model
from generator.pages.renderer import heading_rows
from generator.pages.studies.tables import NOTHING
from generator.results.manifest import Manifest


def verdict_table(ledger: Ledger, claim: Claim, page: str) -> Block:
    """One row per model, one column per part, and published numbers below."""
    if not ledger.manifests:
        return UNJUDGED
    parts = ((part.name, Small(f"{part.unit}, {part.threshold}")) for part in claim.parts)
    judged = ledger.by_model(claim)
    named = any(heads_of(item) for _, item in judged)
    rows = []
    for manifest, item in judged:
        made = partial(_row, ledger, manifest, item, page, named=named)
        rows.append(ledger.once(manifest.slug, f"row {claim.id} {named} {page}", made))
    columns: Cells = ("model", "verdict", *parts, *(["heads"] if named else []))
    below = _published(claim, named=named)
    return Table(columns, Markup("\n").join(filter(None, (*rows, below))), f"Verdicts on {claim.id}", "fg-claims")


def _row(ledger: Ledger, manifest: Manifest, item: Judgement, page: str, *, named: bool) -> Markup:
    numbers = [finding.number for finding in item.findings] or [None] * len(item.claim.parts)
    return heading_rows(
        [
            (
                Name(manifest.model, to_model(manifest.slug, manifest.model, page).href),
                mark(item.verdict),
                *(number_cell(number, part) for number, part in zip(numbers, item.claim.parts, strict=True)),
                *([_to_heads(ledger, item, manifest.slug, page)] if named else []),
            )
        ]
    )


def _published(claim: Claim, *, named: bool) -> Markup:
    rows: list[Cells] = []
    for order in range(len(claim.parts)):
        for published in comparable(claim, order):
            cells: list[Cell] = [NOTHING] * (len(claim.parts) + named)
            cells[order] = Cell(writing.number(published.value), note=published.note)
            rows.append((f"{published.source}, {place(published)}", "published", *cells))
    return heading_rows(rows)


def _to_heads(ledger: Ledger, item: Judgement, slug: str, page: str) -> tuple[str | Part, ...]:
    """The names of the first MOST heads that a verdict names, which it rests on or excepts, with links, the last to
    where all are named.
    """
    heads, every = ledger.named_heads(item), heads_of(item)
    if not heads:
        return (f"all {len(every)}",) if every else (NOTHING,)
    links = "" if heads == every else "all but ", Joined(tuple(to_head(slug, *at, page) for at in heads[:MOST]))
    all_named = f"{addresses.relative(addresses.claim(item.claim.id), page)}#{row_of(slug)}"
    return (*links, " and ", Link(f"{len(heads) - MOST} more", all_named)) if len(heads) > MOST else links
