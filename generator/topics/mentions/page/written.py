"""What hand-written pages say of spans whose start and end are chosen independently."""

from collections.abc import Mapping
from typing import Any

from generator.numbers.number import Number
from generator.numbers.writing import number, written
from generator.pages.heads.atlas import Atlas
from generator.pages.links import to_model
from generator.pages.studies.tables import by_name, stored
from generator.pages.written.context import Context, Written
from generator.pages.written.in_markdown import anchor, table
from generator.topics.mentions.records import SPANS

UNTRAINED = "No model of this guide was trained to mark spans."
NONE = "-"
TOLD: Mapping[str, str] = {
    "crossed": "end before start",
    "crossed.null": "end before start, with the end of another passage",
    "crossed.random": "end before start, random heads before training",
    "exact.independent": "name found, start and end chosen apart",
    "exact.pair": "name found, as the best pair in the right order",
    "exact.mended": "the same, where the end came before the start",
    "exact.uncrossed": "the same, elsewhere",
    "exact.nearest": "name found, by the rule: the nearest name before the pronoun",
    "exact.given": "name found, by the rule: the nearer of the two that GAP asks about",
}
"""Number -> the name of its row."""
Facts = Mapping[str, Mapping[str, Any]]


def spans(context: Context, /) -> str:
    """How often ends come before starts, and what that costs, as a table with a column for each model that was trained
    to mark spans, and what was read; one sentence if there is none.
    """
    found = {atlas.slug: (atlas, facts) for atlas in context.atlases if (facts := _facts(atlas))}
    if not found:
        return UNTRAINED
    models = (to_model(slug, atlas.results.manifest.model, context.page) for slug, (atlas, _) in found.items())
    every = [facts for _, facts in found.values()]
    rows = [(words, *(_told(facts, name) for facts in every)) for name, words in TOLD.items()]
    rows.append(("passages, and seeds", *(_counts(facts) for facts in every)))
    return table(["share of passages", *map(anchor, models)], rows)


def _facts(atlas: Atlas) -> Facts:
    return by_name(stored(atlas, "facts", study=SPANS), SPANS)


def _told(facts: Facts, name: str) -> str:
    return written(Number.of(facts[name])) if name in facts else NONE


def _counts(facts: Facts) -> str:
    seeds = sum(name.startswith("crossed.seed") for name in facts)
    return f"{number(facts['crossed']['n'])}, {seeds}"


WRITTEN = Written({"spans": spans})
