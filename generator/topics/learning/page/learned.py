"""What a model as a whole has learned, checkpoint by checkpoint: losses, contextuality, weights, changed inputs."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.claims.bounds import cutoff
from generator.numbers.number import Number
from generator.numbers.quantity import Study
from generator.numbers.writing import number, pieces
from generator.pages.blocks import Section, Table, present
from generator.pages.inline import Cells
from generator.pages.links import to_term
from generator.pages.studies.tables import NOTHING, count, measured, table, with_interval
from generator.topics.learning.charts.series import CONTEXT_SERIES
from generator.topics.learning.derived.intervals import accuracy, commoner_answer
from generator.topics.learning.page.data import Course, Row, step_text
from generator.topics.learning.page.figures import View, contrast_figure, numbers_figure
from generator.topics.learning.page.strips import TOP, layer_strips, strips_figure, strips_title
from generator.topics.learning.records.curves import FACT, FOLLOWED, KNOWN, TYPES
from generator.topics.learning.records.runs import (
    LEAD,
    TRAINING,
    TRAINING_BASELINE,
    TUNING,
    TUNING_BASELINE,
    WEIGHTS,
    WITHOUT,
)
from generator.topics.tasks.page.words import METRICS, NAMES, spelled

FOLLOWS = "follows"
"""The share of inputs whose second part follows the first, from which the baseline of next-sentence accuracy comes."""
LOSSES: Mapping[str, Mapping[str, str]] = {
    "masked_loss": {"unigram": "unigram_loss", "bigram": "bigram_loss"},
    "masked_accuracy": {},
    "next_loss": {},
    "next_accuracy": {"commoner answer": FOLLOWS},
}
"""Name in the store -> its baselines."""
CONTEXT = dict(zip(("self_similarity", "intra_sentence", "explained_variance"), CONTEXT_SERIES, strict=True))
LEARNED = {"attention": "attention received", "loss": "loss of the hidden token"}
CORRELATIONS = ("spearman", "first.spearman", "held.spearman")
CONTEXTUALITY = "contextuality:"
NO_BASELINES: Mapping[str, Row] = {}
CONTEXT_TEXT = (
    "The more context changes a vector, the lower are self-similarity and explained variance. Self-similarity says how "
    "alike the vectors of one word type are in different sentences, intra-sentence similarity how alike those of one "
    "sentence are, and explained variance what share of a type's variance one vector explains; from each, the number "
    "for random words is subtracted. Layer 0 is what the first layer reads."
)
FINE_TUNED = "fine-tuned"
CAPTION = (
    "Score on the dev examples after fine-tuning from each checkpoint, mean over seeds; bands are 95 % intervals over "
    "examples and, where there are several, over seeds. Dashed: the majority class."
)


def learned(course: Course, page: str) -> Iterator[Section]:
    """A section for each study that has rows."""
    found = present(
        _losses(course),
        _frequency(course, page),
        _context(course),
        _weights(course),
        _contrast(course),
        _tuned(course),
        _changed(course),
    )
    if found:
        yield Section("learned", "What is learned", tuple(filter(None, (_loss_sentence(course),))))
    yield from found


def _loss_sentence(course: Course) -> str:
    """A sentence on how far the loss on hidden tokens came; empty if it is not stored."""
    rows = course.series(TRAINING, "masked_loss")
    if len(rows) < 2:
        return ""
    first, last = rows[0], rows[-1]
    unit = TRAINING.quantity("masked_loss").unit
    return (
        f"The loss of {course.atlas.results.manifest.model} on hidden tokens went from {number(first['value'])} {unit} "
        f"at step {step_text(first['step'])} to {number(last['value'])} at step {step_text(last['step'])}."
    )


def longer_than_read(settings: Mapping[str, Any]) -> str:
    """A warning if the first steps read shorter inputs than those on which every checkpoint is evaluated."""
    began = short_at_first(settings)
    return began and (
        f"{began}. It is always evaluated on inputs of up to {settings['training']['max_tokens']}: until then both "
        "tasks may look harder than they were, and losses that fall right after that step may be those of positions it "
        "had not seen."
    )


def short_at_first(settings: Mapping[str, Any]) -> str:
    """Until when a training read shorter inputs, and how short ones; empty if it never did."""
    training = settings.get("training", {})
    if not training.get("first_steps") or training["first_tokens"] >= training["max_tokens"]:
        return ""
    return (
        f"Up to step {step_text(training['first_steps'])} it read inputs of at most {training['first_tokens']} tokens"
    )


def next_sentence(course: Course) -> str:
    """A sentence on how well next-sentence prediction was learned; empty if it was not trained."""
    rows, baseline = course.series(TRAINING, "next_accuracy"), _baseline(course, FOLLOWS)
    if not rows:
        return ""
    found = _share(rows[-1])
    chance = baseline["value"] if baseline else math.nan
    value, ends = pieces(found, against=(chance,) if baseline else ())
    model = course.atlas.results.manifest.model
    reached = f"The next-sentence accuracy of {model} is {value} on {found.n:,} inputs (95 % interval {ends})"
    if not baseline:
        return f"{reached}."
    above = "above" if found.low > chance else "not above"
    text = number(chance, against=found[1:3])
    return f"{reached}, {above} chance: always giving the commoner answer would reach {text}."


def _share(row: Row) -> Number:
    return accuracy(float(row["value"]), int(row["n"]))


def _baseline(course: Course, name: str) -> Row | None:
    """What guessing reaches, from the last row of a stored baseline; None if it is not stored."""
    rows = course.series(TRAINING_BASELINE, name)
    if not rows or name != FOLLOWS:
        return rows[-1] if rows else None
    return {**rows[-1], **commoner_answer(Number.of(rows[-1]))._asdict()}


def _losses(course: Course) -> Section | None:
    views = []
    for name, baselines in LOSSES.items():
        rows = [_with_interval(row) if name == "next_accuracy" else row for row in course.series(TRAINING, name)]
        if rows:
            found = {label: row for label, key in baselines.items() if (row := _baseline(course, key))}
            views.append(_view(TRAINING, name, rows, found))
    if not views:
        return None
    caption = (
        "On text that was not trained on; n counts hidden tokens or inputs. Dashed lines are what one would reach by "
        "guessing from the frequency of each token, by guessing from the token before, or by always giving the "
        "commoner answer. Bands are Wilson's 95 % intervals; losses and accuracies on tokens have none."
    )
    title = "The two tasks of pre-training" if course.series(TRAINING, "next_loss") else "The task of pre-training"
    figure = numbers_figure(course.steps, "training", views, caption)
    texts = filter(None, (next_sentence(course), longer_than_read(course.settings)))
    return Section("losses", title, (*texts, figure), level=3)


def _with_interval(row: Row) -> Row:
    found = _share(row)
    return {**row, "low": found.low, "high": found.high}


def _frequency(course: Course, page: str) -> Section | None:
    rows: list[Cells] = []
    for kind, text in LEARNED.items():
        found = [course.series(TYPES, f"{kind}.{name}") for name in (*CORRELATIONS, "undone")]
        if found[0]:
            *three, undone = (series[-1] if series else None for series in found)
            lost = count(undone["value"]) if undone else NOTHING
            rows.append((text, *map(measured, three), lost, count(found[0][-1]["n"])))
    if not rows:
        return None
    columns = (
        "learned",
        to_term("spearmans-correlation", "correlation with frequency", page),
        "the same by the first step, all types",
        "by the step from which the change is kept, all types",
        "types left out",
        "n, token types",
    )
    text = (
        "A type of token counts as learned at the first step at which it has made 0.9 of its final change. The first "
        "column is the rank correlation, over types, of this step with frequency: below 0, frequent types are learned "
        "earlier. It leaves out types that lost the change again. The next two columns keep all types: one takes the "
        "first such step, the other the step from which the change is kept. The curves of rare types are noisier. In "
        "simulations this noise alone moves the column of the first step above 0 and that of the kept change below 0, "
        f"both by 0.2 and more, and the column without lost types by up to {cutoff('by-noise'):g}. So a sign means "
        "much only where the two columns of all types agree. Intervals resample types."
    )
    blocks = (text, table("Frequency against the step of learning", columns, rows), *_at_end(course, page))
    return Section("frequency", "Are frequent tokens learned earlier?", blocks, level=3)


def _at_end(course: Course, page: str) -> Iterator[str | Table]:
    """Whether frequent types are known better at the end; nothing where the training text was not counted."""
    found = {name: course.series(TYPES, f"end.{name}") for name in KNOWN.values}
    rows = [
        (KNOWN.values[name], measured(series[-1]), count(series[-1]["n"])) for name, series in found.items() if series
    ]
    if not rows:
        return
    yield (
        "At the end, types are compared by how often they stand in the training text, with their length and whether "
        "they continue a word held fixed. A unigram model, which only counts, has -1 for its loss and gains nothing on "
        "any type. Rare types have more nats to gain; a model that gains as many on every type saves a larger share of "
        "frequent ones."
    )
    columns = ("at the end", to_term("spearmans-correlation", "correlation with frequency", page), "n, token types")
    yield table("Frequency and how well types are known", columns, rows)


def _context(course: Course) -> Section | None:
    found = {
        text: grid
        for name, text in CONTEXT.items()
        if (grid := course.layers(FACT, f"{CONTEXTUALITY}{name}.adjusted", first=0)) is not None
    }
    strips = layer_strips(course, found, first=0)
    if not strips:
        return None
    figure = strips_figure(
        course,
        name="contextuality",
        label=strips_title(course, strips, "all layers and numbers", "{}", share=False),
        kind="curve-context",
        found=strips,
        caption=f"One strip per layer, from 0 at its bottom to {TOP}. Bands are 95 % intervals over types or "
        "documents.",
        constants={"unit": "cosine, or share of variance"},
    )
    return Section("context", "How much context changes a vector", (CONTEXT_TEXT, figure), level=3)


def _weights(course: Course) -> Section | None:
    rows = course.series(WEIGHTS, "distance")
    if not rows:
        return None
    views = [
        View(
            "Distance of the weights from the first checkpoint",
            WEIGHTS.quantity("distance").unit,
            {"distance": rows},
            {},
        )
    ]
    last = rows[-1]
    text = (
        f"By step {step_text(last['step'])} all weights together have moved from the first checkpoint by "
        f"{number(last['value'])} times their length there."
    )
    caption = (
        "Euclidean distance of all weights from those of the first checkpoint, as a ratio to the length of these; it "
        "is exact and has no interval."
    )
    figure = numbers_figure(course.steps, "distance", views, caption)
    return Section("weights", "How far the weights have moved", (text, figure), level=3)


def _contrast(course: Course) -> Section | None:
    figure = contrast_figure(course)
    if not figure:
        return None
    text = (
        "A second training leaves next-sentence prediction out and is otherwise the same. Both are compared up to step "
        f"{step_text(course.series(WITHOUT, LEAD)[-1]['step'])} of {step_text(course.steps[-1])}; there is one "
        "training of each."
    )
    return Section("contrast", "What next-sentence prediction does", (text, figure), level=3)


def _changed(course: Course) -> Section | None:
    rows = {name: [row for row in course.series(FACT, name) if row["layer"] == 0] for name in sorted(FOLLOWED)}
    views = [
        _view(FOLLOWED[name], name.partition(":")[2], found)
        for name, found in rows.items()
        if found and not name.startswith(CONTEXTUALITY)
    ]
    if not views:
        return None
    caption = "On the text that is read at every checkpoint; bands are 95 % intervals over documents."
    figure = numbers_figure(course.steps, "facts-by-step", views, caption)
    return Section("facts", "What changed inputs do", (figure,), level=3)


def _view(study: Study, name: str, rows: Sequence[Row], baselines: Mapping[str, Row] = NO_BASELINES) -> View:
    """A view of one number, labelled with its own title and unit."""
    record = study.quantity(name)
    return View(record.title, record.unit, {"model": rows}, baselines)


def _tuned(course: Course) -> Section | None:
    """The section on scores after fine-tuning; None where no checkpoint was fine-tuned."""
    by_task = [list(_views(course, task)) for task in course.tasks()]
    views = [view for found in by_task for view in found]
    if not views:
        return None
    text = " ".join(_score_sentence(found[0]) for found in by_task if found)
    figure = numbers_figure(course.steps, "tuning", views, CAPTION)
    return Section("tuned", "What pre-training is worth after fine-tuning", (text, figure), level=3)


def _score_sentence(view: View) -> str:
    """A sentence with the first score, the last score and that of the majority class."""
    first, last = (view.curves[FINE_TUNED][end] for end in (0, -1))
    beside = "".join(f"; the {name} scores {with_interval(row)}" for name, row in view.baselines.items())
    return (
        f"{view.text}, after fine-tuning: {with_interval(first)} when it starts from step {step_text(first['step'])}, "
        f"{with_interval(last)} from step {step_text(last['step'])}{beside} (n {int(last['n']):,} examples)."
    )


def _views(course: Course, task: str) -> Iterator[View]:
    """A view for each metric, the headline first."""
    found: Mapping[str, list[Row]] = {name: course.series(TUNING, name, task) for name in course.names_of(TUNING, task)}
    first = METRICS.get(task)
    for name in sorted(found, key=lambda name: (name.rpartition(".")[2] != first, name)):
        metric = name.rpartition(".")[2]
        baseline = course.series(TUNING_BASELINE, name, task)
        kept = {"majority class": baseline[-1]} if baseline else {}
        of, what = NAMES.get(task, task), spelled(metric)
        phrase = f"After fine-tuning, {what} on {of}"
        yield View(f"{of}, {what}", "score", {FINE_TUNED: found[name]}, kept, phrase)
