"""The study of distances between heads, which is given whole maps: the table `divergence`, and study "landscape"."""

from collections import defaultdict

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.attention.stream import Observed
from generator.corpora.kinds import CorpusKind
from generator.models.encoder import Encoder
from generator.numbers.number import UNDEFINED
from generator.studies.distances.doubles import twin_doubles
from generator.studies.distances.landscape import FEWEST_HEADS, behaviours, landscape
from generator.studies.distances.quantities import LANDSCAPE
from generator.studies.distances.rows import compared_rows, divergence
from generator.studies.fact_rows import facts
from generator.studies.procedure import Need, Part, Procedure, Subject, Tables, Watcher


class DivergenceRows:
    """Gathers the distances of all pairs of heads; each input is added once, in any order."""

    def __init__(self) -> None:
        self._parts: dict[str, list[tuple[int, int, np.ndarray]]] = defaultdict(list)
        self._errors: list[tuple[str, np.ndarray]] = []

    def add(self, seen: Observed) -> None:
        """Measure one input, at which `compared_rows` looked."""
        item, (found, error) = seen.input, divergence(seen)
        self._parts[item.document].append((item.part, len(item), found))
        if error.any():
            self._errors.append((item.document, error))

    def error(self) -> float:
        """Largest standard error, of any pair, of the mean over documents; 0 where all rows were compared."""
        squares = [(error / len(self._parts[name])) ** 2 for name, error in self._errors]
        return float(np.sqrt(np.sum(squares, axis=0)).max() / len(self._parts)) if squares else 0.0

    def table(self, corpus: str) -> pd.DataFrame:
        """`divergence`: one row per document, the mean over its parts."""
        documents = {name: sorted(self._parts[name], key=lambda part: part[0]) for name in sorted(self._parts)}
        return pd.DataFrame(
            {
                "corpus": corpus,
                "document": list(documents),
                "tokens": [float(np.mean([tokens for _, tokens, _ in parts])) for parts in documents.values()],
                "divergence": [
                    np.mean([found for *_, found in parts], axis=0).astype(np.float32) for parts in documents.values()
                ],
            }
        )


def _watch(of: Subject) -> Watcher:
    rows = DivergenceRows()

    def tables() -> Tables:
        table = rows.table(of.corpus)
        if of.shape[0] * of.shape[1] < FEWEST_HEADS:
            return {"divergence": [table]}
        stacked = np.stack(table["divergence"].to_list()).astype(float)
        labels = behaviours_of(of.table("heads"), of.shape)
        found = landscape(stacked, of.shape, labels, of.model, of.corpus, of.seed)
        error = {"rows.error": UNDEFINED._replace(value=rows.error(), n=len(stacked))} if rows.error() else {}
        drawn = facts(error, LANDSCAPE, of.model, of.corpus)
        return {"divergence": [table], "facts": [found.facts, drawn], "head_facts": [found.head_facts]}

    return Watcher(rows.add, tables, rows=compared_rows)


def _twins(of: Subject, encoder: Encoder, anatomy: Anatomy) -> Tables:
    return {"facts": [twin_doubles(encoder, anatomy, of.corpus, of.inputs, of.seed, FEWEST_HEADS)]}


def behaviours_of(heads: pd.DataFrame, shape: tuple[int, int]) -> np.ndarray:
    """`[layer, head]`: what every head does by the measures of `heads`, a table of one corpus."""
    ordered = heads.sort_values(["measure", "layer", "head"])
    means = {str(name): group["value"].to_numpy().reshape(shape) for name, group in ordered.groupby("measure")}
    uniform = ordered.loc[ordered["measure"] == "entropy.all", "uniform"].iloc[0]
    return behaviours(means, float(uniform))


PROCEDURE = Procedure(
    "landscape",
    CorpusKind.TEXT,
    _watch,
    parts=(Part(Need.MODEL, _twins),),
    tables=("divergence",),
    after=("measures",),
)
