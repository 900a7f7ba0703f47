"""The first page: three results with a picture each, the models, and links to all else."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from generator.claims.claim import Claim
from generator.numbers.writing import listed
from generator.pages import addresses
from generator.pages.blocks import Block, Columns, Figure, Items, Section, Sections, opening, present
from generator.pages.claims.figures import claim_figure
from generator.pages.claims.tables import SHOWN, Ledger, of_models
from generator.pages.curve.data import Course
from generator.pages.curve.figures import signatures_figure
from generator.pages.curve.forming import formed_told, forming_figure
from generator.pages.curve.page import there
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.specialists import LEVELS
from generator.pages.heads.summary import FINDS
from generator.pages.inline import Link, Part, Prose, prose
from generator.pages.links import to_claim, to_claims, to_head, to_model
from generator.pages.models import cards

MODELS = 6
"""Models that the first page shows with the picture of their heads; of more it would be as long as the list of all."""


def home_page(atlases: Sequence[Atlas], ledger: Ledger) -> Sections:
    """The first page."""
    here = addresses.HOME
    results = present(finds(atlases, ledger, here), fails(ledger, here), forms(atlases, here))
    return Sections(
        title="A field guide to attention heads",
        lead=(
            "What does each attention head of a BERT-like encoder do, and how sure is that? This guide measures "
            "every head the way the literature does, gives each a page of its own, and checks published claims "
            "against thresholds that are written down."
        ),
        crumbs=(),
        sections=(
            opening(Columns(results, "fg-abreast")),
            _models(atlases, here),
            _ways_on(ledger, here),
        ),
    )


def finds(atlases: Sequence[Atlas], ledger: Ledger, page: str) -> Section | None:
    """Of the heads whose evidence is strongest, the one that is right most often; None if there is none."""
    found = [
        (summary.share, atlas, place)
        for atlas in atlases
        for place, summary in atlas.summaries.items()
        if summary.kind in FINDS and summary.trust.startswith(LEVELS[-1])
    ]
    if not found:
        return None
    _, atlas, place = max(found, key=lambda one: one[0])
    summary, model = atlas.summaries[place], atlas.results.manifest.model
    claims = [one for one in ledger.claims.values() if one.home == "found"]
    claim = next((one for one in claims if summary.title.endswith(f" {_sought(one)}")), claims[0])
    told = prose(
        "Head {head} of {model} {finds}. {says} How often the best head of each model finds {sought}:",
        head=to_head(atlas.slug, *place, page),
        model=to_model(atlas.slug, model, page),
        finds=summary.title,
        says=summary.text,
        sought=_sought(claim),
    )
    return _result("finds", f"A head that {summary.title}", told, claim_figure(ledger, claim, 0, "found"))


def _sought(claim: Claim) -> str:
    """What heads are to find, by a claim on how often the best head is right."""
    return claim.parts[0].name.rpartition(" best head for ")[2]


def fails(ledger: Ledger, page: str) -> Section | None:
    """A famous claim that fails for the most models; None if none fails."""
    famous = (one for one in ledger.claims.values() if one.home == "famous")
    counts = {one.id: sum(item.verdict == "fails" for _, item in ledger.by_model(one)) for one in famous}
    key = max(counts, key=lambda one: counts[one])
    if not counts[key]:
        return None
    claim = ledger.claims[key]
    failing = (item.decides for _, item in ledger.by_model(claim) if item.verdict == "fails")
    parts = dict.fromkeys(one.part.name for one in failing if one)
    told = prose(
        "{paper} found in BERT-base: {statement} Here that fails for {count}{by}: {claim}.",
        by=f", by {listed([*parts], 'or')}" if len(claim.parts) > 1 else "",
        paper=claim.paper,
        statement=claim.statement,
        count=of_models(counts[key], len(ledger.manifests)),
        claim=to_claim(key, "how it was judged", page),
    )
    return _result("fails", "A famous claim that fails here", told, claim_figure(ledger, claim, 0, "failed"))


def forms(atlases: Sequence[Atlas], page: str) -> Section | None:
    """How attention forms over training; None if no model has a learning curve."""
    atlas = next((one for one in atlases if there(one)), None)
    course = Course(atlas) if atlas else None
    figure = forming_figure(course) or signatures_figure(course) if course else None
    if atlas is None or course is None or figure is None:
        return None
    none: tuple[str | Part, ...] = ("No head came to give one target more than half of its attention.",)
    told = (
        "While ",
        to_model(atlas.slug, atlas.results.manifest.model, page),
        f" was trained, it was measured at {len(course.steps)} checkpoints. ",
        *(formed_told(course, page) or none),
        " For the whole course, see ",
        Link("its learning curve", addresses.relative(addresses.curve(atlas.slug), page)),
        ".",
    )
    return _result("forms", "How heads form over training", told, figure)


def _result(anchor: str, title: str, told: Prose, figure: Figure | None) -> Section:
    """One of the results that stand side by side."""
    return Section(anchor, title, present(told, figure and replace(figure, abreast=True)))


def _models(atlases: Sequence[Atlas], page: str) -> Section:
    """The first models, each with the picture of its heads, and the way to the others."""
    shown = cards(atlases[:MODELS], page)
    every = Link(f"all {len(atlases)} models", addresses.relative(addresses.MODELS, page))
    more = (prose("{every}, each with the map of its heads", every=every),) if atlases[MODELS:] else ()
    return replace(shown, id="models", title="The models", blocks=(*shown.blocks, *more))


def _ways_on(ledger: Ledger, page: str) -> Section:
    def to(address: str, text: str) -> Link:
        return Link(text, addresses.relative(address, page))

    counts = Counter(item.verdict for item in ledger.judgements)
    told = ", ".join(f"{verdict} {counts[verdict]}" for verdict in SHOWN)
    judged = f" (verdicts: {told})" if ledger.judgements else ""
    lines: list[Prose] = [
        (
            to(addresses.FINDINGS, "Read the findings"),
            ": what BERT looks at, three phases, the dark secrets and more.",
        ),
        (to(addresses.FINDER, "Find a head"), ": every head of every model, by any measure or relation."),
        (Link("Check a claim", to_claims(page).href), f": each is judged for every model{judged}."),
        (to(addresses.REPRODUCE, "Add your model"), ": one command for a model of the hub, a folder, or saved maps."),
        (to(addresses.METHODS, "How it is measured"), ": each number with its definition, formula and source."),
        (to(addresses.DATA, "Take the data"), ": every table as a Parquet file, for pandas or DuckDB."),
        (to(addresses.CHANGES, "What changed"), ": models, verdicts and heads, from one build to the next."),
        (to(addresses.CITE, "Cite"), ": this guide or a page of it, in a text or in BibTeX."),
        (to(addresses.READING, "Reading a head"), ": what the sentence and the figures on its page say."),
    ]
    blocks: tuple[Block, ...] = (Items(tuple(lines), style="fg-ways"),)
    return Section("ways", "Where to go on", blocks)
