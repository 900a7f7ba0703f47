"""Makes a learning curve from the results of a model's checkpoints: measures, relations, claims and facts by step.

Each checkpoint is analysed as any model is; nothing here reads a model. Curves of measures are means over documents,
which are resampled. The step at which a measure rises has an interval, too, because the same documents were read at
every checkpoint.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import pandas as pd

from generator.claims.evidence.evidence import Evidence
from generator.claims.ledger import judge_all
from generator.claims.missing import NotTestable
from generator.corpora.files import TEXT
from generator.corpora.relation_names import ALL, DIRECTIONS
from generator.corpora.treebank import TREEBANK
from generator.errors import ResultsError
from generator.measures import COLUMNS
from generator.numbers.means import defined_mean
from generator.numbers.number import Grid, Number
from generator.numbers.resampling import bootstrap, bootstrap_ratio
from generator.results.store import Results
from generator.studies.halves import HELD_OUT, reported
from generator.topics.layers.derived.profiles import SIGNATURES
from generator.topics.learning.compute.curve import type_correlations
from generator.topics.learning.compute.easier import easier_when_frequent
from generator.topics.learning.compute.rises import Rise, order, rise
from generator.topics.learning.records.curves import (
    CLAIM,
    FACT,
    FOLLOWED,
    MEASURE,
    ORDER,
    RELATION_BASELINE,
    RELATIONS,
    SIGNATURE,
)
from generator.topics.learning.run.curve.rows import CurveTables, Steps, at_head, curve_rows, number_rows, rise_rows
from generator.topics.relations.compute.relations import correct
from generator.topics.relations.derived.predictions import Predictions


@dataclass(frozen=True)
class Point:
    """A checkpoint's step and its results."""

    step: int
    results: Results

    @cached_property
    def evidence(self) -> Evidence:
        """The results as claims read them."""
        return Evidence(self.results)


