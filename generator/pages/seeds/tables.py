"""Sections on trainings that differ in their seed: relations, twins, measures, and the way to each training."""

from collections.abc import Iterator, Mapping

from generator.claims.cutoffs import CLEAR_GAIN
from generator.numbers.number import Number, alone
from generator.numbers.writing import listed, number, percent, pieces
from generator.pages.blocks import Note, Section
from generator.pages.curve.data import step_text
from generator.pages.curve.figures import View, numbers_figure
from generator.pages.figures import SINGLE
from generator.pages.inline import Cell, Cells, Name
from generator.pages.links import head_name, to_column, to_term
from generator.pages.seeds.data import Row, Trainings, finds
from generator.pages.studies.tables import NOTHING, cell, count, measured, table, title
from generator.studies.experiments.seeds_quantities import TARGETS
from generator.studies.syntax.names import with_label

DRAWN = 3
"""Trainings that a figure can show at once."""
LOGGED = {"loss": ("Loss on hidden tokens", "nats")} | {
    target: (f"Most attention to {words}", "times uniform attention") for target, words in TARGETS.items()
}
"""What a log has -> its title and unit."""


def relations(found: Trainings, treebank: str, page: str) -> Section:
    """For every relation that some training finds, the head of each; other relations are named below."""
    leads = found.leads(treebank)
    shown = {name: by_training for name, by_training in leads.items() if any(map(finds, by_training.values()))}
    order = sorted(shown, key=lambda name: (-sum(map(finds, shown[name].values())), -_most(shown[name]), name))
    rows: list[Cells] = []
    for relation in order:
        of_each = [_lead(shown[relation].get(at)) for at in range(1, len(found.names) + 1)]
        times = sum(map(finds, shown[relation].values()))
        rows.append((with_label(relation), f"{times} of {len(found.names)}", *of_each, count(_words(shown[relation]))))
    anchor = f"relations-{found.treebanks.index(treebank) + 1}"
    heading = ("Which relations come back: ", Name(title(treebank)))
    if not rows:
        nothing = "In no training does a head find a dependency relation clearly better than the best fixed offset."
        return Section(anchor, heading, (nothing,))
    columns: Cells = (
        to_term("dependency-relation", "relation", page),
        "trainings that find it",
        *(Name(name) for name in found.names),
        to_term("n", "n, words", page),
    )
    note = Note(
        "Each cell has the head that is right most often, and how far its accuracy lies beyond that of the best fixed "
        f"offset; found means by {number(CLEAR_GAIN)} or more and surely above 0. Head and offset are chosen on one "
        "half of the sentences, the numbers are of the other. "
        f"{len(leads) - len(shown)} more relations are found in no training."
    )
    return Section(anchor, heading, (*_carried(found, treebank), table("Relations by training", columns, rows), note))


def _carried(found: Trainings, treebank: str) -> Iterator[str]:
    facts = found.returning(treebank)
    if "carried" in facts:
        share, chance = percent(Number.of(facts["carried"])), percent(alone(facts["carried.chance"]["value"]))
        yield (
            "Where two trainings find the same relation, the head of the one is the twin of the head of the other in "
            f"{share} of {int(facts['carried']['n'])} cases; by chance it would be in {chance}."
        )


def _lead(row: Row | None) -> Cell:
    if row is None:
        return NOTHING
    value, ends = pieces(Number.of(row), signed=True, against=(CLEAR_GAIN,))
    found = "found by " if finds(row) else ""
    return Cell(f"{found}{head_name(row['layer'], row['head'])}: {value}", note=ends)


def _most(by_training: Mapping[int, Row]) -> float:
    return max(row["value"] for row in by_training.values())


def _words(by_training: Mapping[int, Row]) -> int:
    return max(row["n"] for row in by_training.values())


