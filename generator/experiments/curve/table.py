"""Makes a learning curve from the results of a model's checkpoints: measures, relations, claims and facts by step.

Each checkpoint is analysed as any model is; nothing here reads a model.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from generator.claims.evidence.evidence import Evidence
from generator.claims.ledger import judge_all
from generator.claims.missing import NotTestable
from generator.corpora.files import TEXT
from generator.corpora.treebank import TREEBANK
from generator.errors import ResultsError
from generator.experiments.curve.measures import measure_curves, signature_curves
from generator.experiments.curve.relations import relation_curves
from generator.experiments.curve.rows import CurveTables, Steps, number_rows
from generator.numbers.number import Number
from generator.results.store import Results
from generator.studies.learning.curve import type_correlations
from generator.studies.learning.quantities import CLAIM, FACT, FOLLOWED


@dataclass(frozen=True)
class Point:
    """A checkpoint's step and its results."""

    step: int
    results: Results

    @cached_property
    def evidence(self) -> Evidence:
        """The results as claims read them."""
        return Evidence(self.results)


def curve_tables(points: Sequence[Point], model: str, seed: int) -> CurveTables:
    """The tables `curves` and `rises` for checkpoints in the order of their steps; `model` names the rows.

    Raises ResultsError if the checkpoints did not read the same documents.
    """
    steps = [point.step for point in points]
    corpus = _same_text(points)
    evidences = [point.evidence for point in points]
    parts = [
        measure_curves(steps, evidences, model, corpus, seed),
        signature_curves(steps, evidences, model, corpus, seed),
        relation_curves(steps, [point.results for point in points], model, seed),
        {"curves": _claims(steps, evidences, model)},
        {"curves": _facts(steps, evidences, model, corpus)},
        {"curves": _types(points, model, corpus, seed)},
    ]
    return {name: [frame for part in parts for frame in part.get(name, [])] for name in ("curves", "rises")}


def _same_text(points: Sequence[Point]) -> str:
    """The name of the first text, "" if none was read. Raises ResultsError if the points were not analysed alike."""
    first = points[0]
    corpus = next(iter(first.results.manifest.of(TEXT)), "")
    for point in points:
        if _read(point, corpus) != _read(first, corpus):
            raise ResultsError(
                f"Expected step {point.step} to be analysed as step {first.step}, found other settings, corpora or "
                "documents; analyse all checkpoints alike."
            )
    return corpus


def _read(point: Point, corpus: str) -> tuple[object, ...]:
    rows, manifest = point.results.documents, point.results.manifest
    documents = set(rows.loc[rows["corpus"] == corpus, "document"])
    return documents, manifest.settings, manifest.of(TEXT), manifest.of(TREEBANK)


def _claims(steps: Steps, evidences: Sequence[Evidence], model: str) -> list[pd.DataFrame]:
    """The number of every part of every claim at every step, with an empty corpus; pages turn them into verdicts."""
    found: dict[str, dict[int, Number]] = {}
    for step, evidence in zip(steps, evidences, strict=True):
        for item in judge_all([evidence]):
            for finding in item.findings:
                if finding.number is not None:
                    found.setdefault(finding.part.key, {})[step] = finding.number
    return [number_rows(numbers, CLAIM, name, model, corpus="") for name, numbers in found.items()]


def _facts(steps: Steps, evidences: Sequence[Evidence], model: str, corpus: str) -> list[pd.DataFrame]:
    frames = []
    for key in FOLLOWED:
        study, _, name = key.partition(":")
        whole, by_layer = {}, [dict[int, Number]() for _ in range(evidences[0].layers)]
        for step, evidence in zip(steps, evidences, strict=True):
            if number := evidence.known_fact(study, name):
                whole[step] = number
            with suppress(NotTestable):
                layers = evidence.facts(study, name)
                for layer, numbers in enumerate(by_layer):
                    value, low, high, n = (part[layer] for part in layers)
                    numbers[step] = Number(float(value), float(low), float(high), int(n))
        for layer, numbers in enumerate([whole, *by_layer]):
            if not all(np.isnan(number.value) for number in numbers.values()):
                frames.append(number_rows(numbers, FACT, key, model, corpus, layer))
    return frames


def _types(points: Sequence[Point], model: str, corpus: str, seed: int) -> list[pd.DataFrame]:
    """Whether frequent token types are learned earlier: rows at the last step, because the number needs all steps."""
    tables = [table[table["corpus"] == corpus] for table in (point.results.table("types") for point in points)]
    if not all(len(table) for table in tables):
        return []
    found = type_correlations([point.step for point in points], tables, seed)
    return [found.assign(model=model, corpus=corpus, layer=0, head=0, step=points[-1].step).dropna(subset="value")]
