"""Sections of the page on features and frames about frames: which heads link elements to targets, beyond distance."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from generator.claims.published import published
from generator.numbers.quantity import Named
from generator.numbers.writing import number
from generator.pages.blocks import Note, Section, Table
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell, Name
from generator.pages.links import to_term
from generator.pages.studies.tables import (
    NOTHING,
    by_name,
    corpora,
    count,
    measured,
    of_name,
    printed,
    stored,
    table,
    title,
)
from generator.topics.frames.corpus.frames import FILTERS, FRAMES
from generator.topics.frames.page.tables import head_entry, head_rows, strongest
from generator.topics.frames.records import DIRECTIONS, FRAME, PERCENTILE

DIRECTION = dict(zip(DIRECTIONS, ("element to target", "target to element"), strict=True))
"""Direction of a link -> what it means, from the query word to the key word."""
FILTER = {"": "all frames", "paper.": "the paper's filters"}
FRAME_WORDS = (
    "A frame is a situation, such as buying. Its target is the word that calls it up, and its elements are the parts "
    "of the sentence that fill its roles, such as the buyer."
)
PAPER = "paper.element_to_target"
"""Name of the score that the paper's code computes, on the frames that this code would read."""
PRINTED = (("kovaleva.frames.second", "7-6"), ("kovaleva.frames.first", "1-2"))
"""Keys of published numbers, each with its head of BERT-base, the larger number first."""
PLOTTED = ("7-6", "1-2", "1-9", "1-7", "5-2", "5-1", "1-6", "5-6")
"""The heads of BERT-base in the plot of the paper's notebook, the largest number first."""


def frame_links(atlas: Atlas, page: str) -> Iterator[Section]:
    """For each corpus with frames all heads, the best heads, and what the paper reports."""
    rows, facts = (stored(atlas, name, study=FRAME) for name in ("head_facts", "facts"))
    for place, corpus in enumerate(corpora(rows, atlas.results.manifest.of(FRAMES)), start=1):
        own, whole = rows[rows["corpus"] == corpus], by_name(facts[facts["corpus"] == corpus], FRAME)
        known = head_rows(own.dropna(subset="value"), FRAME)
        there = [(prefix, direction) for prefix in FILTERS for direction in DIRECTIONS if prefix + direction in known]
        yield Section(
            f"frames-{place}",
            ("Frames in ", Name(title(corpus))),
            (
                *((FRAME_WORDS,) if place == 1 else ()),
                _frames_read(whole),
                _whole(atlas, corpus, whole, there, page),
                Note(
                    "One head in a hundred has a weight above the percentile. A gain is the weight minus that at the "
                    "same distances. A head counts as having one where its interval, which holds for all heads and "
                    "both directions at once, lies above 0. The best head has the largest gain on one half of the "
                    "sentences; its gain is measured on the other half."
                ),
            ),
        )
        heads = (_framing(atlas, corpus, own, *framing, page) for framing in there)
        note = Note(
            "Weight: the largest between a word of a core element and a word of the target, mean over frames. At the "
            "same distances: the same number after the pair of words is moved, its distance unchanged, to every other "
            "place of its sentence. Intervals of gains are simultaneous, all others hold for their own number alone. "
            "The gain counts only frames that can be moved, and so need not be the difference of the two columns."
        )
        yield Section(f"frames-{place}-heads", "Best heads", (*heads, note), level=3)
        yield in_paper(atlas, corpus, own, f"frames-{place}-published", page)


def _frames_read(facts: Mapping[str, Mapping[str, Any]]) -> str:
    parts = [
        f"{FILTER[prefix]}: {int(row['value']):,} frames in {row['n']:,} sentences"
        for prefix in FILTERS
        if (row := facts.get(f"{prefix}frames"))
    ]
    theirs = published("kovaleva.frames.sentences")
    return "; ".join([*parts, f"in the paper: {number(theirs.value)} sentences ({theirs.place})"]).capitalize() + "."


