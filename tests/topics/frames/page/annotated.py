"""Invented numbers of kinds of words, links and frames, and what a reader finds of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from generator.corpora import treebank
from generator.corpora.files import TEXT
from generator.measures import COLUMNS
from generator.numbers.writing import interval
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell
from generator.results.store import Results
from generator.results.tables import TABLES
from generator.results.writing import write
from generator.topics.frames.corpus import frames
from tests.pages.reading import alone
from tests.results.samples import corpus_of, documents_of, manifest

LAYERS, HEADS = 2, 5
PLACES = [(layer, head) for layer in range(1, LAYERS + 1) for head in range(1, HEADS + 1)]
HOSTILE = '"><img src=x onerror=alert(1)> {{ 7*7 }} <b>&amp;'
TREEBANK, OTHER, TEXTS, FRAMES = HOSTILE, "other trees", "texts <i>", "roles <b>"
KINDS = {
    "noun": "nouns",
    "verb": "verbs",
    "pronoun": "pronouns",
    "subject": "subjects",
    "object": "objects",
    "punctuation": "punctuation",
    "begin": "[CLS]",
    "separator": "[SEP]",
}
"""Negation stands in no sentence here."""
SPECIAL = ("begin", "separator")
SCORES = ("max", "mean", "begin_row")
LINKS = {"Nouns and pronouns": "link.noun_pronoun", "Verbs and their subjects": "link.verb_subject"}
MATCHING = ("same", "matched", "matched.gain", "other", "gain")
FRAME_TABLES = [
    (prefix, direction) for prefix in ("", "paper.") for direction in ("element_to_target", "target_to_element")
]
Rows = list[dict[str, Any]]


def atlas_of(place: Path, tables: Mapping[str, Rows]) -> Atlas:
    """Stored results of two layers of five heads, rows in any order."""
    rng = np.random.default_rng(11)
    heads = pd.DataFrame(
        {"corpus": TEXTS, "measure": column, "layer": layer, "head": head, "n": 9, "uniform": 0.1, "model": "Tiny"}
        | {"value": (value := rng.uniform(0.1, 0.4)), "low": value - 0.05, "high": value + 0.06}
        for column in COLUMNS
        for layer, head in PLACES
    )
    filled = {
        name: pd.DataFrame(rows).sample(frac=1, random_state=0).reindex(columns=TABLES[name].names)
        for name, rows in tables.items()
        if rows
    }
    whole = {"examples": TABLES["examples"].empty_table().to_pandas()} | documents_of(TEXTS, 9, LAYERS, HEADS)
    whole |= {"heads": heads, "layers": heads.drop_duplicates(["measure", "layer"])} | filled
    record = manifest(
        layers=LAYERS,
        heads=HEADS,
        corpora=(
            corpus_of(TEXT, TEXTS, documents=9),
            corpus_of(treebank.TREEBANK, TREEBANK, sentences=1234, words=56789),
            corpus_of(treebank.TREEBANK, OTHER),
            corpus_of(frames.FRAMES, FRAMES),
        ),
    )
    return Atlas(Results.open(write(place, record, whole)))


def one(rows: Rows, **chosen: Any) -> dict[str, Any]:
    """The only row with these values."""
    found = [row for row in rows if all(row.get(name) == value for name, value in chosen.items())]
    assert len(found) == 1, chosen
    return found[0]


def shows(cell: Cell, row: Mapping[str, Any]) -> bool:
    """Whether a cell has the row's number and interval."""
    return (cell.text, cell.note) == (alone(row), interval(row["low"], row["high"], value=row["value"]))


def highest(rows: Rows, top: int, **chosen: Any) -> Rows:
    """The rows of these values with the largest numbers."""
    found = [row for row in rows if all(row.get(name) == value for name, value in chosen.items())]
    return sorted(found, key=lambda row: -row["value"])[:top]


def is_head(cell: Cell, row: Mapping[str, Any]) -> bool:
    """Whether a cell leads to the row's head."""
    name = f"{row['layer']}-{row['head']}"
    return (cell.text, cell.href) == (name, f"../heads/{name}/")
