"""The pages of the claims: the ledger of all claims by models, and each claim with its evidence."""

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from generator.claims.bounds import readable
from generator.claims.claim import Claim, Finding, Part, Verdict
from generator.claims.published import Published, published
from generator.measures import MEASURES
from generator.pages import addresses
from generator.pages.bibliography import key_of
from generator.pages.claim_contexts import (
    Cell,
    ClaimPage,
    ClaimsPage,
    EvidencePart,
    LedgerCell,
    LedgerRow,
    PublishedNumber,
    VerdictCount,
)
from generator.pages.claim_figures import evidence_figure
from generator.pages.claim_tables import NONE, SHOWN, Ledger, comparable, first_number, mark, verdict_table
from generator.pages.claim_ties import MEASURED
from generator.pages.contexts import Link
from generator.pages.links import to_claim, to_claims, to_method, to_model, to_reference
from generator.pages.renderer import Page, Renderer, plain_text

MEANINGS: Mapping[Verdict, str] = MappingProxyType(
    {
        "holds": "the whole 95 % interval meets the threshold",
        "fails": "the whole interval misses it",
        "inconclusive": "the interval reaches to both sides of it, or there is no interval",
        "not testable": "the stored results cannot give the number; the claim's page says what is needed",
    }
)
Sources = Mapping[str, str]
"""Key in the list of references -> author and year."""


def claims_pages(ledger: Ledger, renderer: Renderer, sources: Sources) -> Iterator[Page]:
    """The ledger, then every claim."""
    context = claims_page(ledger, sources)
    what = "Published claims about attention heads, each judged for every model of this site."
    lines = [f"{row.link.text}: {row.title}" for row in context.rows]
    search = plain_text("Claims", what, *lines)
    yield Page(addresses.CLAIMS, "Claims", renderer.render("claims.html", context), search, what, wide=True)
    for claim in ledger.claims.values():
        title = f"{claim.id}: {claim.title}"
        html = renderer.render("claim.html", claim_page(ledger, claim, sources))
        search = plain_text(title, claim.statement, f"{claim.paper}.", claim.measure)
        yield Page(addresses.claim(claim.id), title, html, search, claim.statement, wide=True)


def claims_page(ledger: Ledger, sources: Sources) -> ClaimsPage:
    """The ledger: claims by models, those of a paper together."""
    claims = list(ledger.claims.values())
    papers = Counter(claim.paper for claim in claims)
    first = {claim.paper: claim for claim in reversed(claims)}
    return ClaimsPage(
        count=len(claims),
        papers=tuple(Link(f"{paper} ({count})", f"#{_anchor(paper)}") for paper, count in papers.items()),
        models=tuple(to_model(manifest.slug, manifest.model, addresses.CLAIMS) for manifest in ledger.manifests),
        legend=tuple(_counted(ledger, verdict) for verdict in SHOWN),
        rows=tuple(_row(ledger, claim, sources, opens=first[claim.paper] is claim) for claim in claims),
    )


def claim_page(ledger: Ledger, claim: Claim, sources: Sources) -> ClaimPage:
    """One claim with its evidence for every model."""
    here, claims = addresses.claim(claim.id), list(ledger.claims.values())
    at = claims.index(claim)
    judged = ledger.by_model(claim)
    numbers = tuple(map(published, claim.published))
    measures = [measure for measure in MEASURES if measure.name in MEASURED.get(claim.id, ())]
    return ClaimPage(
        claims=to_claims(here),
        previous=_neighbour(claims, at - 1, here),
        next=_neighbour(claims, at + 1, here),
        id=claim.id,
        title=claim.title,
        statement=claim.statement,
        paper=_source(claim.paper, sources, here),
        section=_section(claim.section),
        measure=claim.measure,
        needs=f"{claim.needs[0].upper()}{claim.needs[1:]}.",
        methods=tuple(to_method(one.name, one.title, here) for one in measures),
        verdicts=verdict_table(ledger, claim, here),
        reasons=tuple((manifest.model, judgement.reason) for manifest, judgement in judged),
        parts=tuple(
            _part(claim, part, order, {model.model: item.findings[order] for model, item in judged if item.findings})
            for order, part in enumerate(claim.parts)
        ),
        published=tuple(_published(number, sources, here) for number in numbers),
        commands=tuple(
            command
            for manifest in ledger.manifests
            for command in (manifest.command, shlex.join(["fieldguide", "claims", manifest.model, "--format", "json"]))
        ),
    )


def _counted(ledger: Ledger, verdict: Verdict) -> VerdictCount:
    counts = Counter(item.model for item in ledger.judgements if item.verdict == verdict)
    return VerdictCount(mark(verdict), MEANINGS[verdict], tuple(str(counts[item.model]) for item in ledger.manifests))


def _row(ledger: Ledger, claim: Claim, sources: Sources, *, opens: bool) -> LedgerRow:
    part = claim.parts[0] if claim.parts else None
    return LedgerRow(
        link=to_claim(claim.id, claim.id, addresses.CLAIMS),
        anchor=_anchor(claim.paper) if opens else "",
        title=claim.title,
        paper=_source(claim.paper, sources, addresses.CLAIMS),
        section=_section(claim.section),
        measured=f"{part.name} ({part.unit}), {part.threshold}" if part else "",
        published=_summary(claim),
        cells=tuple(LedgerCell(mark(item.verdict), first_number(item)) for _, item in ledger.by_model(claim)),
    )


def _summary(claim: Claim) -> Cell:
    """The published numbers beside ours, or how many others there are."""
    if numbers := comparable(claim):
        trusts = dict.fromkeys(number.trust for number in numbers)
        return Cell(", ".join(readable(number.value) for number in numbers), ", ".join(trusts))
    count = len(claim.published)
    return Cell("-", f"{count} of another kind") if count else NONE


def _part(claim: Claim, part: Part, order: int, findings: Mapping[str, Finding]) -> EvidencePart:
    beside = comparable(claim) if order == 0 else ()
    return EvidencePart(
        anchor=f"part-{order + 1}",
        title=f"{part.name[0].upper()}{part.name[1:]}",
        threshold=f"{part.threshold} ({part.unit})",
        why=part.why,
        figure=evidence_figure(claim, part, f"evidence-{order + 1}", findings, beside),
    )


def _published(number: Published, sources: Sources, page: str) -> PublishedNumber:
    return PublishedNumber(
        cells=(number.key, readable(number.value), number.unit, number.place, number.trust, number.note or "-"),
        source=_source(number.source, sources, page),
    )


def _neighbour(claims: Sequence[Claim], at: int, page: str) -> Link | None:
    return to_claim(claims[at].id, claims[at].id, page) if 0 <= at < len(claims) else None


def _source(paper: str, sources: Sources, page: str) -> Link:
    """To the paper in the list of references; a plain text where the list does not have it."""
    key = key_of(paper, sources)
    return to_reference(key, paper, page) if key else Link(paper, "")


def _section(text: str) -> str:
    return f"section {text}" if text[0].isdigit() else text


def _anchor(paper: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", paper.lower()).strip("-")
