"""Sections on trainings that differ in their seed: relations, twins, measures, and the course of each training."""

from collections.abc import Iterator, Mapping

from generator.claims.bounds import counted
from generator.numbers.number import Number
from generator.numbers.writing import number, pieces
from generator.pages.blocks import Note, Section
from generator.pages.figures import SINGLE
from generator.pages.inline import Cell, Cells, Name
from generator.pages.links import head_name, to_column, to_term
from generator.pages.studies.tables import NOTHING, cell, count, in_unit, measured, relation_cell, table, title
from generator.topics.learning.page.data import step_text
from generator.topics.learning.page.figures import View, numbers_figure
from generator.topics.relations.claims.finds import LEAST_GAIN
from generator.topics.seeds.page.data import ATTENTION, LOSS, Row, Trainings, cases
from generator.topics.seeds.records import BEYOND, SEEDS, TARGETS

DRAWN = 3
"""Trainings that a figure can show at once."""
LOGGED = {"loss": ("Loss on hidden tokens", LOSS.unit)} | {
    target: (f"Most attention to {words}", ATTENTION.unit) for target, words in TARGETS.items()
}
"""Kind of number in a log -> its title and unit."""


def relations(found: Trainings, treebank: str, page: str) -> Section:
    """The best head of each training for every relation that some training finds, and the number of other relations."""
    leads = found.leads(treebank)
    times = {name: sum(row["found"] for row in by_training.values()) for name, by_training in leads.items()}
    shown = sorted((name for name in leads if times[name]), key=lambda name: (-times[name], -_most(leads[name]), name))
    rows: list[Cells] = []
    for name in shown:
        of_each = [_lead(leads[name].get(at)) for at in range(1, len(found.names) + 1)]
        words = count(max(row["n"] for row in leads[name].values()))
        rows.append((relation_cell(name), f"{times[name]} of {len(found.names)}", *of_each, words))
    anchor = f"relations-{found.treebanks.index(treebank) + 1}"
    heading = ("Which relations come back in ", Name(title(treebank)))
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
        f"offset. It counts as found where this lead is {number(LEAST_GAIN)} or more and surely above 0, and no head "
        "of random weights is right as often; a lead just below does not count, and whether two trainings differ is "
        "not tested. Head and offset are chosen on one half of the sentences, the numbers are of the other. Relations "
        f"that no training finds, and that are left out here: {len(leads) - len(shown)}."
    )
    return Section(anchor, heading, (*_carried(found, treebank), table("Relations by training", columns, rows), note))


def _carried(found: Trainings, treebank: str) -> Iterator[str]:
    facts = found.of(treebank)
    if "carried" in facts:
        share, n = facts["carried"], int(facts["carried"]["n"])
        yield (
            f"Two trainings find the same relation in {counted(n, 'cases')}; in {cases(share, n)} of them the two "
            "heads that find it are twins. If the twin of a head were any head of the same layer, drawn at random, it "
            f"would be {number(facts['carried.chance']['value'] * n)} on average."
        )


def _lead(row: Row | None) -> Cell:
    if row is None:
        return NOTHING
    value, ends = pieces(Number.of(row), signed=True, against=(LEAST_GAIN,))
    found = "found by " if row["found"] else ""
    return Cell(f"{found}{head_name(row['layer'], row['head'])}: {value}", note=ends)


def _most(by_training: Mapping[int, Row]) -> float:
    return max(row["value"] for row in by_training.values())


def layers(found: Trainings, page: str) -> Section:
    """The divergence of twins, layer by layer, compared with that of any two heads of the layer."""
    matched, every = found.by_layer("matched"), found.by_layer("every")
    rows: list[Cells] = [
        (str(row["layer"]), measured(row), measured(other), count(row["n"]))
        for row, other in zip(matched, every, strict=True)
    ]
    whole = found.facts["matched"], found.facts["every"]
    rows.append(("all", *map(measured, whole), count(whole[0]["n"])))
    columns = (
        "layer",
        to_term("jensen-shannon-divergence", in_unit("divergence of twins", SEEDS, "matched"), page),
        "any two heads of the layer",
        to_term("n", "n, documents", page),
    )
    note = Note(
        "The last row compares all twins with any two heads. In a layer whose heads all spread their attention evenly, "
        "twins are alike, and so are any two heads. So what counts is how far the first number lies below the second."
    )
    return Section("layers", "Where twins are alike", (table("Divergence of twins by layer", columns, rows), note))


def measures(found: Trainings, page: str) -> Section:
    """Every measure in every training, and how well a head's measure predicts that of its twin."""
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
        "with the layer's mean",
        "difference",
    )
    text = (
        f"For {len(better)} of {len(rows)} measures a head's twin surely tells more than its layer does: the "
        "correlation of a head with its twin is higher than that with the mean of its layer in the other training."
    )
    note = Note(
        "A mean is over all heads of a training, its interval over documents. Correlations are over the heads of any "
        "two trainings; their intervals resample documents and heads, and are rather too wide. A dash stands where all "
        "heads have the same value, or where the measure is not defined for some head."
    )
    return Section("measures", "Which measures come back", (text, table("Measures by training", columns, rows), note))


def steps(found: Trainings) -> Section | None:
    """Losses and attention during training, from the logs of the runs; None without logs."""
    views = [view for key, (label, unit) in LOGGED.items() if (view := _view(found, key, label, unit)).curves]
    if not views:
        return None
    ends = sorted({int(row["step"]) for view in views for rows in view.curves.values() for row in rows})
    few = f" The first {DRAWN} trainings are drawn." if len(found.names) > DRAWN else ""
    caption = (
        "From the logs of the runs, on held-out text, from which every seed draws its own inputs. Attention is that of "
        "the head that gives the target most, as a multiple of uniform attention. A log has only means, so there are "
        f"no intervals.{few}"
    )
    figure = numbers_figure(ends, "on-the-way", views, caption)
    note = Note(
        f"The first logged step at which some head gives the target more than {BEYOND:g} times uniform attention; "
        "below it, the multiple that the highest head reaches at the end. It may fall back on the way. A run measures "
        "its heads only now and then, so two different steps may stand for the same moment."
    )
    columns: Cells = ("attention to", *(Name(name) for name in found.names))
    rows: list[Cells] = [(words, *_came(found, target)) for target, words in TARGETS.items()]
    came = table("When a head first attended to each target", columns, rows)
    return Section("order", "When a head first attended to each target", (came, note, figure))


def _view(found: Trainings, key: str, label: str, unit: str) -> View:
    logged = {name: found.logged.get(f"{key}.{at}", {}) for at, name in enumerate(found.names[:DRAWN], start=1)}
    curves = {name: [rows[step] for step in sorted(rows)] for name, rows in logged.items() if rows}
    return View(label, unit, curves, {}, f"{label}, as a multiple of uniform attention," if key in TARGETS else "")


def _came(found: Trainings, target: str) -> Iterator[Cell]:
    """For each training, the step at which a head first attended to the target, and how much one does at the end.

    A training without a log gets a dash.
    """
    for at in range(1, len(found.names) + 1):
        rows, first = found.logged.get(f"{target}.{at}"), found.log.get(f"came.{target}.{at}")
        if not rows:
            yield NOTHING
        else:
            last = rows[max(rows)]["value"]
            fell = "fell back to " if first and last <= BEYOND else ""
            note = f"{fell}{number(last)} times at the end"
            yield Cell(f"step {step_text(first['value'])}" if first else "never", note=note)
