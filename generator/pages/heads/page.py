"""The page of a head."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from markupsafe import Markup

from generator.charts.static.arcs import FAINT, rounded
from generator.claims.gate.maps import BROAD
from generator.measures import OF_COLUMN
from generator.measures.position import FAR, OFFSET
from generator.numbers.writing import number, pieces
from generator.pages import addresses
from generator.pages.blocks import LINES, Block, Columns, Items, Note, Section, Sections, opening, present
from generator.pages.claims.sentences import bearing
from generator.pages.claims.tables import Ledger
from generator.pages.figures import SINGLE, classes_figure, has_norms, offsets_figure
from generator.pages.heads.arcs import OF_CLASS, Arcs, arcs_of
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.found import Finding, found_figure, looked_figure, named, unnamed
from generator.pages.heads.of_head import in_lists, in_short, map_of_heads, of_head, title_of
from generator.pages.heads.onward import found_job, linked, onward, same_job
from generator.pages.heads.sentences import maps_figure
from generator.pages.heads.studies import HeadStudies
from generator.pages.heads.summary import weaker
from generator.pages.heads.why import FILE as WHY
from generator.pages.inline import Cells, Count, Kind, Link, Prose, Token, as_parts, inline, prose
from generator.pages.links import head_name, model_crumbs, steps, to_head, to_method
from generator.pages.studies.tables import table

NO_CLAIMS = Ledger((), ())
WHAT = "What it looks at"
UNSHOWN = "No sentence is drawn, for the text of these documents is not ours to publish."
FAINTLY = f"No sentence is drawn: in the examples, no word gives another {rounded(FAINT)} of its attention."
NEIGHBOURS = 4
BY_MEASURES = "Euclidean distance over all measures, each scaled to unit spread among the heads of this model"
BY_DIVERGENCE = "mean Jensen-Shannon divergence of their rows on the same text, in nats"


def head_page(atlas: Atlas, studies: HeadStudies, layer: int, head: int, ledger: Ledger = NO_CLAIMS) -> Sections:
    """Everything about one head; layer and head are 1-based, and `ledger` has the claims for which it matters."""
    here = addresses.head(atlas.slug, layer, head)
    summary, name = studies.own(layer, head), head_name(layer, head)
    writes = ", what it writes" if has_norms(atlas, layer, head) else ""
    saved = studies.saved(here)
    shown = atlas.examples[layer, head] or atlas.deciles.get((layer, head))
    sentences = arcs_of(atlas, layer, head)
    title = title_of(atlas, layer, head)
    if summary.aside:
        title = title.removesuffix(f" ({summary.aside.reason.short})")  # the badge says it
    others = studies.before(layer, head, here)
    level, why = studies.badge(layer, head)
    found, job = finding(atlas, layer, head), found_job(atlas, layer, head, here)
    # Distances say little of a head that looks broadly, whether or not sentences may be shown.
    looked = looked_figure(atlas, layer, head) if (sentences or summary.kind == BROAD) and not found else None
    right = how_often(atlas, layer, head, found, job, here) if found else opening(looked) if looked else None
    # The interval stands once: in the figure beside the sentence, or else in it.
    told = (summary.short if looked or found else "") or summary.text
    same = "" if found and job else same_job(atlas, layer, head, here)  # it stands beside the figure of what is found
    beside = aside(atlas, studies, layer, head, here, same)
    around = (*studies.below(layer, head, here), *present(beside))
    work, drawn = at_work(atlas, layer, head, sentences, right, around)
    is_ours = title.startswith(summary.title.removesuffix(")"))  # what a source says may follow within the bracket
    folded = present(
        *studies.sections(layer, head, here),
        None if drawn == "where" else Section("where", "How far it looks", (offsets_figure(atlas, layer, head),)),
        None if drawn == "what" else Section("what", WHAT + writes, (classes_figure(atlas, layer, head),)),
        Section("examples", "Whole maps of example sentences", (maps_figure(atlas, layer, head),)) if shown else None,
        bearing(
            ledger,
            model=atlas.results.manifest.model,
            layer=layer,
            head=head,
            page=here,
            printed=studies.claims(layer, head),
        ),
        similar(atlas, layer, head, here),
        numbers(atlas, studies, layer, head, here),
    )
    first: tuple[Block, ...] = present(
        *work,
        Note(saved) if saved else None,
        *studies.opening(layer, head, here),
    )
    return Sections(
        title=linked(f"Head {name} {title}", atlas, here),
        lead=linked(told, atlas, here),
        crumbs=model_crumbs(atlas.slug, atlas.results.manifest.model, here),
        steps=steps(atlas.places, (layer, head), lambda place: to_head(atlas.slug, *place, here)),
        sections=(
            opening(*first),
            *(replace(section, folded=True) for section in folded),
        ),
        before=() if is_ours else others,
        after=others if is_ours else (),
        badge=(level, linked(why, atlas, here)),
        contest=f"{summary.text} {summary.trust}",
    )


def at_work(
    atlas: Atlas, layer: int, head: int, shown: Arcs | None, right: Section | None, around: tuple[Block, ...]
) -> tuple[tuple[Block, ...], str]:
    """Sentences with the head's arcs, with the number that names it to the `right` or else a figure of its attention,
    above what is `around` it. Where there are none to show, the figure beside that, and why. Then also the id of the
    section that holds the figure of its attention on other pages, if this page begins with it.
    """
    why = Note(FAINTLY if atlas.examples[layer, head] else UNSHOWN)
    if right:
        return (Columns((shown, right) if shown else (right, opening(why)), "fg-show"), *around), ""
    summary = atlas.summaries[layer, head]
    near = summary.kind != "none" and not (summary.looks and OF_CLASS.keys() >= {*summary.looks})
    figure = opening((offsets_figure if near else classes_figure)(atlas, layer, head))
    columns = (opening(shown, *around), figure) if shown else (figure, opening(*around, why))
    return (Columns(columns, "fg-show"),), "where" if near else "what"


def how_often(atlas: Atlas, layer: int, head: int, found: Finding, job: Prose, page: str) -> Section:
    """How often a head is right about what it finds, above what topics say of that and a link to its `job` in other
    models.
    """
    notes = (*(topic.beside(layer, head, page) for topic in of_head(atlas)), job)
    return opening(found_figure(head_name(layer, head), found), *(Note(inline(note)) for note in notes if note))


def finding(atlas: Atlas, layer: int, head: int) -> Finding | None:
    """What a head finds by its title; None if this speaks of something else."""
    summary = atlas.summaries[layer, head]
    if summary.found:
        return named(summary.found)
    if summary.kind in weaker() and in_short(atlas, layer, head):
        return next(filter(None, (topic.finding(layer, head) for topic in of_head(atlas))), None)
    return unnamed(summary.aside) if summary.aside and summary.kind == "none" else None


def aside(atlas: Atlas, studies: HeadStudies, layer: int, head: int, page: str, same: Prose) -> Columns | None:
    """Where else it looks, where a reader may go next, and whether the model needs it, side by side; `same` leads to
    heads with the same job, if anything does.
    """

    def column(title: str, *texts: Prose) -> Section | None:
        return Section("", title, texts, level=2) if any(texts) else None

    columns = present(
        column("Where else it looks", studies.looks(layer, head)),
        column("Where next", *onward(atlas, layer, head, page, same)),
        column("Does the model need it?", studies.needed(layer, head)),
    )
    return Columns(columns, "fg-three") if columns else None


def numbers(atlas: Atlas, studies: HeadStudies, layer: int, head: int, page: str) -> Section:
    """Every measure of one number, beside uniform attention and its rank among the heads."""
    token, often = atlas.sinks[layer, head]
    sink = (
        "The token that receives most, the sink, is {token} in {often} of {documents} documents."
        if 2 * often > atlas.documents
        else "No token collects attention in most documents: the commonest sink, {token}, receives most in {often} of "
        "{documents}."
    )
    means = prose(
        "Means over {read} with 95 % bootstrap intervals, in shares unless a unit is named; rank 1 is the highest. "
        f"{sink}",
        read=atlas.text,
        token=Token(token),
        often=str(often),
        documents=str(atlas.documents),
    )
    columns = ("measure", "value", "95 % interval", "uniform", f"rank of {len(atlas.places)}")
    return Section(
        "numbers",
        "Numbers",
        (
            means,
            table("Numbers of this head", columns, _numbers(atlas, layer, head, page)),
            (
                *("Shares by distance: ", to_method(OFFSET.name, OFFSET.title, page), ", "),
                *(to_method(FAR.name, FAR.title, page), ". "),
                *(part for estimate in studies.numbers(layer, head, page) for part in (*as_parts(estimate), " ")),
                Link("Why it has this name", WHY),
            ),
        ),
    )


def _numbers(atlas: Atlas, layer: int, head: int, page: str) -> Iterator[Cells]:
    at, root = (layer - 1, head - 1), addresses.relative("", page)
    for measure in SINGLE:
        estimate = atlas.estimates[measure.name]
        if not estimate.n:
            continue  # of saved maps, for example, nothing is known that needs the model's weights
        rank = int(atlas.ranks[measure.name][at])
        fewer = "" if estimate.n == atlas.documents else f"n = {estimate.n}"
        yield (
            _measure(measure.name, fewer, root),
            *pieces(estimate.of(layer, head)),
            number(estimate.uniform),
            str(rank or "-"),
        )


@lru_cache(maxsize=128)
def _measure(name: str, fewer: str, root: str) -> Markup:
    """A measure with its unit and, where it is not defined for all documents, their number; `root` is the way from a
    page of a head to the first page, the same for all heads.
    """
    measure = OF_COLUMN[name]
    beside = ", ".join(filter(None, ("" if measure.unit == "share" else measure.unit, fewer)))
    link = Link(measure.title, f"{root}{addresses.method(name)}")
    return inline((link, f" ({beside})" if beside else ""))


def similar(atlas: Atlas, layer: int, head: int, page: str) -> Section:
    """The heads that behave most like this one."""

    def line(other: tuple[int, int], distance: float) -> Prose:
        summary = atlas.summaries[other]
        called = Kind(summary.kind, summary.called), to_head(atlas.slug, *other, page)
        return (*called, f" {in_lists(atlas, *other)} ", Count(f"at {number(distance)}"))

    by = BY_MEASURES if atlas.divergence is None else BY_DIVERGENCE
    to_map = map_of_heads(atlas, page)
    nearest = f"Nearest first, by {by}.", *((" See the ", to_map, ".") if to_map else ())
    lines = tuple(line(*found) for found in atlas.similar(layer, head, NEIGHBOURS))
    return Section("similar", "Heads that are alike", (nearest, Items(lines, style=LINES)))
