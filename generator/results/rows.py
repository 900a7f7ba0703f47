"""Makes the tables of a results folder from observations."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from generator.attention.observed import Observed
from generator.corpora.pairs import Input
from generator.measures import COLUMNS, compute
from generator.measures.measure import Counts
from generator.measures.uniform import uniform_primitives
from generator.numbers.means import defined_mean
from generator.numbers.resampling import bootstrap


@dataclass(frozen=True)
class _Part:
    """The numbers of one input of a document."""

    number: int
    columns: np.ndarray
    """Measures, `[layer, head, column]`."""
    uniform: np.ndarray
    """Measures of uniform attention, `[column]`."""
    tokens: int
    sinks: np.ndarray
    """Vocabulary ids of the sinks, `[layer, head]`."""


class CorpusRows:
    """Gathers the observations of one corpus; a document in several parts counts once, as the mean of its parts."""

    def __init__(self, model: str, corpus: str) -> None:
        self._model = model
        self._corpus = corpus
        self._parts: dict[str, list[_Part]] = defaultdict(list)

    def add(self, seen: Observed) -> None:
        """Measure one input. The order of calls does not matter."""
        counts = Counts.of(seen.input)
        ids = np.asarray(seen.input.input_ids)
        self._parts[seen.input.document].append(
            _Part(
                number=seen.input.part,
                columns=compute(seen.primitives, counts),
                uniform=compute(uniform_primitives(seen.input), counts)[0, 0],
                tokens=len(seen.input),
                sinks=ids[seen.primitives.sink_position.astype(int)],
            )
        )

    def tables(self, seed: int) -> dict[str, pd.DataFrame]:
        """The tables `documents`, `uniform`, `heads` and `layers` of this corpus; what was gathered is given away."""
        names = sorted(self._parts)
        parts = [sorted(self._parts.pop(name), key=lambda part: part.number) for name in names]
        uniform = np.stack([defined_mean(np.stack([part.uniform for part in group])) for group in parts])
        tokens = [np.mean([part.tokens for part in group]) for group in parts]
        sinks = np.concatenate([_sink(group).ravel() for group in parts])
        measured = np.empty((len(names), *parts[0][0].columns.shape))
        for at, group in enumerate(parts):
            measured[at] = defined_mean(np.stack([part.columns for part in group]))
            group.clear()  # the numbers of all inputs are as large as the table
        layers, heads = measured.shape[1:3]
        place = _places(layers, heads)
        documents = pd.DataFrame(measured.reshape(-1, len(COLUMNS)), columns=[*COLUMNS], copy=False)
        documents.insert(0, "corpus", self._corpus)
        documents.insert(1, "document", np.repeat(names, layers * heads))
        documents.insert(2, "layer", np.tile(place["layer"], len(names)))
        documents.insert(3, "head", np.tile(place["head"], len(names)))
        documents["sink.token"] = sinks
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
        of_layers = np.stack([defined_mean(one, axis=1) for one in measured])
        by_layer = self._estimates(of_layers, {"layer": np.arange(1, layers + 1)}, seed)
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
        "layer": np.repeat(np.arange(1, layers + 1), heads),
        "head": np.tile(np.arange(1, heads + 1), layers),
    }


def _sink(parts: Sequence[_Part]) -> np.ndarray:
    """Vocabulary id of the document's sink, `[layer, head]`: that of the part in which the sink weighs most."""
    mass = np.stack([part.columns[..., COLUMNS.index("sink.mass")] for part in parts])
    sinks: np.ndarray = np.take_along_axis(np.stack([part.sinks for part in parts]), mass.argmax(0)[None], 0)[0]
    return sinks
