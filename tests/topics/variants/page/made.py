"""Invented numbers of four objectives, some of whose differences count: up, down and not."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from generator.corpora import files
from generator.corpora.treebank import TREEBANK
from generator.pages.heads.atlas import Atlas
from generator.results.manifest import OTHERWISE
from generator.results.store import find
from generator.results.writing import write
from generator.studies.fact_rows import stored_rows
from generator.topics.learning.records.runs import HELD_OUT_TEXT
from generator.topics.variants.page.data import WORDS
from generator.topics.variants.records import VARIANTS
from tests.results.samples import corpus_of, manifest, tables
from tests.site.hostile import NAME

TREES = "trees {{ 7*7 }}"
NAMES = ("bert", NAME, "unmasked", "unsegmented")
BASE = {"to_mask": 0.8, "to_random": 0.1, "segments": True}
SETTINGS: tuple[Mapping[str, Any], ...] = (
    BASE,
    BASE | {"to_mask": 1.0, "to_random": 0.0},
    BASE | {"to_mask": 0.0, "to_random": 0.5},
    BASE | {"segments": False},
)
VALUES = dict.fromkeys(WORDS, (0.5, 0.2, 0.62, 0.45))
"""Number -> its value in each variant: less, more, and too little to count."""
COUNTING = (1, 1, 0)
APART = 0.1
BASELINES = {"masked.frequency": 0.65, "next.commonest": 0.51, "classes.type": 0.7, "classes.random": 0.3}


def stored(place: Path, own: bool = True, seeds: int = 2) -> Atlas:
    """A model's results with trainings of these objectives, the rows in no order."""
    known = manifest()
    write(place, known, tables())
    record = manifest(
        corpora=(corpus_of(files.TEXT, HELD_OUT_TEXT), corpus_of(TREEBANK, TREES, language="en")),
        experiment="variants",
        settings={"variants": [_told(at, own, seeds) for at in range(len(NAMES))], OTHERWISE: "One more."},
        command="fieldguide variants a b",
    )
    rows = [row for name, values in VALUES.items() for row in _rows(name, values, seeds)]
    rows += [(name, value, value - 0.01, value + 0.01, 90) for name, value in BASELINES.items()]
    rows.append(("tokens", 800.0, 800.0, 800.0, 90))
    table = pd.DataFrame(rows, columns=["name", "value", "low", "high", "n"]).assign(layer=0)
    of_bank = table["name"].str.startswith("classes")
    parts = [
        stored_rows(some, VARIANTS, "Tiny", corpus)
        for some, corpus in ((table[of_bank], TREES), (table[~of_bank], HELD_OUT_TEXT))
    ]
    write(place, record, {"facts": pd.concat(parts).sample(frac=1, random_state=0).reset_index(drop=True)})
    (results,) = find([place])
    return Atlas(results)


def _told(at: int, own: bool, seeds: int) -> dict[str, Any]:
    trainings = [
        {"name": f"{NAMES[at]}-{seed}", "weights": f"{seed + 2 * at + (not own)}" * 64, "seed": seed}
        for seed in range(seeds)
    ]
    return {"name": NAMES[at], "settings": dict(SETTINGS[at]), "trainings": trainings}


def _rows(name: str, values: tuple[float, ...], seeds: int) -> list[tuple[str, float, float, float, int]]:
    found = []
    for at, value in enumerate(values, start=1):
        found.append((f"{name}.{at}", value, value - 0.02, value + 0.02, 90))
        for seed in range(1, seeds + 1):
            found.append((f"{name}.{at}.{seed}", value + seed / 100, value - 0.03, value + 0.05, 90))
        if at > 1:
            change = value - values[0]
            found.append((f"{name}.{at}.minus", change, change - 0.03, change + 0.03, 90))
            if seeds > 1:
                found.append((f"{name}.{at}.counts", COUNTING[at - 2], np.nan, np.nan, 4))
    if seeds > 1:
        found.append((f"{name}.apart", APART, np.nan, np.nan, 4))
    return found
