"""Whether a separator gets more attention if it is the only one: part of study "separators" (Kovaleva et al. 2019,
section 4.4).

A text is read with both paragraphs as one segment, and with the paragraphs apart. The paper compares tasks of one
sentence with tasks of two, whose texts differ.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.attention.observed import Observed
from generator.attention.stream import Options, observe
from generator.corpora.classes import TokenClass
from generator.corpora.files import TEXT
from generator.corpora.pairs import Input
from generator.models.encoder import Encoder
from generator.numbers.resampling import bootstrap
from generator.studies.fact_rows import facts
from generator.studies.inputs.changed import arranged, one_each, places_of, with_segments
from generator.studies.inputs.separator_quantities import SEPARATORS
from generator.studies.inputs.separators import CHANGES, DOCUMENTS, place_facts, separator_facts
from generator.studies.procedure import Need, Part, Procedure, Subject, Tables, Watcher

NAMES = ("single.larger", "pair.larger", "single.gain")


class SingleAndPair:
    """Gathers what pairs of paragraphs show, and reads them again as one segment."""

    def __init__(self, inputs: Sequence[Input], seed: int) -> None:
        """Of at most 24 documents the first part is used, if it has more than one separator."""
        chosen = one_each(inputs, DOCUMENTS, seed)
        self._pairs = {one.document: one for one in chosen if len(places_of(one, TokenClass.SEPARATOR)) > 1}
        self._larger: dict[str, np.ndarray] = {}
        self._seed = seed

    def add(self, seen: Observed) -> None:
        """Look at one input; each is added once, in any order."""
        if self._pairs.get(seen.input.document) == seen.input:
            self._larger[seen.input.document] = _larger(seen)

    def facts(self, encoder: Encoder, anatomy: Anatomy, corpus: str) -> list[pd.DataFrame]:
        """`facts` by layer, means over heads, and with layer 0 the mean over layers; none without pairs of segments.

        Intervals resample documents.
        """
        if not self._pairs:
            return []
        again = observe(encoder, anatomy, as_single(self._pairs.values()), Options(to_the_end=False))
        alone = {one.input.document: _larger(one) for one in again}
        pairs = [(alone[name], self._larger[name]) for name in sorted(self._pairs)]
        rows = np.stack([np.stack([single, pair, single - pair]) for single, pair in pairs])
        rows = np.concatenate([rows.mean(-1, keepdims=True), rows], axis=-1)
        found = {name: bootstrap(rows[:, at], self._seed) for at, name in enumerate(NAMES)}
        return [facts(found, SEPARATORS, encoder.id, corpus, first_layer=0)]


def as_single(pairs: Iterable[Input]) -> list[Input]:
    """The same texts without the separators in between, in one segment."""
    made = []
    for item in pairs:
        ends = places_of(item, TokenClass.SEPARATOR)[:-1].tolist()
        left = arranged(item, [place for place in range(len(item)) if place not in ends])
        made.append(with_segments(left, [0] * len(left)))
    return made


def _larger(seen: Observed) -> np.ndarray:
    """`[layer]`: the weight on each head's heaviest separator, mean over all queries and heads."""
    on_separators = seen.primitives.received[..., places_of(seen.input, TokenClass.SEPARATOR)]
    mean: np.ndarray = on_separators.max(-1).mean(-1) / len(seen.input)
    return mean


def _place(of: Subject) -> Tables:
    return {"facts": [place_facts(of.table("roles"), of.model, of.corpus, of.seed)]}


def _watch(of: Subject, encoder: Encoder, anatomy: Anatomy) -> Watcher:
    pairs = SingleAndPair(of.inputs, of.seed)

    def tables() -> Tables:
        changed = separator_facts(encoder, anatomy, of.corpus, of.inputs, of.seed)
        return {"facts": [*changed, *pairs.facts(encoder, anatomy, of.corpus)]}

    return Watcher(pairs.add, tables)


def _again(of: Subject) -> int:
    """Tokens as they are read in one segment, as they are, and under each change of separators."""
    return (2 + len(CHANGES)) * sum(map(len, one_each(of.inputs, DOCUMENTS, of.seed)))


PROCEDURE = Procedure(
    SEPARATORS.name, TEXT, _watch, Need.MODEL, parts=(Part(Need.MAPS, _place),), after=("roles",), again=_again
)
