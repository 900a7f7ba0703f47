"""Sections of the page on relations that are not about one relation: all words, and whole trees."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from generator.corpora.relation_names import ALL, DIRECTION_IN_WORDS
from generator.numbers.writing import number
from generator.pages.blocks import Note, Section
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell, Cells
from generator.pages.links import to_head, to_term
from generator.pages.studies.tables import NOTHING, by_name, count, measured, stored, table
from generator.results.tables import records
from generator.topics.relations.derived.tried import accuracies
from generator.topics.relations.records.trees import TREES

RIGHT_BRANCHING = 1
"""The fixed offset that always names the next word."""


def head_cell(atlas: Atlas, row: Mapping[str, Any], page: str) -> Cell:
    """The head of a row, and the direction in which its attention is read."""
    link = to_head(atlas.slug, row["layer"], row["head"], page)
    return Cell(link.text, link.href, DIRECTION_IN_WORDS[row["direction"]])


def twin_cell(row: Mapping[str, Any]) -> Cell:
    """The mean over the untrained twins, and below it the lowest and the highest."""
    return measured(row, "twin", "twin_low", "twin_high")


def words(atlas: Atlas, corpus: str, anchor: str, rows: pd.DataFrame, page: str) -> Section:
    """All words together: the unlabelled attachment score."""
    of_all = {row["protocol"]: row for row in records(rows[rows["relation"] == ALL])}
    lines: list[Cells] = []
    for protocol, row in of_all.items():
        head = head_cell(atlas, row, page)
        gain = measured(row, "gain", "gain_low", "gain_high")
        lines += [
            (Cell("best head", note=protocol), head, measured(row), count(row["n"])),
            (Cell("its gain", note=protocol), NOTHING, gain, count(row["n"])),
            (Cell("best fixed offset", note=protocol), *_at_offset(row), count(row["n"])),
        ]
        if not math.isnan(row["twin"]):
            twins = Cell("best heads of the untrained twins", note=protocol)
            lines.append((twins, NOTHING, twin_cell(row), count(row["n"])))
    lines += _right_branching(atlas, corpus)
    columns = ("predictor", "head or offset", to_term("uas", "UAS", page), to_term("n", "n, words", page))
    note = Note(
        "The root of a sentence can never be right. Right-branching always names the next word; it is counted over all "
        "sentences and has no interval."
    )
    found = table(f"All words of {corpus}", columns, lines)
    return Section(f"{anchor}-words", "All words", (found, note), level=3)


def _at_offset(row: Mapping[str, Any]) -> tuple[Cell, Cell]:
    return Cell(f"{row['offset']:+d}"), measured(row, "baseline", "baseline_low", "baseline_high")


def _right_branching(atlas: Atlas, corpus: str) -> Iterator[tuple[Cell, ...]]:
    rows = stored(atlas, "relation_baselines", corpus=corpus, relation=ALL, offset=RIGHT_BRANCHING)
    for row, accuracy in zip(records(rows), accuracies(rows), strict=True):
        share = Cell(number(accuracy))
        yield Cell("right-branching", note="all sentences"), Cell(f"{RIGHT_BRANCHING:+d}"), share, count(row["n"])


def trees(atlas: Atlas, corpus: str, anchor: str, page: str) -> Section | None:
    """The head whose maximum spanning trees hold most gold links, against the adjacent chain; None if nothing is
    stored.
    """
    facts = by_name(stored(atlas, "facts", corpus=corpus, study=TREES), TREES)
    if not facts:
        return None
    rows = [
        (Cell(text, note=how), measured(facts[name]), count(facts[name]["n"]))
        for text, how, name in (
            ("best head", "held-out", "uuas.best"),
            ("its gain over the adjacent chain", "held-out", "uuas.best.gain"),
            ("best head, edges to attended words", "held-out", "uuas.to_dependents.best"),
            ("its gain over the adjacent chain", "held-out", "uuas.to_dependents.best.gain"),
            ("adjacent chain", "all sentences", "uuas.adjacent"),
        )
        if name in facts
    ]
    heads = stored(atlas, "head_facts", corpus=corpus, study=TREES, name="uuas").dropna(subset="value")
    for row in records(heads.sort_values("value", ascending=False, kind="stable").head(1)):
        link = to_head(atlas.slug, row["layer"], row["head"], page)
        rows.append((Cell(f"head {link.text}", link.href, "highest on all sentences"), measured(row), count(row["n"])))
    columns = ("predictor", to_term("uuas", "UUAS", page), to_term("n", "n, links", page))
    note = Note(
        "The tree of a head is the maximum spanning tree of its map, rooted at the root of the treebank; a link is "
        "found whichever end is the head word. The weight of an edge is how much the dependent attends to the head "
        "word; for edges to attended words, which the paper has, it is how much the head word attends to the "
        "dependent. The chain links every word to the next."
    )
    found = table(f"Trees of {corpus}", columns, rows)
    return Section(f"{anchor}-trees", "Whole trees", (found, note), level=3)
