"""What the templates of claims may know: the ledger, the page of a claim, and its block on hand-written pages."""

from dataclasses import dataclass

from markupsafe import Markup

from generator.pages.blocks import Figure, Link


@dataclass(frozen=True)
class Mark:
    """A verdict: the name of its colour, and its name on pages."""

    key: str
    text: str

    def __html__(self) -> str:
        """Always a word beside the colour."""
        return Markup('<span class="fg-verdict"><span class="fg-swatch fg-verdict-{}"></span>{}</span>').format(
            self.key, self.text
        )


@dataclass(frozen=True)
class Cell:
    """One number: its value, and in small letters its interval and what n counts."""

    value: str
    detail: str


@dataclass(frozen=True)
class LedgerCell:
    """A claim's verdict for one model, with the number of its first part."""

    verdict: Mark
    note: str
    """What a reader must know beside the verdict: another one when many claims are allowed for, another language."""
    number: Cell


@dataclass(frozen=True)
class LedgerRow:
    """A claim in the ledger."""

    link: Link
    """By its id."""
    anchor: str
    """For the first claim of a paper; empty for the others."""
    title: str
    paper: Link
    section: str
    measured: str
    """The number of the first part, its unit and threshold."""
    published: Cell
    cells: tuple[LedgerCell, ...]
    """One per model."""


@dataclass(frozen=True)
class VerdictCount:
    """A verdict, what it means, and how many claims have it, by model."""

    verdict: Mark
    meaning: str
    counts: tuple[str, ...]


@dataclass(frozen=True)
class ClaimsPage:
    """claims.html"""

    count: int
    papers: tuple[Link, ...]
    """Each leads to its first claim."""
    models: tuple[Link, ...]
    legend: tuple[VerdictCount, ...]
    rows: tuple[LedgerRow, ...]
    since: str
    """When the oldest and the newest bound were registered."""
    checksum: str
    """Of the register of bounds."""
    many: tuple[str, ...]
    """By model: how many claims would hold by chance, and which verdicts do not stand when that is allowed for."""
    agreement: tuple[str, ...]
    """By model and pair of treebanks or halves: how often verdicts agree."""


@dataclass(frozen=True)
class PartHead:
    """What a column of numbers shows."""

    name: str
    detail: str
    """Unit and threshold."""


@dataclass(frozen=True)
class VerdictRow:
    """A model's verdict and all its numbers."""

    model: Link
    verdict: Mark
    numbers: tuple[Cell, ...]


@dataclass(frozen=True)
class PublishedRow:
    """The published numbers that measure the same, one per part; a dash where there is none."""

    source: str
    numbers: tuple[Cell, ...]


@dataclass(frozen=True)
class VerdictTable:
    """A claim's parts by models."""

    label: str
    parts: tuple[PartHead, ...]
    rows: tuple[VerdictRow, ...]
    published: tuple[PublishedRow, ...]


@dataclass(frozen=True)
class ClaimBlock:
    """claim_block.html"""

    claim: Link
    verdicts: VerdictTable
    needs: str
    """What is missing, when the claim is not testable for some model; empty otherwise."""
    more: Link | None
    """To the published numbers that do not stand in the table."""


@dataclass(frozen=True)
class EvidencePart:
    """A part of a claim with the numbers of all models."""

    anchor: str
    title: str
    threshold: str
    lines: tuple[str, ...]
    """Of the register: since when, what, and why; the last one counts."""
    figure: Figure | None
    """None where no model has the number."""


@dataclass(frozen=True)
class PublishedNumber:
    """A published number with where it stands and how far it is to be trusted."""

    cells: tuple[str, ...]
    """Key, value, unit, place, trust, note."""
    source: Link


@dataclass(frozen=True)
class ClaimPage:
    """claim.html"""

    claims: Link
    previous: Link | None
    next: Link | None
    id: str
    title: str
    statement: str
    paper: Link
    section: str
    measure: str
    needs: str
    methods: tuple[Link, ...]
    verdicts: VerdictTable
    reasons: tuple[tuple[str, str], ...]
    """Model, and why the verdict is what it is, and what would decide it."""
    parts: tuple[EvidencePart, ...]
    published: tuple[PublishedNumber, ...]
    commands: tuple[str, ...]
    rows: tuple[Link, ...]
    """To the rows behind the verdict of each model, as CSV."""
