"""The first page: a head at work, three results with a large number each, the models, and doors to all else."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from generator.charts.static.arcs import rounded
from generator.claims.claim import Claim, Judgement
from generator.numbers.writing import listed
from generator.pages import addresses
from generator.pages.blocks import Block, Card, Cards, Columns, Items, Section, Sections, opening, present
from generator.pages.claims.figures import number_of
from generator.pages.claims.tables import SHOWN, Ledger, of_models
from generator.pages.heads.arcs import arcs_of
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.map import head_map, legend
from generator.pages.heads.naming.naming import finds as every_find
from generator.pages.heads.naming.specialty import LEVELS
from generator.pages.inline import Code, Link, Name, Prose, prose
from generator.pages.links import to_claim, to_claims, to_head, to_model
from generator.pages.written.places import place_of
from generator.pages.written.resting import resting_of, resting_sentence
from generator.pages.written.verdicts import NAMED
from generator.topics import of_topics

MODELS = 6
"""Models that the first page shows with the picture of their heads; of more it would be as long as the list of all."""
RESTS = "Attention rests on one token"
Best = tuple[Atlas, tuple[int, int]]
"""A head and its model."""


@dataclass(frozen=True)
class Result:
    """A result with a large number."""

    template: ClassVar[str] = "result"
    id: str
    """Its anchor."""
    over: str
    """What kind of result it is, in a word or two."""
    title: str
    number: str
    text: Prose


@dataclass(frozen=True)
class Ask:
    """A field whose question the finder answers."""

    template: ClassVar[str] = "ask"
    label: str
    example: str
    to: Link
    script: str


def home_page(atlases: Sequence[Atlas], ledger: Ledger) -> Sections:
    """The first page."""
    here = addresses.HOME
    best = best_head(atlases)
    claim = famous(ledger)
    results = present(
        finds(best, ledger, here) if best else None,
        rest(atlases, here),
        fails(ledger, claim, here) if claim else None,
    )
    heads = sum(len(atlas.places) for atlas in atlases)
    counted = f"{heads:,} heads of {len(atlases)} encoders" if len(atlases) != 1 else f"{heads:,} heads of one encoder"
    shown = at_work(best, here) if best else None
    kept = "some heads keep the jobs that papers name" if best else ""
    said = "; ".join(filter(None, (kept, "some famous numbers do not travel" if claim else "")))
    said = said[:1].upper() + said[1:]
    given = (of_home(atlases) for of_home in of_topics("home", "OF_HOME"))
    first: tuple[Block, ...] = present(shown, *given, Columns(results, "fg-three fg-results") if results else None)
    return Sections(
        title="What do attention heads do?",
        lead=(
            f"This guide shows {counted} one by one, and tests {len(ledger.claims)} published claims about them on "
            f"every model.{said and f' {said}.'}"
            if atlases
            else "This guide shows the heads of BERT-like encoders one by one, and tests published claims about them."
        ),
        crumbs=(),
        sections=(
            opening(*first),
            _models(atlases, here),
            _doors(ledger, here),
            _ways_on(here),
        ),
    )


def best_head(atlases: Sequence[Atlas]) -> Best | None:
    """Of the heads whose evidence is strongest, the one that leads its baseline by most; None if there is none."""
    found = [
        ((summary.found.strength if summary.found else ()), summary.share, atlas, place)
        for atlas in atlases
        for place, summary in atlas.summaries.items()
        if summary.kind in every_find() and summary.trust.startswith(LEVELS[-1])
    ]
    return max(found, key=lambda entry: entry[:2])[2:] if found else None


def at_work(best: Best, page: str) -> Columns | None:
    """The sentences of a head, beside what it is; None if none may be shown."""
    atlas, place = best
    shown = arcs_of(atlas, *place)
    if not shown:
        return None
    sentence = prose(
        "Head {head} of {model} {finds}. Point at a word, or tap it, to see where it looks.",
        head=to_head(atlas.slug, *place, page),
        model=to_model(atlas.slug, atlas.results.manifest.model, page),
        finds=atlas.summaries[place].title,
    )
    return Columns((shown, opening(sentence)), "fg-show")


def finds(best: Best, ledger: Ledger, page: str) -> Result:
    """What the best head finds."""
    atlas, place = best
    summary = atlas.summaries[place]
    claims = [known for known in ledger.claims.values() if known.home == "found"]
    claim = next((known for known in claims if summary.title.endswith(f" {_sought(known)}")), claims[0])
    link = to_claim(claim.id, "The best heads of other models", page)
    sentence = prose(
        "Head {head} of {model}: {says} {more}.",
        head=to_head(atlas.slug, *place, page),
        model=to_model(atlas.slug, atlas.results.manifest.model, page),
        says=summary.short,
        more=link,
    )
    return Result("finds", "Holds", f"A head {summary.title}", rounded(summary.share), sentence)


def _sought(claim: Claim) -> str:
    """What heads are to find, by a claim on how often the best head is right."""
    return claim.parts[0].name.rpartition(" best head for ")[2]


def rest(atlases: Sequence[Atlas], page: str) -> Result | None:
    """On which tokens attention rests; None where that is sure of no model."""
    sure = resting_of(atlases)
    if not sure:
        return None
    several = "Encoders rest on different tokens" if len({found.column for _, found in sure}) > 1 else RESTS
    most = max(found.share.value for _, found in sure)
    return Result("rests", "Unexpected", several, rounded(most), resting_sentence(sure, page))


def failing(ledger: Ledger, claim: Claim) -> list[Judgement]:
    """The models' judgements by which a claim fails."""
    return [item for _, item in ledger.by_model(claim) if item.verdict == "fails"]


