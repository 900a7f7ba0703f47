"""A model's page on phases: curves over its layers, and where the layers may be divided in three phases."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from generator.charts import PHASES_TALL
from generator.charts.naming.told import over_layers
from generator.charts.theme import QUANTITIES
from generator.claims.cutoffs import FEWEST_WORDS
from generator.numbers.number import all_alone, alone
from generator.numbers.writing import interval, listed, number, percent
from generator.pages import addresses
from generator.pages.blocks import Figure, Note, Section, Sections, Table, opening, present
from generator.pages.figures import as_stored, embed, estimate_columns
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell, Cells, Link, Part, Prose, prose
from generator.pages.links import model_crumbs, to_reference, to_term
from generator.pages.studies.division import Division
from generator.pages.studies.layer_curves import layer_curves
from generator.pages.studies.seen import RARE, phases_seen
from generator.pages.studies.tables import NOTHING, count, table
from generator.studies.layers.phases import SYNTAX, Phases, signatures
from generator.studies.layers.profiles import BREADTH

TITLE = "Phases"
NAMES = dict(zip((BREADTH, "attention.cls", "attention.sep", "attention.punctuation", SYNTAX), QUANTITIES, strict=True))
"""Quantities of the study -> their names in the chart."""
BETTER = "fall into three phases better than layers in random order"
UNDIVIDED = "Of no model of this guide can the layers be divided into three."


def there(atlas: Atlas) -> bool:
    """Whether there are documents to draw layers from."""
    return atlas.drawn_from_layers


def phases_page(atlas: Atlas) -> Sections:
    """Profiles, phases and further curves over layers."""
    here = addresses.phases(atlas.slug)
    seed = int(atlas.results.manifest.settings["seed"])
    division = atlas.division
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
                    "first, then relations and [SEP], then periods and commas. In BERT-base its phases end with "
                    "layers 3 and 10; for other depths these are scaled.",
                    source=source,
                ),
            ),
            boundaries(found, here),
            marks(division, seed, here),
            *layer_curves(atlas, here),
        ),
    )


def phases_told(atlases: Sequence[Atlas], page: str) -> Iterator[tuple[str, Link]]:
    """For each of these models, whether its layers fall into phases better than in random order, and a link to its page
    on it.
    """
    for atlas in atlases:
        found = atlas.division and atlas.division.found
        if found and not found.note:
            model, here = atlas.results.manifest.model, addresses.phases(atlas.slug)
            whether = "do" if found.p < RARE else "do not"
            told = f"Those of {model} {whether}: {seen(found)[0].lower()}{seen(found)[1:]}."
            yield told, Link(f"{TITLE}, {model}", addresses.relative(here, page))


def divided_told(atlases: Sequence[Atlas], page: str) -> Prose:
    """In one sentence whether the layers of these models fall into phases better than in random order, with links."""
    told: list[str | Part] = []
    for whether, does in ((True, " do"), (False, " do not")):
        models = [
            Link(atlas.results.manifest.model, addresses.relative(addresses.phases(atlas.slug), page))
            for atlas in atlases
            if atlas.division and not atlas.division.found.note and (atlas.division.found.p < RARE) == whether
        ]
        begin, end = ("; those of ", does) if told else ("The layers of ", f"{does} {BETTER}")
        for at, model in enumerate(models):
            told += [", " if 0 < at < len(models) - 1 else " and " if at else begin, model]
        told += [end] if models else []
    return (*told, ".") if told else ""


def _lead(found: Phases) -> str:
    if not found.boundaries:
        return found.note
    parts = [f"layer {first}" if first == last else f"layers {first} to {last}" for first, last in _stretches(found)]
    if found.note:
        return f"The layers divide best into {listed(parts)}. {found.note}"
    which = "" if found.p < RARE else f" The three found are {listed(parts)}."
    much = percent(alone(found.p))
    return f"{seen(found)} on average, and {much} of such orders explain as much ({found.n} documents).{which}"


def seen(found: Phases, model: str = "") -> str:
    """What the division into three explains, as a phrase that begins a sentence and names the `model`, if given."""
    if found.note:
        return found.note.rstrip(".")
    return phases_seen(_stretches(found), found.explained, found.shuffled, found.p, model)


def _stretches(found: Phases) -> list[tuple[int, int]]:
    return [(first + 1, last) for first, last in pairwise((0, *found.boundaries, found.layers))]


def profiles_figure(atlas: Atlas, division: Division) -> Figure:
    """The curves over layers, with the borders of the phases that were found and of those that the hypothesis names."""
    profiles, treebank, syntax, found = division
    of_curves = profiles.estimates(int(atlas.results.manifest.settings["seed"]))
    estimates = {name: of_curves[name] for name in found.quantities if name != SYNTAX}
    if syntax is not None:
        estimates[SYNTAX] = all_alone(syntax)
    layers = np.arange(1, found.layers + 1)
    low, high = (dict(zip(found.boundaries, ends, strict=True)) for ends in (found.low, found.high))
    columns: dict[str, Any] = {
        "layer": np.tile(layers, len(estimates)).tolist(),
        "quantity": np.repeat([NAMES[name] for name in estimates], found.layers).tolist(),
        "found": np.tile(np.isin(layers, found.boundaries).astype(int), len(estimates)).tolist(),
        "expected": np.tile(np.isin(layers, found.expected).astype(int), len(estimates)).tolist(),
    }
    columns |= estimate_columns(one.at(layer) for one in estimates.values() for layer in range(found.layers))
    for name, ends in (("found_low", low), ("found_high", high)):
        columns[name] = as_stored(np.tile([ends.get(layer, np.nan) for layer in layers.tolist()], len(estimates)))
    across = {layer: (layer - 0.5) / found.layers for layer in layers.tolist()}
    borders = [
        [(end / found.layers, 0.0), (end / found.layers, PHASES_TALL)] for end in (*found.boundaries, *found.expected)
    ]
    view = {
        "columns": columns,
        "signals": {"depth": found.layers} | over_layers(columns, "quantity", across, PHASES_TALL, borders),
        "constants": {"corpus": atlas.corpus, "unit": "share", "n": found.n},
    }
    return Figure(
        id="profiles",
        label=seen(found, atlas.results.manifest.model),
        kinds=("profiles",),
        data=embed({"shared": {}, "views": [view]}),
        caption=_caption(atlas, treebank),
        table=Table(
            ("quantity", "layer", "value", "95 % interval"),
            tuple(
                (NAMES[name], str(layer), number(value, low, high), interval(low, high, value=value))
                for name, one in estimates.items()
                for layer, value, low, high in zip(
                    layers.tolist(), one.value.tolist(), one.low.tolist(), one.high.tolist(), strict=True
                )
            ),
        ),
    )


def _caption(atlas: Atlas, treebank: str) -> str:
    text = (
        "Means over a layer's heads. Breadth is entropy as a share of that of uniform attention; the curves of tokens "
        "are the shares of attention that these receive. Solid lines are the borders of the phases that were found, "
        "with their 95 % intervals as bands; dashed lines are the borders of the hypothesis. Bands around curves are "
        "95 % intervals over documents. "
        f"Measured on {atlas.text}."
    )
    if treebank:
        text += (
            " Gain in syntax says how much more often, as a share of words, the best head of a layer is right than the "
            f"best fixed offset; it is a mean over the relations of {treebank} with {FEWEST_WORDS} words or more. The "
            "head is chosen on the same words, so the curve lies too high."
        )
    return text


def boundaries(found: Phases, page: str) -> Section | None:
    """Where the phases end, as found and as the hypothesis says."""
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
    """What stands out in each phase, by both divisions."""
    profiles, _, syntax, found = division
    if not found.boundaries:
        return None

    def rows(whose: str, ends: Sequence[int]) -> Iterator[Cells]:
        for phase, one in enumerate(signatures(profiles, ends, seed, syntax), start=1):
            yield (
                Cell(f"phase {phase}", note=whose),
                str(one.first) if one.first == one.last else f"{one.first} to {one.last}",
                NAMES.get(one.quantity, NOTHING.text),
                number(one.level),
                number(one.support),
                "yes" if one.expected else "no",
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
