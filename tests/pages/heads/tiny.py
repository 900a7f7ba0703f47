"""Stored results of two layers of three heads, made for a test."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from generator.claims.gate.maps import FEWEST
from generator.corpora import files
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.studies import CLASSES
from generator.results.store import Results
from generator.results.tables import TABLES
from generator.results.writing import write
from tests.results.samples import corpus_of, documents_of, manifest

LAYERS, HEADS = 2, 3
PLACES = [(layer, head) for layer in range(1, LAYERS + 1) for head in range(1, HEADS + 1)]
TEXT, SECOND = "texts", "further"
SMALL, LARGE = "a small treebank", "the large treebank"
EVEN = (0.25, 0.25, 0.25, 0.25)
Shares = Mapping[tuple[int, int], tuple[float, ...]]
Rows = list[dict[str, Any]]


def atlas_of(place: Path, weight: Shares | None = None, norms: Shares | None = None, **studies: Rows) -> Atlas:
    """Stored results of two layers of three heads: shares of the four classes, even where none is given."""
    rows = [
        {"corpus": TEXT, "measure": f"{kind}.{name}", "layer": layer, "head": head, "n": FEWEST, "uniform": 0.1}
        | dict.fromkeys(("value", "low", "high"), shares.get((layer, head), EVEN)[at])
        for kind, shares in (("attention", weight or {}), ("norm", norms or {}))
        for at, (_, name) in enumerate(CLASSES)
        for layer, head in PLACES
    ]
    entropy = {
        "corpus": TEXT,
        "measure": "entropy.all",
        "n": FEWEST,
        "uniform": 4.0,
        "value": 1.0,
        "low": 1.0,
        "high": 1.0,
    }
    rows += [entropy | {"layer": layer, "head": head} for layer, head in PLACES]
    heads = pd.DataFrame(rows).assign(model="Tiny")
    layers = heads.drop_duplicates(["measure", "layer"])
    filled = {name: pd.DataFrame(table) for name, table in studies.items() if table}
    tables = {"examples": TABLES["examples"].empty_table().to_pandas()} | documents_of(TEXT, FEWEST, LAYERS, HEADS)
    tables |= {"heads": heads, "layers": layers} | filled
    read = tuple(corpus_of(files.TEXT, name, documents=FEWEST) for name in (TEXT, SECOND))
    record = manifest(layers=LAYERS, heads=HEADS, corpora=read)
    return Atlas(Results.open(write(place, record, tables)))


def fact(study: str, name: str, place: tuple[int, int], value: float, corpus: str = TEXT) -> dict:
    of = {"model": "Tiny", "corpus": corpus, "study": study, "name": name, "n": 40}
    return of | {
        "layer": place[0],
        "head": place[1],
        "value": value,
        "low": min(value, max(value - 0.1, 0)),
        "high": value + 0.1,
    }
