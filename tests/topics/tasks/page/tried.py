"""Invented results of labelled tasks, and what a reader finds of them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from generator.corpora.files import TEXT
from generator.corpora.kinds import TASK
from generator.corpora.tasks import TASKS, find_task
from generator.numbers.number import Number
from generator.numbers.writing import interval, number, pieces
from generator.pages.blocks import Figure, Sections, Table
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.studies import CLASSES
from generator.results.store import Results
from generator.results.tables import TABLES
from generator.results.writing import write
from generator.topics.tasks.derived.verdicts import BETTER, NEEDED, UNSEEN
from tests.pages.reading import block, section
from tests.results.samples import corpus_of, documents_of, manifest

LAYERS, HEADS = 2, 5
PLACES = [(layer, head) for layer in range(1, LAYERS + 1) for head in range(1, HEADS + 1)]
HOSTILE = '"><img src=x onerror=alert(1)> {{ 7*7 }} <b>&amp;'
OTHER = "compare:tiny-rte"
CORPUS = ("rte", "mrpc", "stsb", HOSTILE)
"""Two tasks, a regression, and one that is in no list."""
STARTS = ("pretrained.frozen", "random.fine-tuned", "pretrained.fine-tuned")
WAYS = {"uniform": "made uniform", "zero": "set to zero"}
EXAMPLES = {"rte": 277, "mrpc": 408, "stsb": 1500, HOSTILE: 31}
Rows = list[dict[str, Any]]


def metrics_of(task: str) -> tuple[str, ...]:
    """Names of scores, the headline first."""
    return find_task(task).metrics if task in {one.name for one in TASKS} else ("accuracy",)


def name_of(task: str) -> str:
    """What a page calls a task."""
    return {"rte": "RTE", "mrpc": "MRPC", "stsb": "STS-B"}.get(task, task)


def atlas_of(place: Path, tables: Mapping[str, Rows], seed: int = 0) -> Atlas:
    """Stored results of two layers of five heads, rows in any order."""
    rows = [
        {"corpus": "texts", "measure": f"{kind}.{name}", "layer": layer, "head": head, "n": 9, "uniform": 0.1}
        | dict.fromkeys(("value", "low", "high"), 0.25)
        for kind in ("attention", "norm")
        for _, name in CLASSES
        for layer, head in PLACES
    ]
    entropy = {
        "corpus": "texts",
        "measure": "entropy.all",
        "n": 9,
        "uniform": 4.0,
        "value": 1.0,
        "low": 1.0,
        "high": 1.0,
    }
    rows += [entropy | {"layer": layer, "head": head} for layer, head in PLACES]
    heads = pd.DataFrame(rows).assign(model="Tiny")
    filled = {
        name: pd.DataFrame(table).sample(frac=1, random_state=seed).reindex(columns=TABLES[name].names)
        for name, table in tables.items()
        if table
    }
    whole = {"examples": TABLES["examples"].empty_table().to_pandas()} | documents_of("texts", 9, LAYERS, HEADS)
    whole |= {"heads": heads, "layers": heads.drop_duplicates(["measure", "layer"])} | filled
    tasks = dict.fromkeys(str(row["corpus"]) for row in tables.get("facts", []) if row["corpus"] != "texts")
    read = (corpus_of(TEXT, "texts", documents=9), *(corpus_of(TASK, task) for task in tasks))
    record = manifest(layers=LAYERS, heads=HEADS, corpora=read)
    return Atlas(Results.open(write(place, record, whole)))


def one(rows: Rows, **chosen: Any) -> dict[str, Any]:
    """The only row with these values."""
    found = [row for row in rows if all(row.get(name) == value for name, value in chosen.items())]
    assert len(found) == 1, chosen
    return found[0]


def alone(row: dict[str, Any]) -> str:
    return pieces(Number.of(row))[0]


def swept() -> list[tuple[str, str]]:
    """Anchors of the sections on disabled heads, and their tasks."""
    return [(f"disabled-{at}", task) for at, task in enumerate(CORPUS, start=1)]


def tables(page: Sections, label: str, anchor: str) -> list[Table]:
    """Those of a section whose label begins so."""
    return [one for one in section(page, anchor).blocks if isinstance(one, Table) and one.label.startswith(label)]


def scores_in(page: Sections) -> tuple[Any, ...]:
    """The rows of the table of scores."""
    return block(page, "fine-tuning", Table).rows


def points(row: dict[str, Any]) -> str:
    return number(*(100 * row[field] for field in ("value", "low", "high")))


def between(row: dict[str, Any], factor: float = 1) -> str:
    return interval(factor * row["low"], factor * row["high"], value=factor * row["value"])


def held(value: float) -> float | None:
    """As a figure holds it."""
    return None if np.isnan(value) else value


def slow_verdict(made: dict[str, Rows], task: str, way: str, **at: int) -> str:
    rows = made["head_facts" if "head" in at else "facts"]
    family = one(rows, corpus=task, study="disabling", name=f"{way}.family", **at)
    return NEEDED if family["high"] < 0 else BETTER if family["low"] > 0 else UNSEEN


ANCHORS = {
    "scores": ["fine-tuning"],
    OTHER: ["changed"],
    "disabling": ["disabling", *(f"disabled-{at}" for at in (1, 2, 3, 4)), "importance"],
    "pruning": ["pruning"],
}
"""Study -> what of the page rests on it alone."""


def views(figure: Figure) -> list[dict[str, Any]]:
    """The data of a figure."""
    return json.loads(figure.data)["views"]
