"""The page of all claims: verdicts by models, what is registered, and how far to believe it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from urllib.parse import urlencode

from generator.claims.bounds import checksum, register
from generator.claims.claim import Claim, Judgement
from generator.claims.verdict import Verdict
from generator.numbers import writing
from generator.pages import addresses
from generator.pages.blocks import Items, Section, Sections, Table, opening, present
from generator.pages.claims.matrix import filters, matrix
from generator.pages.claims.sentences import COUNTED, own_handful
from generator.pages.claims.tables import (
    SHOWN,
    UNJUDGED,
    Ledger,
    Sources,
    anchor_of,
    comparable,
    deciding_number,
    mark,
    section_of,
    to_source,
)
from generator.pages.inline import Anchor, Cell, Cells, Code, Link, Name, Prose, Small, prose
from generator.pages.links import to_claim, to_model
from generator.pages.studies.tables import NOTHING
from generator.results.manifest import Manifest

TABLE = "claim-table"
"""The anchor of the list."""
MEANINGS: Mapping[Verdict, str] = MappingProxyType(
    {
        "holds": "the whole 95 % interval meets the threshold; an exact count needs no interval",
        "fails": "the whole interval misses it",
        "inconclusive": "the interval reaches to both sides of it or is missing, or another text contradicts",
        "not testable": "no number, too little to rest on, or what untrained weights give; the claim's page says why",
    }
)


def claims_page(ledger: Ledger, sources: Sources) -> Sections:
    """The page of all claims, grouped by paper, with the verdicts for all models, what is registered, and caveats."""
    return Sections(
        title="Claims",
        lead=(
            f"What {len(ledger.claims)} published statements say about BERT and its attention heads, and whether they "
            f"hold for the models of this site. {_came_to(ledger)}A claim with several parts holds only if every part "
            "does."
        ),
        crumbs=(),
        sections=present(
            opening(*((filters(ledger, TABLE), *matrix(ledger)) if ledger.manifests else ())),
            every_claim(ledger, sources),
            counts(ledger),
            registered(),
            many(ledger),
            agreement(ledger),
        ),
    )


def _came_to(ledger: Ledger) -> str:
    """How many claims hold and how many fail, of one model or from the lowest to the highest of several."""
    by_model = [Counter(item.verdict for item in ledger.of_model(manifest.model)) for manifest in ledger.manifests]
    if not by_model:
        return ""
    holds, fails = (_range([found[verdict] for found in by_model]) for verdict in SHOWN[:2])
    return f"{'' if len(by_model) == 1 else 'Depending on the model, '}{holds} hold and {fails} fail. "


def _range(counts: Sequence[int]) -> str:
    least, most = min(counts), max(counts)
    return str(least) if least == most else f"{least} to {most}"


def _models(ledger: Ledger) -> tuple[Name, ...]:
    links = (to_model(manifest.slug, manifest.model, addresses.CLAIMS) for manifest in ledger.manifests)
    return tuple(Name(link.text, link.href) for link in links)


def counts(ledger: Ledger) -> Section:
    """What each verdict means, and how many claims have it."""
    found = Counter((item.verdict, item.model) for item in ledger.judgements)
    rows: list[Cells] = [
        (
            mark(verdict),
            MEANINGS[verdict],
            *(_counted(found[verdict, manifest.model], verdict, manifest) for manifest in ledger.manifests),
        )
        for verdict in SHOWN
    ]
    columns: Cells = ("verdict", "meaning", *((name, Small("claims")) for name in _models(ledger)))
    return Section("verdicts", "Verdicts", (Table(columns, tuple(rows), "Verdicts by model", "fg-claims"),))


def _counted(claims: int, verdict: Verdict, manifest: Manifest) -> Link:
    """How many claims have a verdict, with a link to the list of them."""
    query = urlencode({"verdict": mark(verdict).key, "model": manifest.slug})
    return Link(str(claims), f"?{query}" if claims else "")


def every_claim(ledger: Ledger, sources: Sources) -> Section:
    """A row for every claim; links lead to the first of each paper."""
    claims = list(ledger.claims.values())
    papers = Counter(claim.paper for claim in claims)
    first = {claim.paper: claim for claim in reversed(claims)}
    rows = tuple(_row(ledger, claim, sources, opens=first[claim.paper] is claim) for claim in claims)
    columns: Cells = ("claim", "source", *_models(ledger), "published", "numbers and thresholds")
    text = (
        "For each model the number that decides is shown: that of a part with the verdict or, where all parts hold, "
        "that of the part nearest to its threshold. Below it stand its 95 % interval, what n counts, and which of "
        "several parts it is. Published numbers stand here where they measure the same as the first part."
    )
    examples = "Clark fails, [SEP], C04 ..."
    return Section(
        "ledger",
        "All claims",
        (
            text,
            Items(tuple(Link(f"{paper} ({count})", f"#{anchor_of(paper)}") for paper, count in papers.items())),
            Table(columns, rows=rows, label="All claims", style="fg-claims fg-ledger", id=TABLE, find=examples),
        ),
    )


def _row(ledger: Ledger, claim: Claim, sources: Sources, *, opens: bool) -> Cells:
    link = to_claim(claim.id, claim.id, addresses.CLAIMS), f" {claim.title}"
    paper = to_source(claim.paper, sources, addresses.CLAIMS)
    return (
        (Anchor(anchor_of(claim.paper)), *link) if opens else link,
        (paper, Small(section_of(claim.section))),
        *(
            ledger.once(manifest.slug, f"cell {claim.id}", partial(_verdict, ledger, item))
            for manifest, item in ledger.by_model(claim)
        ),
        _summary(claim),
        "; ".join(f"{at}: {part.name} ({part.unit}), {part.threshold}" for at, part in enumerate(claim.parts, 1)),
    )


def _verdict(ledger: Ledger, item: Judgement) -> Prose:
    return mark(item.verdict), Small(_note(ledger, item)), " ", deciding_number(item)


def registered() -> Section:
    """Since when the bounds have been registered, and what proves it."""
    dates = [line.since for lines in register().values() for line in lines]
    since = " to ".join(dict.fromkeys(f"{day:%-d %B %Y}" for day in (min(dates), max(dates))))
    text = prose(
        "Every bound and cut-off stands in one register, {file}, with the date it was set and the reason; to change "
        "one, a line is added. The lines date from {since}. Whether they were written before the results of "
        "today's models were read cannot be checked. For models that are analysed later it can, by the checksum of the "
        "register (sha256): {checksum}",
        file=Code("data/claims/bounds.toml"),
        since=since,
        checksum=Code(checksum()),
    )
    return Section("register", "What is registered, and since when", (text,))


def many(ledger: Ledger) -> Section:
    """How many claims would hold by chance, and which verdicts change when that is allowed for."""
    lines = tuple(_many(ledger, manifest.model) for manifest in ledger.manifests)
    text = "Each claim is judged by 95 % intervals, so now and then one may hold by chance."
    return Section("many", "How many claims would hold by chance", (text, Items(lines) if lines else UNJUDGED))


def agreement(ledger: Ledger) -> Section | None:
    """How often verdicts on two treebanks, or on two halves of a text, agree; None if nothing can be compared."""
    lines = tuple(_agreement(ledger))
    text = (
        "The same claims are judged on each of two treebanks of one language, and on two halves of the text, "
        "drawn by the documents' names. Claims that are not testable on one of the two do not count."
    )
    return Section("agreement", "Are verdicts the same on less text?", (text, Items(lines))) if lines else None


def _note(ledger: Ledger, item: Judgement) -> str:
    changed = ledger.adjusted.get((item.claim.id, item.model))
    notes = [
        f"about {item.language}" if item.language else "",
        f"{'' if own_handful(item) else 'one part '}on only {item.handful}" if item.handful else "",
        f"{changed} {COUNTED}" if changed else "",
    ]
    return ", ".join(filter(None, notes))


def _many(ledger: Ledger, model: str) -> str:
    found = ledger.many[model]
    lost = f"{writing.listed(list(found.adjusted))} {'becomes' if len(found.adjusted) == 1 else 'become'} inconclusive"
    return (
        f"{model}: {found.judged} claims have an interval. If every true value lay on its bound, "
        f"{writing.number(found.by_chance)} claims would hold by chance on average. Allowing for their number "
        f"(Benjamini and Hochberg 1995), {lost if found.adjusted else 'no verdict changes'}."
    )


def _agreement(ledger: Ledger) -> Iterator[str]:
    for stored in ledger.sources:
        for pair in ledger.agreeing(stored):
            changed = ", ".join(f"{name} ({first}, then {second})" for name, first, second in pair.changed)
            opposite = f"{len(pair.opposite)} opposite" if pair.opposite else "none opposite"
            yield (
                f"{stored.manifest.model}, {pair.first} and {pair.second}: {pair.same} of {pair.judged} verdicts "
                f"agree, {opposite}{f'; they differ on {changed}' if changed else ''}."
            )


def _summary(claim: Claim) -> Cell:
    """The published numbers that are comparable with ours, or how many other published numbers there are."""
    if numbers := comparable(claim):
        notes = [
            *dict.fromkeys(published.trust for published in numbers),
            *(["part 1"] if len(claim.parts) > 1 else []),
        ]
        return Cell(", ".join(writing.number(published.value) for published in numbers), note=", ".join(notes))
    count = len(claim.published)
    return Cell("-", note=f"{count} of another kind") if count else NOTHING
