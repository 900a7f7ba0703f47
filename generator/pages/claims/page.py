"""The pages of the claims: the list of all, and each claim with its evidence."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from urllib.parse import quote

from generator.claims.all import CLAIMS
from generator.claims.bounds import register
from generator.claims.claim import Claim
from generator.claims.evidence.evidence import Evidence
from generator.claims.explain import evidence_csv
from generator.claims.published import published
from generator.measures import MEASURES
from generator.numbers import writing
from generator.pages import addresses
from generator.pages.blocks import Facts, Listing, Note, Section, Sections, Table, opening, present
from generator.pages.claims.figures import NUMBERLESS, claim_figure, number_of
from generator.pages.claims.ledger import claims_page
from generator.pages.claims.sentences import heads_meant, sentence, short
from generator.pages.claims.tables import SHOWN, Ledger, Sources, heads_of, mark, row_of, section_of, to_source
from generator.pages.claims.verdicts import verdict_table
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Anchor, Joined, Link, Name, Prose, prose
from generator.pages.links import steps, to_claim, to_claims, to_method
from generator.pages.of_model import of_model
from generator.pages.renderer import Page, Renderer, attempt_text, plain_text

CONTESTED = 12
"""Models whose verdicts stand in an issue about a claim, a choice: its address may not grow with the guide."""
NAMED = 6
"""Models of one verdict that are named at the top of a page."""
UNDECIDED = "No stored result decides this claim yet, so it has no threshold either."


def claims_pages(ledger: Ledger, renderer: Renderer, sources: Sources, atlases: Sequence[Atlas] = ()) -> Iterator[Page]:
    """The ledger, then every claim. `atlases` are those of models whose heads papers may name."""
    yield renderer.attempt("", "Claims", addresses.CLAIMS, partial(_all, ledger, renderer, sources))
    for claim in ledger.claims.values():
        made = partial(_page, ledger, claim, renderer, sources=sources, atlases=atlases)
        yield renderer.attempt("", f"Claim {claim.id}", addresses.claim(claim.id), made)


def _all(ledger: Ledger, renderer: Renderer, sources: Sources) -> Page:
    what = "Published claims about BERT and its attention heads, each judged for every model of this site."
    search = plain_text("Claims", what, *(f"{claim.id}: {claim.title}" for claim in ledger.claims.values()))
    return replace(renderer.page(addresses.CLAIMS, claims_page(ledger, sources), "", search), description=what)


def _page(ledger: Ledger, claim: Claim, renderer: Renderer, sources: Sources, atlases: Sequence[Atlas]) -> Page:
    title = f"{claim.id}: {claim.title}"
    search = plain_text(title, claim.statement, f"{claim.paper}.", claim.measure)
    return renderer.page(addresses.claim(claim.id), claim_page(ledger, claim, sources, atlases), title, search)


def claim_page(ledger: Ledger, claim: Claim, sources: Sources, atlases: Sequence[Atlas] = ()) -> Sections:
    """One claim with its evidence for every model."""
    here = addresses.claim(claim.id)
    folded = present(measured(ledger, claim, here), printed(claim, sources, here), again(ledger, claim))
    return Sections(
        title=f"{claim.id}: {claim.title}",
        lead=claim.statement,
        crumbs=(to_claims(here),),
        steps=steps(list(ledger.claims), claim.id, lambda key: to_claim(key, key, here)),
        sections=present(
            opening(
                prose("{paper}, {place}", paper=to_source(claim.paper, sources, here), place=section_of(claim.section)),
                *came_of_it(ledger, claim),
            ),
            Section("evidence", "Evidence", () if claim.parts else (UNDECIDED,)),
            *(part(ledger, claim, order) for order in range(len(claim.parts))),
            verdicts(ledger, claim, here, atlases),
            *(replace(section, folded=True) for section in folded),
        ),
        contest=_contested(ledger, claim),
    )


def came_of_it(ledger: Ledger, claim: Claim) -> tuple[Facts, ...]:
    """The models of each verdict, with links to why; of many their number alone."""
    judged = ledger.by_model(claim)
    lines: list[tuple[Prose, Prose]] = []
    for verdict in SHOWN:
        of = [Link(one.model, f"#{row_of(one.slug)}") for one, item in judged if item.verdict == verdict]
        many = Link(f"{len(of)} of {len(judged)} models", "#verdicts")
        lines += [(mark(verdict), Joined(tuple(of)) if len(of) <= NAMED else many)] if of else []
    return (Facts(tuple(lines), style="fg-facts fg-outcomes"),) if lines else ()


def _contested(ledger: Ledger, claim: Claim) -> str:
    """The verdicts that an issue begins with: as many as fit into its address."""
    judged = ledger.by_model(claim)
    lines = [f"{item.model}: {short(ledger, item)}" for _, item in judged[:CONTESTED]]
    return "\n".join((*lines, *([f"and {len(judged) - CONTESTED} more"] if judged[CONTESTED:] else [])))


def verdicts(ledger: Ledger, claim: Claim, page: str, atlases: Sequence[Atlas] = ()) -> Section:
    """The verdict for every model, the reason for each, and what topics add."""
    more = {
        atlas.slug: [said for topic in of_model(atlas) for said in topic.of_claim(claim, page)] for atlas in atlases
    }
    lines = []
    for manifest, judgement in ledger.by_model(claim):
        said = ledger.once(
            manifest.slug, f"verdict {claim.id}", partial(sentence, ledger, judgement, manifest.slug, page)
        )
        lines.append(((Anchor(row_of(manifest.slug)), Name(manifest.model)), (said, *more.get(manifest.slug, ()))))
    return Section("verdicts", "Verdicts", (Facts(tuple(lines), style="fg-facts fg-reasons"),) if lines else ())


def measured(ledger: Ledger, claim: Claim, page: str) -> Section:
    """What is measured, what that needs, and all numbers of all models."""
    numbered = [
        judgement
        for _, judgement in ledger.by_model(claim)
        if any(number_of(judgement, at) for at in range(len(claim.parts)))
    ]
    definitions = [
        to_method(measure.name, measure.title, page) for measure in MEASURES if measure.name in claim.measures
    ]
    lines: list[tuple[str, Prose]] = [
        ("Measured", claim.measure),
        ("Needs", f"{claim.needs[0].upper()}{claim.needs[1:]}."),
        ("Heads", heads_meant(claim, any(not heads_of(judgement) for judgement in numbered))),
        *([("Definitions", Joined(tuple(definitions)))] if definitions else []),
    ]
    return Section("measured", "What was measured", (Facts(tuple(lines)), verdict_table(ledger, claim, page)))


def part(ledger: Ledger, claim: Claim, order: int) -> Section:
    """A part of a claim with its threshold and the numbers of all models."""
    asked = claim.parts[order]
    figure = claim_figure(ledger, claim, order, f"evidence-{order + 1}")
    lines = register()[asked.key]
    first, moved = lines[0], any(line.text != lines[0].text for line in lines)
    text = f"Threshold: {asked.threshold} ({asked.unit}), registered on {first.since:%-d %B %Y}"
    text += f"{f' as {first.text}' if moved else ''}. {first.why}"
    for before, line in pairwise(lines):
        change = "Threshold unchanged" if line.text == before.text else f"Changed to {line.text}"
        text += f" {change} on {line.since:%-d %B %Y}. {line.why}"
    title = f"{asked.name[0].upper()}{asked.name[1:]}"
    return Section(f"part-{order + 1}", title, (figure or NUMBERLESS, Note(text)), level=3)


def printed(claim: Claim, sources: Sources, page: str) -> Section | None:
    """The published numbers; None where there are none."""
    rows = tuple(
        (
            to_source(entry.source, sources, page),
            *(
                entry.key,
                writing.number(entry.value),
                entry.unit,
                entry.place,
                entry.trust,
                entry.note or "-",
            ),
        )
        for entry in map(published, claim.published)
    )
    text = (
        "As the source gives them; percent and points are written as shares. Primary: output, code or text of the "
        "authors. Secondary: notes of others. Approximate: read off a plot, or from memory."
    )
    columns = ("source", "name", "value", "unit", "place", "trust", "note")
    return (
        Section("published", "Published numbers", (text, Table(columns, rows, "Published numbers"))) if rows else None
    )


def again(ledger: Ledger, claim: Claim) -> Section | None:
    """The commands that compute the claim again, and the rows behind each verdict as CSV."""
    if not ledger.manifests:
        return None
    explain = (
        ("fieldguide", "claims", "explain", claim.id, "--model", manifest.model) for manifest in ledger.manifests
    )
    pairs = zip((manifest.command for manifest in ledger.manifests), map(shlex.join, explain), strict=True)
    rows = [
        Name(f"{source.manifest.model}: {claim.id} as CSV", quote(f"{source.manifest.slug}.csv"))
        for source in ledger.sources
    ]
    listing = Listing("\n".join(line for pair in pairs for line in pair))
    said = prose("The rows behind each verdict: {rows}", rows=Joined(tuple(rows)))
    commands = "The commands behind the results of every model:", listing
    return Section("again", "How to compute it again", (*commands, said) if rows else commands)


def claim_files(evidence: Evidence, problems: list[str]) -> Iterator[tuple[str, str]]:
    """Address and text of a CSV file with the rows behind each of a model's verdicts.

    A message about each file that cannot be made is added to `problems`.
    """
    for claim in CLAIMS:
        text = attempt_text(f"{evidence.model}: {claim.id} as CSV", partial(evidence_csv, claim, evidence), problems)
        yield addresses.claim_rows(claim.id, evidence.slug), text
