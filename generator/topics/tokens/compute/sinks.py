"""Study "sinks": the one token that collects the attention of a whole layer (Xiao et al. 2023, appendix H).

The paper shows maps of BERT for one sentence and prints no number. In `sink.mass`, the measure of single heads, every
head may have a position of its own; "one token collects attention in most layers" is about a position that all heads
share. The position is chosen in every input, so `shared` is never below one over its length.
"""

import numpy as np
import pandas as pd

from generator.attention.observed import Observed
from generator.corpora.classes import TokenClass
from generator.corpora.files import TEXT
from generator.numbers.resampling import Resampled, resample
from generator.studies.fact_rows import DocumentRows, facts, head_facts
from generator.studies.procedure import Procedure, Subject, Watcher, watched_by
from generator.topics.tokens.records.tokens import SINKS

NAMES = ("shared", "separator", "begin")
SINK = 0.3
"""A layer has a sink if the position gets more than this share of its attention; the number is ours."""


class SinkScores:
    """Gathers the inputs of one corpus; each is added once, in any order."""

    def __init__(self) -> None:
        self._rows = DocumentRows()

    def add(self, seen: Observed) -> None:
        """Measure one input."""
        # What a position receives adds up over queries; divided by these it is a share of the attention.
        received = seen.primitives.received.mean(axis=1) / len(seen.input)
        place = received.argmax(-1)
        kind = np.asarray(seen.input.classes)[place]
        of_kind = [kind == TokenClass.SEPARATOR, kind == TokenClass.BEGIN]
        self._rows.add(seen.input, np.stack([received.max(-1), *of_kind]))

    def tables(self, model: str, corpus: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
        """`facts` of study "sinks" by layer, and no `head_facts`; means over documents, which are resampled.

        The shares of layers, with layer 0, count layers again in resampled documents.
        """
        found = {name: resample(part, seed) for name, part in zip(NAMES, self._rows.rows().swapaxes(0, 1), strict=True)}
        sink, mostly = _where(found["shared"], SINK), _where(found["separator"], 0.5)
        separators = Resampled(sink.value * mostly.value, sink.draws * mostly.draws, sink.n)
        every = np.ones(len(sink.value), bool)
        counted = {"layers": sink.mean(every).estimate(), "layers.separator": separators.mean(every).estimate()}
        by_layer = facts({name: resampled.estimate() for name, resampled in found.items()}, SINKS, model, corpus)
        whole = facts(counted, SINKS, model, corpus)
        return pd.concat([by_layer, whole], ignore_index=True), head_facts({}, SINKS, model, corpus)


def _where(number: Resampled, above: float) -> Resampled:
    """1 for layers in which the number is above `above`, 0 for others; decided anew in every draw."""
    return Resampled((number.value > above).astype(float), (number.draws > above).astype(float), number.n)


def _watch(of: Subject) -> Watcher:
    scores = SinkScores()
    return watched_by(scores, scores.add, of)


PROCEDURE = Procedure("sinks", TEXT, _watch)