def layers(found: Trainings, page: str) -> Section:
    """How far twins are apart, layer by layer."""
    rows: list[Cells] = [(str(row["layer"]), measured(row), count(row["n"])) for row in found.layers]
    rows += [
        (text, measured(found.facts[name]), count(found.facts[name]["n"]))
        for name, text in (
            ("matched", "all layers"),
            ("every", "any two heads"),
            ("untrained", "matched with random weights"),
        )
    ]
    columns: Cells = (
        "layer",
        to_term("jensen-shannon-divergence", "divergence of twins, nats", page),
        to_term("n", "n, documents", page),
    )
    closest = min(found.layers, key=lambda row: row["value"])["layer"]
    furthest = max(found.layers, key=lambda row: row["value"])["layer"]
    text = f"Twins are most alike in layer {closest} and least in layer {furthest}."
    note = Note("Layers whose heads all spread their attention evenly have twins that are alike and say little.")
    return Section(
        "layers", "Where twins are alike", (text, table("Divergence of twins by layer", columns, rows), note)
    )


def measures(found: Trainings, page: str) -> Section:
    """Every measure in every training, and how far a head's tells that of its twin."""
    rows: list[Cells] = []
    better = []
    for column in (measure.name for measure in SINGLE):
        keys = [f"mean.{column}.{at}" for at in range(1, len(found.names) + 1)]
        if not all(key in found.facts for key in keys):
            continue
        means = [cell(Number.of(found.facts[key])) for key in keys]
        twins, layer, gain = (found.facts.get(f"{kind}.{column}") for kind in ("twins", "layer", "gain"))
        better += [column] if gain and gain["low"] > 0 else []
        rows.append((to_column(column, page), *means, measured(twins), measured(layer), measured(gain)))
    columns: Cells = (
        "measure",
        *(Name(name) for name in found.names),
        "correlation over twins",
        "over heads of the same layer",
        "difference",
    )
    text = (
        f"For {len(better)} of {len(rows)} measures a head surely tells more about its twin than its layer alone does: "
        "the correlation over twins is higher than that over heads of the same layer."
    )
    note = Note(
        "A mean is over all heads of a training, its interval over documents. Correlations are over pairs of heads of "
        "two trainings; their intervals resample documents and heads. A dash stands where all heads have one value, or "
        "some do not define it."
    )
    return Section("measures", "Which measures come back", (text, table("Measures by training", columns, rows), note))


def steps(found: Trainings) -> Section | None:
    """Losses and attention on the way, from the logs of the runs; None without logs."""
    views = [view for key, (label, unit) in LOGGED.items() if (view := _view(found, key, label, unit)).curves]
    if not views:
        return None
    ends = sorted({int(row["step"]) for view in views for rows in view.curves.values() for row in rows})
    few = f" The first {DRAWN} trainings are drawn." if len(found.names) > DRAWN else ""
    caption = (
        "From the logs of the runs, on held-out text. Attention is that of the head that gives the target most, as a "
        f"multiple of uniform attention. A run keeps means alone, so there are no intervals.{few}"
    )
    figure = numbers_figure(ends, "on-the-way", views, caption, f"in {listed(found.names[:DRAWN])}")
    note = Note(
        "The first logged step at which some head gives the target twice what uniform attention gives, and what the "
        "head that gives most gives at the end, as a multiple of uniform attention."
    )
    columns: Cells = ("attention to", *(Name(name) for name in found.names))
    rows: list[Cells] = [(words, *_came(found, target)) for target, words in TARGETS.items()]
    came = table("When a head first attended to each target", columns, rows)
    return Section("order", "Do they learn in the same order?", (came, note, figure))


def _view(found: Trainings, key: str, label: str, unit: str) -> View:
    logged = {name: found.logged.get(f"{key}.{at}", {}) for at, name in enumerate(found.names[:DRAWN], start=1)}
    return View(label, unit, {name: [rows[step] for step in sorted(rows)] for name, rows in logged.items() if rows}, {})


def _came(found: Trainings, target: str) -> Iterator[Cell]:
    """When a target was first attended to in each training, and how much it is at the end; a dash without a log."""
    for at in range(1, len(found.names) + 1):
        rows, first = found.logged.get(f"{target}.{at}"), found.came.get(f"came.{target}.{at}")
        if not rows:
            yield NOTHING
        else:
            last = f"{number(rows[max(rows)]['value'])} at the end"
            yield Cell(f"step {step_text(first['value'])}" if first else "never", note=last)