def curve_tables(points: Sequence[Point], model: str, seed: int, counts: Mapping[str, int]) -> CurveTables:
    """The tables `curves` and `rises` for checkpoints in the order of their steps; `model` names the rows. `counts` is
    how often each piece of the vocabulary stands in the training text, empty where that is not known.

    Raises ResultsError if the checkpoints were not analysed alike: the same documents, corpora and settings.
    """
    steps = [point.step for point in points]
    corpus = _same_text(points)
    evidences = [point.evidence for point in points]
    parts = [
        _measure_curves(steps, evidences, model, corpus, seed),
        _signature_curves(steps, evidences, model, corpus, seed),
        _relation_curves(steps, [point.results for point in points], model, seed),
        {"curves": _claims(steps, evidences, model)},
        {"curves": _facts(steps, evidences, model, corpus)},
        {"curves": _types(points, model, corpus, seed, counts)},
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
                frames.append(number_rows(numbers, study=FACT, name=key, model=model, corpus=corpus, layer=layer))
    return frames


def _types(
    points: Sequence[Point], model: str, corpus: str, seed: int, counts: Mapping[str, int]
) -> list[pd.DataFrame]:
    """Whether frequent token types are learned earlier, and known better: rows at the last step; none if a checkpoint
    has no table of types.
    """
    tables = [table[table["corpus"] == corpus] for table in (point.results.table("types") for point in points)]
    if not all(len(table) for table in tables):
        return []
    found = [type_correlations([point.step for point in points], tables, seed)]
    found += [easier_when_frequent(tables[-1], counts, seed)] if counts else []
    last = points[-1].step
    return [
        rows.assign(model=model, corpus=corpus, layer=0, head=0, step=last).dropna(subset="value") for rows in found
    ]


def _measure_curves(steps: Steps, evidences: Sequence[Evidence], model: str, corpus: str, seed: int) -> CurveTables:
    """Study "measure": every measure of every head, and as head 0 the mean over the heads of a layer."""
    found: CurveTables = {"curves": [], "rises": []}
    for name in COLUMNS:
        by_head = _rows(evidences, name)
        for rows in (by_head, defined_mean(by_head, -1)):
            of = MEASURE, name, model, corpus
            found["curves"].append(curve_rows(steps, bootstrap(rows, seed), *of))
            found["rises"].append(rise_rows(rise(steps, rows, seed), *of))
    return found


def _signature_curves(steps: Steps, evidences: Sequence[Evidence], model: str, corpus: str, seed: int) -> CurveTables:
    """Study "signature": the measure that marks each phase, mean over its layers; and, among `rises`, study "order".

    An order is given as log2 of the later phase's step divided by the earlier phase's step.
    """
    found: CurveTables = {"curves": [], "rises": []}
    rows = {}
    for name, (measure, layers) in SIGNATURES.items():
        by_layer = defined_mean(_rows(evidences, measure), -1)
        rows[name] = defined_mean(by_layer[..., layers(by_layer.shape[-1])], -1)
        of = SIGNATURE, name, model, corpus
        found["curves"].append(curve_rows(steps, bootstrap(rows[name], seed), *of))
        found["rises"].append(rise_rows(rise(steps, rows[name], seed), *of))
    for first, second in pairwise(SIGNATURES):  # the order in which the hypothesis has them learned
        between = order(steps, rows[first], rows[second], seed)
        found["rises"].append(rise_rows(_as_rise(between), ORDER, f"{first}.{second}", model, corpus))
    return found


def _rows(evidences: Sequence[Evidence], name: str) -> np.ndarray:
    """A measure's values at all steps, `[document, step, layer, head]`."""
    return np.stack([evidence.rows(name) for evidence in evidences], axis=1)


def _as_rise(between: Grid) -> Rise:
    nothing = np.full(between.value.shape, np.nan)
    return Rise(nothing, nothing, *between)


def _relation_curves(steps: Steps, results: Sequence[Results], model: str, seed: int) -> CurveTables:
    """Studies "relation" and "relation.baseline" of the first treebank; empty where there is none.

    The head that the last checkpoint shows is followed back in time. Head and direction are those that its results
    chose on one half of the sentences; the accuracies, at all steps, are of the other half, whose sentences are
    resampled. The baseline, a fixed offset, predicts the same at every step, so it has one row.
    """
    last = results[-1]
    bank = next(iter(last.manifest.of(TREEBANK)), None)
    tables = [_rows_of(result.table("predictions"), corpus=bank) for result in results]
    found: CurveTables = {"curves": [], "rises": []}
    if bank is None or not all(len(table) for table in tables):
        return found
    shape = last.manifest.layers, last.manifest.heads
    read = [Predictions.from_table(table, *shape) for table in tables]
    gold = read[-1]
    shown = reported(gold.sentences, seed)[gold.sentence]
    chosen = _rows_of(last.table("relation_heads"), corpus=bank, protocol=HELD_OUT)
    for row in chosen.to_dict("records"):
        relation = row["relation"]
        words = np.flatnonzero(shown & ((gold.relation == relation) | (relation == ALL)))
        place = DIRECTIONS.index(row["direction"]), row["layer"] - 1, row["head"] - 1
        _, sentence = np.unique(gold.sentence[words], return_inverse=True)
        hits = [
            np.bincount(sentence, weights=correct(predictions, relation, predictions.predicted)[(*place, words)])
            for predictions in read
        ]
        right, total = np.stack(hits, axis=1), np.bincount(sentence)
        of = RELATIONS, relation, model, bank
        share = bootstrap_ratio(right, total, seed)
        found["curves"].append(at_head(curve_rows(steps, share, *of), row["layer"], row["head"]))
        # Words do not change between steps, so half of the change in right words is half of the change in accuracy.
        change = rise(steps, right / total.mean(), seed)
        found["rises"].append(at_head(rise_rows(change, *of), row["layer"], row["head"]))
        baseline = Number(row["baseline"], row["baseline_low"], row["baseline_high"], int(row["n"]))
        found["curves"].append(number_rows({steps[-1]: baseline}, RELATION_BASELINE, relation, model, bank))
    return found


def _rows_of(table: pd.DataFrame, **chosen: str | None) -> pd.DataFrame:
    for column, text in chosen.items():
        table = table[table[column] == text]
    return table
