"""All claims at a glance: a small mark for each claim and model, and the choices that filter marks and list alike."""

from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import ClassVar, NamedTuple

from generator.claims.claim import Claim, Judgement
from generator.pages import addresses
from generator.pages.blocks import Block, Columns, Items, Table
from generator.pages.claims.sentences import short
from generator.pages.claims.tables import SHOWN, Ledger, Mark, anchor_of, mark, row_of
from generator.pages.inline import Cells, Joined, Name, as_html
from generator.pages.links import to_claim, to_model
from generator.results.manifest import Manifest


class Choice(NamedTuple):
    """One thing to choose from a list."""

    label: str
    name: str
    """What it is called in the address of the page."""
    every: str
    """The text of the choice that leaves nothing out."""
    options: tuple[tuple[str, str], ...]
    """The values to choose from, each with its name."""


@dataclass(frozen=True)
class Filters:
    """Choices that hide rows and models of a table and of the matrix, kept in the address of the page."""

    template: ClassVar[str] = "filters"
    table: str
    """The anchor of the table."""
    choices: tuple[Choice, ...]
    script: str


@dataclass(frozen=True)
class Column:
    """The number of a model above a column; the model's name is shown when a pointer rests on it."""

    number: int
    model: str

    def __html__(self) -> str:
        """The number as a short form of the name."""
        return f'<abbr title="{as_html(self.model)}">{self.number}</abbr>'


def matrix(ledger: Ledger) -> tuple[Block, ...]:
    """A legend and the matrix: claims down, grouped by paper, and models across; empty if no model has been judged."""
    if not ledger.manifests:
        return ()
    papers = groupby(ledger.claims.values(), key=lambda claim: claim.paper)
    models = tuple(Name(f"{at} {manifest.model}", _model(manifest)) for at, manifest in enumerate(ledger.manifests, 1))
    legend = Items(((Joined(models)), *(mark(verdict) for verdict in SHOWN)))
    groups = tuple(_group(ledger, paper, list(claims)) for paper, claims in papers)
    return legend, Columns(groups, "fg-matrix", "matrix", "Verdicts on all claims")


def _model(manifest: Manifest) -> str:
    return to_model(manifest.slug, manifest.model, addresses.CLAIMS).href


def _group(ledger: Ledger, paper: str, claims: list[Claim]) -> Table:
    columns: Cells = (paper, *(Column(at, manifest.model) for at, manifest in enumerate(ledger.manifests, 1)))
    return Table(columns, tuple(_row(ledger, claim) for claim in claims), f"Verdicts on the claims of {paper}")


def _row(ledger: Ledger, claim: Claim) -> Cells:
    marks = (
        ledger.once(manifest.slug, f"mark {claim.id}", partial(_mark, ledger, item, manifest.slug))
        for manifest, item in ledger.by_model(claim)
    )
    return (to_claim(claim.id, claim.id, addresses.CLAIMS), f" {claim.title}"), *marks


def _mark(ledger: Ledger, item: Judgement, slug: str) -> Mark:
    href = f"{to_claim(item.claim.id, '', addresses.CLAIMS).href}#{row_of(slug)}"
    return Mark(mark(item.verdict).key, item.verdict, href, f"{item.model}: {short(ledger, item)}")


def filters(ledger: Ledger, table: str) -> Filters:
    """The choices by which the list of claims can be filtered."""
    papers = tuple((anchor_of(paper), paper) for paper in dict.fromkeys(c.paper for c in ledger.claims.values()))
    models = tuple((manifest.slug, manifest.model) for manifest in ledger.manifests)
    verdicts = tuple((mark(verdict).key, verdict) for verdict in SHOWN)
    return Filters(
        table,
        (
            Choice("Source", "source", "all sources", papers),
            Choice("Verdict", "verdict", "all verdicts", verdicts),
            Choice("Model", "model", "all models", models),
            Choice("Order", "order", "as in the sources", (("verdict", "by verdict"),)),
        ),
        f"{addresses.relative(addresses.ASSETS, addresses.CLAIMS)}claims.js",
    )
