"""Two models on the same inputs: what their maps, measures and weights have in common, head by head.

The numbers are those of study `compare` (`compare.records.comparison`), which compares model B with A.
Heads are matched by their place. Models of different shape have no places in common and are only searched for twins,
the pairs of heads that are most alike.
Intervals resample documents. What heads find in a treebank is compared in `treebank` and `relations`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy, examine
from generator.attention.observed import Observed
from generator.attention.stream import Options, observe
from generator.corpora.pairs import Input
from generator.errors import ModelError
from generator.measures import COLUMNS
from generator.models.encoder import Encoder
from generator.models.twin import random_twin
from generator.numbers.means import defined_mean
from generator.numbers.number import Grid, Number, all_alone
from generator.numbers.resampling import bootstrap
from generator.results.rows import CorpusRows
from generator.studies import fact_rows
from generator.studies.fact_rows import DocumentRows
from generator.topics.compare.records.names import BASE, LEAST, OTHER, TWIN, study
from generator.topics.compare.run.maps import Twins, cosines, divergences, last_least, twins
from generator.topics.compare.run.weights import COPY, cosine_of_matrices, parameters, weight_facts


def compare(
    a: Encoder,
    b: Encoder,
    inputs: Mapping[str, Sequence[Input]],
    seed: int,
    also: Sequence[str] = (),
) -> dict[str, list[pd.DataFrame]]:
    """`facts` and `head_facts` of study `compare:{slug of B}` for model A, by corpus.

    `inputs` maps the name of a corpus to its inputs. Facts about weights are repeated for every corpus, those in `also`
    included, which are compared elsewhere. Raises ModelError if the two models do not read the same token ids, or one
    of them cannot read such long inputs.
    """
    check_inputs(a, b, inputs)
    first, second = examine(a), examine(b)
    alike = (first.layers, first.heads) == (second.layers, second.heads)
    own, other = parameters(a.model, first.layers), parameters(b.model, second.layers)
    copies = alike and cosine_of_matrices(own, other) > COPY
    weights = pd.DataFrame({"name": ["copy"], "layer": 0, "value": float(copies)})
    if alike:
        random = parameters(random_twin(a, seed).model, first.layers)
        weights = pd.concat([weights, weight_facts(own, other, random, first.layers)], ignore_index=True)
    weights = weights.assign(low=np.nan, high=np.nan, n=1)
    elsewhere = [fact_rows.stored_rows(weights, study(b.id), a.id, corpus) for corpus in also]
    tables: dict[str, list[pd.DataFrame]] = {"facts": [], "head_facts": []}
    for corpus, items in inputs.items():
        rows = _Rows(a.id, b.id, corpus, alike=alike, paired=not copies)
        for seen, beside in _both(a, b, first, second, items):
            rows.add(seen, beside)
        found, of = rows.estimates(first, second, seed), (study(b.id), a.id, corpus)
        of_weights = fact_rows.stored_rows(weights, *of)
        parts = [fact_rows.facts(found.whole, *of), fact_rows.facts(found.layers, *of), of_weights]
        tables["facts"].append(pd.concat(parts, ignore_index=True))
        head_facts = fact_rows.head_facts(found.heads, *of)
        unmatched = head_facts["name"].str.startswith(TWIN) & (head_facts["n"] == 0)
        tables["head_facts"].append(head_facts[~unmatched].reset_index(drop=True))
    return tables | {"facts": [*tables["facts"], *elsewhere]}


class _Found(NamedTuple):
    """The numbers of one corpus, by name."""

    whole: dict[str, Number[Any]]
    """Numbers of the whole model."""
    layers: dict[str, Grid]
    """`[layer]`."""
    heads: dict[str, Grid]
    """`[layer, head]`."""


class _Rows:
    """Gathers what both models show on the inputs of one corpus."""

    def __init__(self, a: str, b: str, corpus: str, *, alike: bool, paired: bool) -> None:
        self._measured = (CorpusRows(a, corpus), CorpusRows(b, corpus)) if alike else ()
        self._cosines = DocumentRows() if alike else None
        self._divergences = DocumentRows() if paired else None

    def add(self, seen: Observed, beside: Observed) -> None:
        """Add one input, as observed with A and with B."""
        for rows, observed in zip(self._measured, (seen, beside), strict=False):
            rows.add(observed)
        maps = np.asarray(seen.weights), np.asarray(beside.weights)
        if self._cosines is not None:
            self._cosines.add(seen.input, cosines(*maps))
        if self._divergences is not None:
            self._divergences.add(seen.input, divergences(*maps))

    def estimates(self, first: Anatomy, second: Anatomy, seed: int) -> _Found:
        """Means over documents, with their intervals."""
        found = _Found({}, {}, {})
        if self._cosines is not None:
            rows = self._cosines.rows()[..., None]
            before, after = (_measured(corpus_rows, rows.shape[:3], seed) for corpus_rows in self._measured)
            every = np.concatenate([rows, after - before, before], axis=-1)
            names = ["cosine", *COLUMNS, *(BASE + column for column in COLUMNS)]
            found.heads.update(_named(names, bootstrap(every, seed)))
            found.layers.update(_named(names, bootstrap(defined_mean(every, 2), seed)))
            found.whole["cosine"] = bootstrap(rows.mean((1, 2, 3)), seed)
            of_all = defined_mean(after.reshape(len(after), -1, len(COLUMNS)), 1)
            found.whole.update(_named([OTHER + column for column in COLUMNS], bootstrap(of_all, seed)))
            if rows.shape[1] > 1:
                found.whole[LEAST] = last_least(rows.mean((2, 3)), seed)
        if self._divergences is not None:
            pairs = twins(self._divergences.names, self._divergences.rows(), seed)
            found.whole.update({f"{TWIN}matched": pairs.matched, f"{TWIN}every": pairs.every})
            found.heads.update(_twins(pairs, first, second))
        return found


def _both(
    a: Encoder, b: Encoder, first: Anatomy, second: Anatomy, items: Sequence[Input]
) -> Iterator[tuple[Observed, Observed]]:
    """Every input as observed with both models. Both sort inputs by length, so the pairs match whatever the batches."""
    options = Options(keep_weights=True)
    return zip(observe(a, first, items, options), observe(b, second, items, options), strict=True)


def _measured(rows: CorpusRows, shape: tuple[int, ...], seed: int) -> np.ndarray:
    """The measures of every head, `[document, layer, head, column]`, documents sorted by name."""
    table = rows.tables(seed)["documents"].sort_values(["document", "layer", "head"])
    measured: np.ndarray = table[list(COLUMNS)].to_numpy(float).reshape(*shape, len(COLUMNS))
    return measured


def _named(names: Sequence[str], estimate: Grid) -> dict[str, Grid]:
    """Name -> its part of the estimate, whose arrays are `[..., name]`."""
    return {name: estimate.part(..., at) for at, name in enumerate(names)}


def _twins(pairs: Twins, first: Anatomy, second: Anatomy) -> dict[str, Grid]:
    """For every head of A, `[layer, head]`: its twin's 1-based layer and head, and the divergence; `n` is 0 for a head
    without a twin.
    """
    layer, head = np.divmod(pairs.matches, second.heads)
    n = pairs.divergence.n
    found = {
        "layer": all_alone(layer + 1.0, n),
        "head": all_alone(head + 1.0, n),
        "divergence": pairs.divergence,
    }
    grids = {}
    for name, estimate in found.items():
        fields = []
        for values, nothing in zip(estimate, (np.nan, np.nan, np.nan, 0), strict=True):
            grid = np.full((first.layers, first.heads), nothing)
            grid.ravel()[pairs.heads] = values
            fields.append(grid)
        grids[TWIN + name] = Number(*fields)
    return grids


def check_inputs(a: Encoder, b: Encoder, inputs: Mapping[str, Sequence[Input]]) -> None:
    """Raises ModelError if B lacks a token of A or has it under another id, or one cannot read such long inputs."""
    ours, theirs = a.tokenizer.get_vocab(), b.tokenizer.get_vocab()
    wrong = sorted((number, token) for token, number in ours.items() if theirs.get(token) != number)
    if wrong:
        raise ModelError(
            f"Expected {b.id} to have the vocabulary of {a.id}, for both must read the same token ids, found "
            f"{len(wrong)} of {len(ours)} tokens with another id or none, the first {wrong[0][1]!r}; "
            "choose two models of one tokenizer."
        )
    longest = max((len(item) for items in inputs.values() for item in items), default=0)
    for encoder in (a, b):
        if longest > encoder.positions:
            raise ModelError(
                f"Expected inputs of at most {encoder.positions} tokens, which is what {encoder.id} reads, found one "
                f"of {longest}; lower --max-tokens."
            )
