"""A model's page on phases: curves over its layers, and where the layers may be divided in three phases."""

from collections.abc import Iterator, Sequence

from generator.numbers.number import alone
from generator.numbers.writing import interval, listed, number, percent
from generator.pages import addresses
from generator.pages.blocks import Note, Section, Sections, opening, present
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell, Cells, prose
from generator.pages.links import model_crumbs, to_reference, to_term
from generator.pages.studies.seen import RARE
from generator.pages.studies.study_page import StudyPage
from generator.pages.studies.tables import NOTHING, count, table
from generator.topics.layers.derived.phases import Phases, signatures
from generator.topics.layers.page.division import DIVISION, Division
from generator.topics.layers.page.layer_curves import layer_curves
from generator.topics.layers.page.phases.figure import NAMES, profiles_figure
from generator.topics.layers.page.phases.sentences import TITLE, seen, stretches, undecided


def there(atlas: Atlas) -> bool:
    """Whether there are documents to draw layers from."""
    return atlas.drawn_from_layers


def phases_page(atlas: Atlas) -> Sections:
    """Profiles, phases and further curves over layers."""
    here = addresses.phases(atlas.slug)
    seed = int(atlas.results.manifest.settings["seed"])
    division = DIVISION.of(atlas)
    assert division, "the page is made only where there are layers to divide"
    found = division.found
    source = to_reference("hypothesis2021", "A Hypothesis about Learning Curve of BERT", here)
    return Sections(
        title=TITLE,
        lead=_lead(found),
        card=f"{seen(found)}.",
        crumbs=model_crumbs(atlas.slug, atlas.results.manifest.model, here),
        sections=present(
            opening(
                profiles_figure(atlas, division),
                prose(
                    "That layers fall into three phases is an idea of {source} (2021): broad heads and [CLS] "
                    "first, then relations and [SEP], then periods and commas. As we read it, the phases of BERT-base "
                    "end with layers 3 and 10; for other depths these are scaled.",
                    source=source,
                ),
            ),
            boundaries(found, here),
            marks(division, seed, here),
            *layer_curves(atlas, here),
        ),
    )


def _lead(found: Phases) -> str:
    if not found.boundaries:
        return found.note
    parts = [f"layer {first}" if first == last else f"layers {first} to {last}" for first, last in stretches(found)]
    if why := undecided(found):
        return f"The layers divide best into {listed(parts)}. {why}"
    which = "" if found.p < RARE else f" The three found are {listed(parts)}."
    much = percent(alone(found.p))
    return f"{seen(found)} on average, and {much} of such orders explain as much ({found.n} documents).{which}"


def boundaries(found: Phases, page: str) -> Section | None:
    """Where the phases end, as found and as the hypothesis says; None without boundaries."""
    if not found.boundaries:
        return None
    columns = ("last layer of phase", "found", "95 % interval", "hypothesis", to_term("n", "n, documents", page))
    rows = (
        (name, str(at), NOTHING if low == high else interval(low, high), str(expected), count(found.n))
        for name, at, low, high, expected in zip(
            ("one", "two"), found.boundaries, found.low, found.high, found.expected, strict=True
        )
    )
    return Section(
        "boundaries",
        "Where the layers divide",
        (
            table("Boundaries of phases", columns, rows),
            Note(
                "The division found is the one with the least squared error of all divisions into three; every curve "
                "has the same weight. Intervals resample documents. Three parts fit any curve to some degree, and a "
                "gradual drift also beats layers in random order. So only both together are evidence of phases: narrow "
                "intervals, and a small share of random orders that explain as much."
            ),
        ),
    )


def marks(division: Division, seed: int, page: str) -> Section | None:
    """What stands out in each phase, by both divisions; None without boundaries."""
    profiles, _, syntax, found = division
    if not found.boundaries:
        return None

    def rows(whose: str, ends: Sequence[int]) -> Iterator[Cells]:
        for phase, signature in enumerate(signatures(profiles, ends, seed, syntax), start=1):
            yield (
                Cell(f"phase {phase}", note=whose),
                str(signature.first) if signature.first == signature.last else f"{signature.first} to {signature.last}",
                NAMES.get(signature.quantity, NOTHING.text),
                number(signature.level),
                number(signature.support),
                "yes" if signature.expected else "no",
            )

    columns = (
        to_term("phase", "phase", page),
        "layers",
        "stands highest above its mean",
        "by how many standard deviations",
        to_term("bootstrap-interval", "in a share of draws", page),
        "named by the hypothesis",
    )
    lines = [*rows("as found", found.boundaries), *rows("as in the hypothesis", found.expected)]
    title = "What marks each phase"
    note = Note(
        "Every curve is first put on one scale: its distance from its mean over layers, in standard deviations. What "
        "marks a phase is the curve that stands highest there. The share of draws says in how many of the samples of "
        "documents, drawn anew with replacement, the same curve stands highest."
    )
    return Section("signatures", title, (table(title, columns, lines), note))


PAGE = StudyPage(TITLE, addresses.phases, there, phases_page)