def _whole(
    atlas: Atlas, corpus: str, facts: Mapping[str, Mapping[str, Any]], there: list[tuple[str, str]], page: str
) -> Table:
    columns = (
        "frames",
        to_term("direction", "direction", page),
        f"{PERCENTILE}th percentile of heads",
        to_term("simultaneous-interval", f"heads of {len(atlas.places)} with a gain", page),
        to_term("n", "n, sentences", page),
        to_term("held-out-half", "held-out best head", page),
        to_term("gain", "its gain", page),
        to_term("n", "n, other half", page),
    )

    def lines() -> Iterator[tuple[Cell, ...]]:
        for prefix, direction in there:
            link = f"{prefix}{direction}."
            of = Named(FRAME, {name.removeprefix(link): row for name, row in facts.items()}, link)
            top, above, gain = of.get(f"percentile{PERCENTILE}"), of.get("above"), of.get("best.gain")
            best: tuple[Cell, ...] = (NOTHING, NOTHING, NOTHING)
            if gain:
                place = {part: int(of[f"best.{part}"]["value"]) for part in ("layer", "head")}
                best = head_entry(atlas, place, page), measured(gain), count(gain["n"])
            shown = count(above["value"]) if above else NOTHING
            n = count(top["n"]) if top else NOTHING
            yield Cell(FILTER[prefix]), Cell(DIRECTION[direction]), measured(top), shown, n, *best

    return table(f"Frame links of {corpus}, all heads", columns, lines())


def _framing(atlas: Atlas, corpus: str, rows: pd.DataFrame, prefix: str, direction: str, page: str) -> Table:
    found, name = head_rows(rows, FRAME), prefix + direction
    columns = (
        to_term("direction", f"head, {DIRECTION[direction]}, {FILTER[prefix]}", page),
        "weight",
        to_term("n", "n, sentences", page),
        "at the same distances",
        to_term("gain", "gain", page),
        to_term("n", "n, sentences that can be moved", page),
    )

    def lines() -> Iterator[tuple[Cell, ...]]:
        for row in strongest(of_name(rows, FRAME, name)):
            place = row["layer"], row["head"]
            matched, gain, family = (
                found.get(f"{name}.{end}", {}).get(place) for end in ("matched", "gain", "gain.family")
            )
            moved = count(matched["n"]) if matched else NOTHING
            yield (
                head_entry(atlas, row, page),
                measured(row),
                count(row["n"]),
                measured(matched),
                measured(family or gain),
                moved,
            )

    return table(
        f"Heads with the largest weight, {DIRECTION[direction]}, {FILTER[prefix]}, in {corpus}", columns, lines()
    )


def in_paper(atlas: Atlas, corpus: str, rows: pd.DataFrame, anchor: str, page: str) -> Section:
    """The published weights, rank by rank, beside those of this model."""
    ours = strongest(of_name(rows, FRAME, PAPER), len(PLOTTED))
    plotted = tuple((f"kovaleva.frames_plot.head{head}", head) for head in PLOTTED)

    def lines() -> Iterator[tuple[Cell, ...]]:
        for group in (PRINTED, plotted):
            for rank, (key, head) in enumerate(group):
                paper = published(key)
                cell = printed(paper, "kovaleva2019", page)
                here: tuple[Cell, ...] = (NOTHING, NOTHING, NOTHING)
                if rank < len(ours):
                    here = head_entry(atlas, ours[rank], page), measured(ours[rank]), count(ours[rank]["n"])
                yield Cell(str(rank + 1)), Cell(head), cell, Cell(paper.place), *here

    columns = (
        to_term("rank", "rank", page),
        "head of BERT-base",
        "published weight",
        "where",
        "head of that rank here",
        "its weight",
        to_term("n", "n, sentences", page),
    )
    found = table(f"Published frame links beside those of {corpus}", columns, lines())
    note = Note(
        "The paper has no distance baseline: it compares heads with other heads, not with other words at the same "
        "distance. So its weights stand beside our weights, and not beside gains. They are of pre-trained BERT-base on "
        "FrameNet 1.7, from element to target. Heads of the same rank are not the same heads, and frames and elements "
        "differ where another corpus is read."
    )
    return Section(anchor, "What the paper reports", (found, note), level=3)
