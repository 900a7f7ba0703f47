"""Every claim judged for two models, one of a hostile name, on invented numbers: nothing is observed for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from generator.claims.all import CLAIMS
from generator.claims.claim import Claim, Part, judge
from generator.claims.evidence.reading import Read
from generator.claims.missing import NotTestable
from generator.claims.published import Published, published
from generator.models.names import slug
from generator.numbers.number import Number
from generator.pages.claims.tables import Ledger
from generator.results.manifest import Manifest
from tests.results.samples import manifest
from tests.site.documents import Document
from tests.site.hostile import NAME

PLAIN = "Plain"
MODELS: tuple[Manifest, ...] = tuple(
    manifest(slug(name), model=name, command=f"fieldguide analyze number-{at}") for at, name in enumerate((PLAIN, NAME))
)
STEP = 0.1


@dataclass(frozen=True)
class Named:
    """What `judge` reads of evidence when the numbers are given."""

    model: str
    language: str = ""
    named: list[tuple[int, int]] = field(default_factory=list)
    learned: set[str] = field(default_factory=set)
    trail: list[Read] = field(default_factory=list)
    judged: dict[str, list[Read]] = field(default_factory=dict)
    is_whole: bool = False


def beside(claim: Claim, at: int) -> list[Published]:
    """The published numbers that measure what a part measures, counted from 0."""
    return [published(key) for key in {0: claim.comparable}.get(at, ())]


def meeting(part: Part, n: int = 70) -> Number:
    """A number whose whole interval meets the part's threshold."""
    if len(part.bounds) > 1:
        value = sum(bound.at for bound in part.bounds) / len(part.bounds)
    else:
        value = part.bounds[0].at + (STEP if part.bounds[0].side in {"above", "at least"} else -STEP)
    return Number(value, value - STEP / 5, value + STEP / 4, n)


def missing(part: Part, n: int = 80) -> Number:
    """A number whose whole interval misses the part's first bound."""
    value = part.bounds[0].at + (-STEP if part.bounds[0].side in {"above", "at least"} else STEP)
    return Number(value, value - STEP / 5, value + STEP / 4, n)


def crossing(part: Part, n: int = 90) -> Number:
    """A number whose interval lies on both sides of the first bound."""
    at = part.bounds[0].at
    return Number(at + STEP / 8, at - STEP, at + STEP, n)


def untold(part: Part) -> None:
    """No number."""


Invent = Callable[[Part], Number | None]


def ledger(*invented: Invent, models: Sequence[Manifest] = MODELS) -> Ledger:
    """Every claim judged, the parts for each model by its own function; the plain model meets, the other misses."""
    ways = invented or (meeting, missing)
    judgements = [
        replace(judge(_given(claim, way), Named(model.model)), claim=claim)
        for claim in CLAIMS
        for model, way in zip(models, ways, strict=True)
    ]
    return Ledger(tuple(judgements), tuple(models))


def _given(claim: Claim, way: Invent) -> Claim:
    return replace(
        claim,
        parts=tuple(
            replace(part, number=_giving(way(part)), premises=(), null=None, among=None) for part in claim.parts
        ),
    )


def _giving(number: Number | None) -> Callable[[Named], Number]:
    def given(evidence: Named) -> Number:
        if number is None:
            raise NotTestable("nothing was read")
        return number

    return given


def table(html: str, at: int = 0) -> list[list[str]]:
    """The cells of a page's table, row by row, the head included."""
    rows: list[list[str]] = []
    tables = -1
    for element in Document(html).elements:
        tables += element.tag == "table"
        if tables == at and element.tag == "tr":
            rows.append([])
        elif tables == at and element.tag in {"th", "td"}:
            rows[-1].append(element.text)
    return rows