def famous(ledger: Ledger) -> Claim | None:
    """The famous claim that fails for the most models; None if none fails."""
    claims = [claim for claim in ledger.claims.values() if claim.home == "famous"]
    most = max(claims, key=lambda claim: len(failing(ledger, claim)))
    return most if failing(ledger, most) else None


def fails(ledger: Ledger, claim: Claim, page: str) -> Result:
    """That a famous claim fails, and for how many of the models on which it can be tested."""
    found, models = failing(ledger, claim), len(ledger.manifests)
    verdicts = Counter(item.verdict for _, item in ledger.by_model(claim))
    tested = verdicts.total() - verdicts["not testable"]
    count = of_models(len(found), tested) + " that can be tested" * (tested < models)
    named = f" ({listed([item.model for item in found])})" if len(found) <= NAMED and len(found) < tested else ""
    parts = dict.fromkeys(judgement.decides.part.name for judgement in found if judgement.decides)
    sentence = prose(
        "{paper} ({section}) say of BERT-base: {statement} "
        "Here that fails for {count}{named}{by}{numbers}{open}: {claim}.",
        by=f", by {listed([*parts], 'or')}" if len(claim.parts) > 1 else "",
        paper=claim.paper,
        section=claim.section,
        statement=claim.statement,
        count=count,
        named=named,
        open=f", and is open for {verdicts['inconclusive']}" * bool(verdicts["inconclusive"]),
        numbers=_where(claim, found),
        claim=to_claim(claim.id, "how it was judged", page),
    )
    return Result("fails", "Does not travel", "A famous claim that fails here", f"{len(found)} of {tested}", sentence)


def _where(claim: Claim, found: Sequence[Judgement]) -> str:
    """The numbers by which a claim of one part fails, from the lowest to the highest."""
    place = place_of(claim.parts[0], 0)
    numbers = [number for judgement in found if (number := number_of(judgement, 0))]
    return f", where {claim.parts[0].name} is {place.span(numbers)}" if len(claim.parts) == 1 and numbers else ""


def _models(atlases: Sequence[Atlas], page: str) -> Section:
    """The first models, each as a map of its heads, and the way to the others."""
    if not atlases:
        nothing = prose("No model has been analysed yet. Run {command}.", command=Code("fieldguide build"))
        return Section("models", "The models", (nothing,))
    shown = Columns(tuple(_model(atlas, page) for atlas in atlases[:MODELS]), "fg-strip")
    _, kinds = legend(*atlases[:MODELS])
    note = "Colour says what a head is named for, or what it looks at most; the filled part says how much or how often."
    every = Link(f"all {len(atlases)} models", addresses.relative(addresses.MODELS, page))
    more = (prose("{every}, each with the map of its heads", every=every),) if atlases[MODELS:] else ()
    return Section("models", "Every square is a head", (_ask(page), note, kinds, shown, *more))


def _ask(page: str) -> Ask:
    to_finder = Link("Find a head", addresses.relative(addresses.FINDER, page))
    return Ask("Find a head for", "coreference", to_finder, f"{addresses.relative(addresses.ASSETS, page)}ask.js")


def _model(atlas: Atlas, page: str) -> Section:
    name = atlas.results.manifest.model
    href = to_model(atlas.slug, name, page).href
    return Section("", Name(name, href), (head_map(atlas, page, href),), level=3)


def _doors(ledger: Ledger, page: str) -> Section:
    """The four ways into the guide."""

    def to(address: str, text: str) -> Link:
        return Link(text, addresses.relative(address, page))

    counts = Counter(item.verdict for item in ledger.judgements)
    string = ", ".join(f"{verdict} {counts[verdict]}" for verdict in SHOWN)
    own = f"{addresses.relative(addresses.REPRODUCE, page)}#your-own-model"
    doors = (
        Card(to(addresses.FINDINGS, "Read the findings"), "What BERT looks at, three phases, dark secrets."),
        Card(to(addresses.FINDER, "Find a head"), "Every head of every model, by any measure or relation."),
        Card(Link("Check a claim", to_claims(page).href), f"Each is judged for every model{string and f': {string}'}."),
        Card(
            Link("Add your model", own),
            "One command for a model of the hub, a folder, or saved maps.",
        ),
    )
    return Section("doors", "Come in", (Cards(doors),))


def _ways_on(page: str) -> Section:
    def to(address: str, text: str) -> Link:
        return Link(text, addresses.relative(address, page))

    lines = (
        to(addresses.COMPARISONS, "Two models side by side"),
        to(addresses.METHODS, "How it is measured"),
        to(addresses.DATA, "Take the data"),
        to(addresses.CHANGES, "What changed"),
        to(addresses.CITE, "Cite"),
        to(addresses.READING, "Reading a head"),
    )
    return Section("ways", "And also", (Items(tuple((line,) for line in lines), style="fg-ways"),))
