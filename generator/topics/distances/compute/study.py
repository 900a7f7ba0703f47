"""Distances between heads, of the model and of its twins: the table `divergence`, and study "landscape"."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pandas as pd

from generator.attention.observed import Observed
from generator.corpora.files import TEXT
from generator.corpora.pairs import Input
from generator.models.twin import untrained_twin
from generator.numbers.number import Number, alone
from generator.numbers.resampling import in_groups
from generator.studies.fact_rows import facts
from generator.studies.procedure import Procedure, Subject, Tables, Watcher
from generator.topics.distances.compute.divergence import CPU
from generator.topics.distances.compute.doubles import twin_doubles
from generator.topics.distances.compute.groups import ExactSums, Groups
from generator.topics.distances.compute.landscape import FEWEST_HEADS, behaviours, landscape
from generator.topics.distances.compute.rows import ComparedRows
from generator.topics.distances.records import LANDSCAPE
from generator.topics.inputs.compute.changed import few_each, one_each

TWINS = 5
"""How many untrained twins read the documents."""
DOCUMENTS = 24
"""How many documents twins read, the first part of each: a sample, because every twin reads all of them."""


class DivergenceRows:
    """Gathers the distances of all pairs of heads; each input is added once, in any order, by any thread.

    Of a long document a few inputs are compared (`few_each`), and for the twins the first.
    """

    def __init__(self, layers: int, inputs: Sequence[Input], seed: int, device: str = CPU) -> None:
        self.sample = one_each(inputs, DOCUMENTS, seed)
        """The inputs that twins read."""
        self._first = {item.place for item in self.sample}
        self._parts: dict[str, dict[int, int]] = defaultdict(dict)
        """Document -> for each of its parts that counts, how many tokens it has."""
        for item in few_each(inputs, seed):
            self._parts[item.document][item.part] = len(item)
        self._compared = self._first | {(name, part) for name, parts in self._parts.items() for part in parts}
        self.rows = ComparedRows(layers, device, lambda item: item.place in self._compared)
        """Inputs must be observed with its `observer`."""
        groups = in_groups(len(self._parts), seed).tolist()
        self._group: dict[str, int] = dict(zip(sorted(self._parts), groups, strict=True))
        self._documents = np.bincount(groups)
        self._sums = ExactSums(len(self._documents))
        self._errors = ExactSums(1)
        """Squares of the errors that drawing rows adds to the sum over documents."""
        self._model: dict[str, np.ndarray] = {}
        self._twins: dict[int, dict[str, np.ndarray]] = defaultdict(dict)

    def add(self, seen: Observed) -> None:
        """Measure one input, if it is among those that are compared."""
        item = seen.input
        if item.place not in self._compared:
            return
        found, error = self.rows.divergence(seen)
        if item.place in self._first:
            self._model[item.document] = found
        parts = self._parts[item.document]
        if item.part in parts:
            self._sums.add(self._group[item.document], found / len(parts))
            if error.any():
                self._errors.add(0, (error / len(parts)) ** 2)

    def add_twin(self, draw: int, seen: Observed) -> None:
        """Measure the first part of a document as observed with a twin."""
        self._twins[draw][seen.input.document] = self.rows.divergence(seen)[0]

    def twins(self, seed: int) -> dict[str, Number]:
        """What `twin_doubles` returns for the documents that twins read; empty if there are no twins."""
        if not self._twins:
            return {}
        names = sorted(self._twins[0])
        model = np.stack([self._model[name] for name in names])
        random = [np.stack([seen[name] for name in names]) for _, seen in sorted(self._twins.items())]
        return twin_doubles(model.astype(float), [rows.astype(float) for rows in random], seed)

    def error(self) -> float:
        """The largest standard error of any pair's mean over documents, in nats; 0 if all rows were compared."""
        return float(np.sqrt(self._errors.sums).max(initial=0) / len(self._parts))

    def groups(self) -> Groups:
        """The distances of all documents."""
        return Groups(self._sums.sums, self._documents)

    def table(self, corpus: str) -> pd.DataFrame:
        """The table `divergence`: one row per group of documents, with means over those of their parts that were
        compared.
        """
        of_group: dict[int, list[str]] = defaultdict(list)
        for name, group in self._group.items():
            of_group[group].append(name)
        found = (self._sums.sums / self._documents[:, None]).astype(np.float32)
        return pd.DataFrame(
            {
                "corpus": corpus,
                "document": [names[0] for names in of_group.values()],
                "documents": np.array([len(names) for names in of_group.values()], np.int32),
                "tokens": [float(np.mean([self._tokens(name) for name in names])) for names in of_group.values()],
                "divergence": list(found[list(of_group)]),
            }
        )

    def _tokens(self, document: str) -> float:
        parts = sorted(self._parts[document].items())
        return float(np.mean([tokens for _, tokens in parts]))


def _watch(of: Subject) -> Watcher:
    rows = DivergenceRows(of.shape[0], of.inputs, of.seed, of.device)
    placed = of.shape[0] * of.shape[1] >= FEWEST_HEADS

    def tables() -> Tables:
        table = rows.table(of.corpus)
        if not placed:
            return {"divergence": [table]}
        groups, labels = rows.groups(), behaviours_of(of.table("heads"), of.shape)
        found = landscape(groups, shape=of.shape, behaviour=labels, model=of.model, corpus=of.corpus, seed=of.seed)
        error = {"rows.error": alone(rows.error(), int(groups.documents.sum()))} if rows.error() else {}
        more = facts(error | rows.twins(of.seed), LANDSCAPE, of.model, of.corpus)
        return {"divergence": [table], "facts": [found.facts, more], "head_facts": [found.head_facts]}

    twins, observer = TWINS if placed else 0, rows.rows.observer
    return Watcher(
        rows.add,
        tables=tables,
        twins=twins,
        draw_twin=untrained_twin,
        add_twin=rows.add_twin,
        twin_inputs=rows.sample,
        rows=observer,
        threaded=True,
    )


def behaviours_of(heads: pd.DataFrame, shape: tuple[int, int]) -> np.ndarray:
    """`[layer, head]`: what every head mostly does, by the measures in `heads`, the table of one corpus."""
    ordered = heads.sort_values(["measure", "layer", "head"])
    means = {str(name): group["value"].to_numpy().reshape(shape) for name, group in ordered.groupby("measure")}
    uniform = ordered.loc[ordered["measure"] == "entropy.all", "uniform"].iloc[0]
    return behaviours(means, float(uniform))


PROCEDURE = Procedure(
    "landscape",
    TEXT,
    _watch,
    tables=("divergence",),
    after=("measures",),
)
