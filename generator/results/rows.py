"""Makes the tables of a results folder from observations."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from generator.attention.observed import Observed
from generator.corpora.pairs import Input
from generator.measures import COLUMNS, compute
from generator.measures.measure import Counts
from generator.measures.uniform import uniform_primitives
from generator.numbers.means import DocumentMeans, defined_mean
from generator.numbers.resampling import bootstrap


class _Sink(NamedTuple):
    """The heaviest sinks of some parts of a document, each `[layer, head]`; of equal ones that of the first part."""

    mass: np.ndarray
    part: int | np.ndarray
    token: np.ndarray
    """Vocabulary ids."""

    def or_heavier(self, other: "_Sink") -> "_Sink":
        """The heavier of both."""
        first = (self.mass > other.mass) | ((self.mass == other.mass) & (self.part < other.part))
        return _Sink(*(np.where(first, own, theirs) for own, theirs in zip(self, other, strict=True)))


class CorpusRows:
    """Gathers the observations of one corpus; a document in several parts counts once, as the mean of its parts."""

    def __init__(self, model: str, corpus: str) -> None:
        self._model = model
        self._corpus = corpus
        self._measures, self._uniform, self._tokens = DocumentMeans(), DocumentMeans(), DocumentMeans()
        self._sinks: dict[str, _Sink] = {}

    def add(self, seen: Observed) -> None:
        """Measure one input. The order of calls does not matter."""
        item, counts = seen.input, Counts.of(seen.input)
        columns = compute(seen.primitives, counts)
        self._measures.add(*item.place, columns)
        self._uniform.add(*item.place, compute(uniform_primitives(item), counts)[0, 0])
        self._tokens.add(*item.place, np.array(len(item)))
        sinks = np.asarray(item.input_ids, np.int32)[seen.primitives.sink_position.astype(int)]
        # A view would keep all columns of the input alive.
        sink = _Sink(columns[..., COLUMNS.index("sink.mass")].copy(), item.part, sinks)
        before = self._sinks.get(item.document)
        self._sinks[item.document] = before.or_heavier(sink) if before else sink

    def tables(self, seed: int) -> dict[str, pd.DataFrame]:
        """The tables `documents`, `uniform`, `heads` and `layers` of this corpus; what was gathered is given away."""
        names = self._measures.names
        uniform, tokens, measured = self._uniform.rows(), self._tokens.rows(), self._measures.rows()
        layers, heads = measured.shape[1:3]
        place = _places(layers, heads)
        # Not copied: what was measured lies in a file, as it may be more than memory holds.
        documents = pd.DataFrame(measured.reshape(-1, len(COLUMNS)), columns=[*COLUMNS], copy=False)
        documents.insert(0, "corpus", self._corpus)
        documents.insert(1, "document", np.repeat(names, layers * heads))
        documents.insert(2, "layer", np.tile(place["layer"], len(names)))
        documents.insert(3, "head", np.tile(place["head"], len(names)))
        documents["sink.token"] = np.concatenate([self._sinks.pop(name).token.ravel() for name in names])
        reference = pd.DataFrame(
            {
                "corpus": self._corpus,
                "document": names,
                "tokens": tokens,
                **dict(zip(COLUMNS, uniform.T, strict=True)),
            }
        )
        reference_of = dict(zip(COLUMNS, defined_mean(uniform), strict=True))
        by_head = self._estimates(measured, place, seed)
        of_layers = np.stack([defined_mean(numbers, axis=1) for numbers in measured])
        by_layer = self._estimates(of_layers, {"layer": np.arange(1, layers + 1, dtype=np.int16)}, seed)
        return {
            "documents": documents,
            "uniform": reference,
            "heads": by_head.assign(uniform=by_head["measure"].map(reference_of)),
            "layers": by_layer,
        }

    def _estimates(self, rows: np.ndarray, place: dict[str, np.ndarray], seed: int) -> pd.DataFrame:
        """Means over documents of `[document, ..., column]`, with intervals, as rows of a tidy table."""
        estimate = bootstrap(rows, seed)
        columns = {
            "measure": np.repeat(COLUMNS, estimate.value.size // len(COLUMNS)),
            **{name: np.tile(values, len(COLUMNS)) for name, values in place.items()},
            **{field: np.moveaxis(values, -1, 0).ravel() for field, values in estimate._asdict().items()},
        }
        return pd.DataFrame(columns).assign(model=self._model, corpus=self._corpus)


def input_table(corpus: str, inputs: Sequence[Input], segments: bool) -> pd.DataFrame:
    """The table `inputs` of one corpus; segment ids are 0 if the model was not given them, `parts` are as measured."""
    return pd.DataFrame(
        {
            "corpus": corpus,
            "document": [item.document for item in inputs],
            "part": [item.part for item in inputs],
            "input_ids": [list(item.input_ids) for item in inputs],
            "segment_ids": [[segment * segments for segment in item.segment_ids] for item in inputs],
            "parts": [list(item.segment_ids) for item in inputs],
        }
    )


def _places(layers: int, heads: int) -> dict[str, np.ndarray]:
    """The 1-based layer and head of every row of a flattened `[layer, head]` array."""
    return {
        "layer": np.repeat(np.arange(1, layers + 1, dtype=np.int16), heads),
        "head": np.tile(np.arange(1, heads + 1, dtype=np.int16), layers),
    }
