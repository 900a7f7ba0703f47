"""Sections on coreference: what the best head finds of what mentions refer to, beside rules."""

import math
from collections.abc import Iterator
from typing import Any

import pandas as pd

from generator.pages.blocks import Note, Section, Table
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell, Link, Name
from generator.pages.links import to_head, to_term
from generator.pages.studies.tables import NOTHING, corpora, measured, table, title
from generator.results.tables import records
from generator.topics.mentions.corpus.mentions import MENTIONS
from generator.topics.mentions.records import BEST, CHANCE, GAIN

KINDS = {"all": "all", "pronoun": "pronouns", "proper": "names", "nominal": "other nouns"}


PREDICTORS = {
    "head": "best head",
    "nearest": "nearest mention",
    "nearest agreeing": "nearest that agrees",
    "head match": "same head word",
    "rules": "four rules in order",
    CHANCE: "a candidate drawn at random",
    BEST: "the best of these without the four rules, by kind",
}


BY_CANDIDATES = ("head", CHANCE, BEST)
"""Predictors that choose among the candidates; rules choose among mentions."""


CANDIDATES = {"words": "among all words before", "mentions": "among head words of mentions before"}


def coreference(atlas: Atlas, page: str) -> Iterator[Section]:
    """One section for each corpus of linked mentions."""
    rows = atlas.results.table("antecedents")
    for place, corpus in enumerate(corpora(rows, atlas.results.manifest.of(MENTIONS)), start=1):
        yield Section(
            f"coreference-{place}",
            ("Coreference in ", Name(title(corpus))),
            (
                _read(atlas, corpus),
                _antecedents(atlas, corpus, rows[rows["corpus"] == corpus], page),
                Note(
                    "A head is right where the candidate that the mention's head word attends to most is the head word "
                    "of one of its antecedents. One head is chosen for all kinds together, on one half of the "
                    "documents or, as in the paper, on all; intervals resample documents. The paper does not say among "
                    "which words a head chooses, so two sets of candidates are shown; rules always choose among "
                    "mentions. Below each baseline stands by how much the head is better on the same mentions. A rule "
                    "is called impossible where no mention of the kind can satisfy it."
                ),
            ),
        )


def _read(atlas: Atlas, corpus: str) -> str:
    counts = atlas.results.manifest.counts.get(corpus, {})
    return (
        f"The start of {counts.get('documents', 0):,} documents, {counts.get('words', 0):,} words in all, with "
        f"{counts.get('mentions', 0):,} mentions that have an antecedent."
    )


def _antecedents(atlas: Atlas, corpus: str, rows: pd.DataFrame, page: str) -> Table:
    columns: tuple[Link | str, ...] = (
        "predictor",
        "candidates",
        to_term("held-out-half", "protocol", page),
        *(to_term("antecedent-selection-accuracy", text, page) for text in KINDS.values()),
    )
    return table(f"Antecedents in {corpus}", columns, _predictors(atlas, rows, page))


def _predictors(atlas: Atlas, rows: pd.DataFrame, page: str) -> Iterator[tuple[Cell, ...]]:
    """The head, then every baseline followed by the head's gain over it."""
    for protocol, of_protocol in rows.groupby("protocol", sort=True):
        for predictor, text in PREDICTORS.items():
            for candidates in CANDIDATES if predictor in BY_CANDIDATES else ("mentions",):
                chosen = of_protocol[of_protocol["candidates"] == candidates]
                name = Cell(text)
                if predictor == "head":
                    of_head = chosen[chosen["predictor"] == predictor]
                    name = _best(atlas, of_head, page) if len(of_head) else name
                yield from _kinds(chosen, predictor, name, candidates, str(protocol))
                yield from _kinds(chosen, GAIN + predictor, Cell("gain of the head"), candidates, str(protocol))


def _best(atlas: Atlas, rows: pd.DataFrame, page: str) -> Cell:
    link = to_head(atlas.slug, int(rows["layer"].iloc[0]), int(rows["head"].iloc[0]), page)
    return Cell(f"head {link.text}", link.href)


def _kinds(
    rows: pd.DataFrame, predictor: str, name: Cell, candidates: str, protocol: str
) -> Iterator[tuple[Cell, ...]]:
    """The row of a predictor, with a column for each kind of mention; no row if nothing is stored."""
    kinds = {row["kind"]: row for row in records(rows[rows["predictor"] == predictor])}
    if kinds:
        cells = (_kind(kinds[kind]) if kind in kinds else NOTHING for kind in KINDS)
        yield name, Cell(CANDIDATES[candidates]), Cell(protocol), *cells


def _kind(row: dict[str, Any]) -> Cell:
    if row["n"] and math.isnan(row["value"]):
        return Cell("-", note=f"impossible, n {row['n']}")
    found = measured(row)
    return Cell(found.text, note=f"{found.note}, n {row['n']}" if found.note else f"n {row['n']}")
