"""The pages of the claims: the ledger of all claims by models, and each claim with its evidence."""

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from urllib.parse import quote

from generator.claims import CLAIMS
from generator.claims.agreement import agreements
from generator.claims.bounds import checksum, register
from generator.claims.claim import Claim, Finding, Judgement, Part, Verdict
from generator.claims.evidence.evidence import Evidence
from generator.claims.explain import evidence_rows
from generator.claims.multiplicity import allow_for_many
from generator.claims.published import Published, published
from generator.measures import MEASURES
from generator.numbers import writing
from generator.pages import addresses
from generator.pages.bibliography import key_of
from generator.pages.blocks import Link
from generator.pages.claims.contexts import (
    Cell,
    ClaimPage,
    ClaimsPage,
    EvidencePart,
    LedgerCell,
    LedgerRow,
    PublishedNumber,
    VerdictCount,
)
from generator.pages.claims.figures import evidence_figure
from generator.pages.claims.tables import NONE, SHOWN, Ledger, comparable, first_number, mark, verdict_table
from generator.pages.claims.ties import MEASURED
from generator.pages.links import to_claim, to_claims, to_method, to_model, to_reference
from generator.pages.renderer import Page, Renderer, plain_text

MEANINGS: Mapping[Verdict, str] = MappingProxyType(
    {
        "holds": "the whole 95 % interval meets the threshold",
        "fails": "the whole interval misses it",
        "inconclusive": "the interval reaches to both sides of it, or there is no interval",
        "not testable": "the stored results give no number, or one of too few units; the claim's page says why",
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
        made = partial(_page, ledger, claim, renderer, sources)
        yield renderer.attempt("", f"Claim {claim.id}", addresses.claim(claim.id), made)


def _page(ledger: Ledger, claim: Claim, renderer: Renderer, sources: Sources) -> Page:
    title = f"{claim.id}: {claim.title}"
    html = renderer.render("claim.html", claim_page(ledger, claim, sources))
    search = plain_text(title, claim.statement, f"{claim.paper}.", claim.measure)
    return Page(addresses.claim(claim.id), title, html, search, claim.statement, wide=True)


def claims_page(ledger: Ledger, sources: Sources) -> ClaimsPage:
    """The ledger: claims by models, those of a paper together."""
    claims = list(ledger.claims.values())
    dates = [line.since for lines in register().values() for line in lines]
    papers = Counter(claim.paper for claim in claims)
    first = {claim.paper: claim for claim in reversed(claims)}
    return ClaimsPage(
        count=len(claims),
        papers=tuple(Link(f"{paper} ({count})", f"#{_anchor(paper)}") for paper, count in papers.items()),
        models=tuple(to_model(manifest.slug, manifest.model, addresses.CLAIMS) for manifest in ledger.manifests),
        legend=tuple(_counted(ledger, verdict) for verdict in SHOWN),
        rows=tuple(_row(ledger, claim, sources, opens=first[claim.paper] is claim) for claim in claims),
        since=" to ".join(dict.fromkeys(f"{day:%-d %B %Y}" for day in (min(dates), max(dates)))),
        checksum=checksum(),
        many=tuple(_many(ledger, manifest.model) for manifest in ledger.manifests),
        agreement=tuple(_agreement(ledger)),
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
        reasons=tuple((manifest.model, _reason(ledger, judgement)) for manifest, judgement in judged),
        parts=tuple(
            _part(claim, part, order, {model.model: item.findings[order] for model, item in judged if item.findings})
            for order, part in enumerate(claim.parts)
        ),
        published=tuple(_published(number, sources, here) for number in numbers),
        commands=tuple(
            command
            for manifest in ledger.manifests
            for command in (
                manifest.command,
                shlex.join(["fieldguide", "claims", "explain", claim.id, "--model", manifest.model]),
            )
        ),
        rows=tuple(
            Link(f"{manifest.model}: {claim.id} as CSV", quote(f"{manifest.slug}.csv"))
            for manifest, _ in zip(ledger.manifests, ledger.sources, strict=False)
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
        cells=tuple(
            LedgerCell(mark(item.verdict), _note(ledger, item), first_number(item))
            for _, item in ledger.by_model(claim)
        ),
    )


def claim_files(ledger: Ledger) -> Iterator[tuple[str, str]]:
    """Address and text of the rows behind every verdict, as CSV."""
    for stored in ledger.sources:
        evidence = Evidence(stored)
        for claim in CLAIMS:
            rows = evidence_rows(claim, evidence)
            yield addresses.claim_rows(claim.id, stored.manifest.slug), rows.to_csv(index=False, float_format="%.6g")


def _note(ledger: Ledger, item: Judgement) -> str:
    changed = ledger.adjusted.get((item.claim.id, item.model))
    notes = [
        f"about {item.language}" if item.language else "",
        f"{changed} when many are allowed for" if changed else "",
    ]
    return ", ".join(filter(None, notes))


def _reason(ledger: Ledger, item: Judgement) -> str:
    changed = ledger.adjusted.get((item.claim.id, item.model))
    many = f"Allowing for the number of claims, it is {changed}." if changed else ""
    language = f"The text is in another language than the claim: {item.language}." if item.language else ""
    return " ".join(filter(None, (item.reason, item.power, many, language)))


def _many(ledger: Ledger, model: str) -> str:
    found = allow_for_many([item for item in ledger.judgements if item.model == model])
    lost = f"{', '.join(found.adjusted)} then {'is' if len(found.adjusted) == 1 else 'are'} inconclusive"
    return (
        f"{model}: {found.judged} claims have an interval; if every true value lay on its bound, {found.by_chance:.1f} "
        "of them would hold by chance. Allowing for their number (Benjamini and Hochberg 1995), "
        f"{lost if found.adjusted else 'no verdict changes'}."
    )


def _agreement(ledger: Ledger) -> Iterator[str]:
    for stored in ledger.sources:
        for one in agreements(stored, CLAIMS):
            changed = "; ".join(f"{name}: {first}, {second}" for name, first, second in one.changed)
            opposite = f"{len(one.opposite)} opposite" if one.opposite else "none opposite"
            yield (
                f"{stored.manifest.model}, {one.first} and {one.second}: {one.same} of {one.judged} verdicts agree, "
                f"{opposite}{f' ({changed})' if changed else ''}."
            )


def _summary(claim: Claim) -> Cell:
    """The published numbers beside ours, or how many others there are."""
    if numbers := comparable(claim):
        trusts = dict.fromkeys(number.trust for number in numbers)
        return Cell(", ".join(writing.number(number.value) for number in numbers), ", ".join(trusts))
    count = len(claim.published)
    return Cell("-", f"{count} of another kind") if count else NONE


def _part(claim: Claim, part: Part, order: int, findings: Mapping[str, Finding]) -> EvidencePart:
    beside = comparable(claim) if order == 0 else ()
    return EvidencePart(
        anchor=f"part-{order + 1}",
        title=f"{part.name[0].upper()}{part.name[1:]}",
        threshold=f"{part.threshold} ({part.unit})",
        lines=tuple(f"{line.since:%-d %B %Y}: {line.text}. {line.why}" for line in register()[part.key]),
        figure=evidence_figure(claim, part, f"evidence-{order + 1}", findings, beside),
    )


def _published(number: Published, sources: Sources, page: str) -> PublishedNumber:
    return PublishedNumber(
        cells=(number.key, writing.number(number.value), number.unit, number.place, number.trust, number.note or "-"),
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
