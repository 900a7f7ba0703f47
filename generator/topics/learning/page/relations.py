"""Heads that find dependency relations in the course of training, beside the best fixed offset."""

from collections.abc import Sequence

from generator.corpora.relation_names import ALL, with_label
from generator.numbers.number import Number
from generator.numbers.writing import percent
from generator.pages.blocks import Figure, Section
from generator.pages.inline import Cells, Name, prose
from generator.pages.links import head_name, to_head, to_term
from generator.pages.studies.tables import relation_cell, table, title, with_interval
from generator.pages.titles.courses import strips_seen
from generator.topics.learning.charts.series import RELATION_SERIES
from generator.topics.learning.page.data import Course, Row, span_text, step_text
from generator.topics.learning.page.strips import TOP, Strip, strips_figure
from generator.topics.learning.records.curves import RELATION_BASELINE, RELATIONS

DRAWN = 8
"""How many relations get a strip: those with most words."""


def relation_course(course: Course, page: str) -> Section | None:
    """The accuracy of each relation's head and of the best fixed offset, by step; None if no treebank was read."""
    found = [(name, rows) for name in course.names(RELATIONS) if (rows := course.series(RELATIONS, name))]
    if not found:
        return None
    found.sort(key=lambda pair: (-_words(course, *pair), pair[0]))
    columns = (
        "head",
        "relation",
        "first checkpoint",
        "last checkpoint",
        to_term("fixed-offset", "best fixed offset", page),
        "half of the change at step",
        to_term("bootstrap-interval", "95 % interval", page),
        "words",
        to_term("n", "n, sentences", page),
    )
    read = prose(
        "{treebank}. Head and direction were chosen at the last checkpoint on one half of the treebank; accuracies are "
        "those on the other half. At an earlier checkpoint another head may do better.",
        treebank=Name(title(course.corpus(RELATIONS))),
    )
    lines = (_row(course, name, curve, page) for name, curve in found)
    first_and_last = table("Heads of relations, first and last", columns, lines)
    blocks = (read, _figure(course, found[:DRAWN]), first_and_last)
    return Section("relations", "Relations in the course of training", blocks)


def _figure(course: Course, found: Sequence[tuple[str, list[Row]]]) -> Figure:
    return strips_figure(
        course,
        "relation-heads",
        label=_seen(course, found),
        kind="curve-relations",
        found=[_strip(course, name, rows) for name, rows in found],
        caption=(
            f"The {len(found)} relations with most words, a strip for the head of each, from 0 at its bottom to {TOP}: "
            "share of the words whose head word the attention finds. Bands are 95 % intervals over sentences; a fixed "
            "offset does not change with training."
        ),
        constants={"corpus": course.corpus(RELATIONS), "unit": "share"},
        spread=True,
    )


def _seen(course: Course, found: Sequence[tuple[str, list[Row]]]) -> str:
    """The title of the figure: of the heads, that whose accuracy changed most."""
    ends = {}
    for name, rows in found:
        what = f"the accuracy of head {head_name(rows[-1]['layer'], rows[-1]['head'])} on {_words_of(name)}"
        offsets = course.series(RELATION_BASELINE, name)[-1:]
        beside = "".join(f", where the best fixed offset reaches {percent(Number.of(row))}," for row in offsets)
        ends[what + beside] = Number.of(rows[0]), Number.of(rows[-1])
    return strips_seen(f"the {len(found)} relations with most words", ends, share=True)


def _words_of(name: str) -> str:
    return "every word" if name == ALL else with_label(name)


def _strip(course: Course, name: str, rows: list[Row]) -> Strip:
    """A strip with the head's accuracy at every step and that of the offset, which does not change."""
    head, offset = RELATION_SERIES
    curves = {head: {int(row["step"]): Number.of(row) for row in rows}}
    for baseline in course.series(RELATION_BASELINE, name)[-1:]:
        curves[offset] = {step: Number.of(baseline) for step in curves[head]}
    return f"{_words_of(name)}: head {head_name(rows[-1]['layer'], rows[-1]['head'])}", curves


def _words(course: Course, name: str, rows: list[Row]) -> int:
    """How many words the relation has; if no offset was counted, how many sentences have the relation."""
    counted = course.series(RELATION_BASELINE, name)
    return int((counted or rows)[-1]["n"])


def _row(course: Course, name: str, curve: list[Row], page: str) -> Cells:
    last, offsets = curve[-1], course.series(RELATION_BASELINE, name)
    rise = course.rise(RELATIONS, name, last["layer"], last["head"])
    half = (step_text(rise["step"]), span_text(rise["low"], rise["high"])) if rise else ("-", "-")
    ends = (with_interval(curve[0]), with_interval(last), with_interval(offsets[-1]) if offsets else "-")
    counts = (f"{_words(course, name, curve):,}", f"{int(last['n']):,}")
    return to_head(course.atlas.slug, last["layer"], last["head"], page), relation_cell(name), *ends, *half, *counts
