"""How a study is carried out: what it needs, and functions from what was observed to tables. It names no other study's
code; the engine (`generator.survey`) gathers what the chosen studies need and hands each its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pandas as pd

from generator.attention.observed import LookAt, Observed
from generator.attention.words import WordMaps, word_maps
from generator.corpora.kinds import CorpusKind
from generator.corpora.pairs import Input, WordInput

if TYPE_CHECKING:
    from generator.models.masked_lm import MaskedLM  # loads transformers

Tables = dict[str, list[pd.DataFrame]]
"""Data frames by the names of `generator.results.tables`."""


class Need(Enum):
    """What a study takes beside a corpus, and what its functions are given for it."""

    SUMS = auto()
    """The sums that one pass over the corpus collects; nothing more is given."""
    MAPS = auto()
    """Maps of that pass: of running text a look at every layer's, of all other kinds whole, also word by word."""
    MODEL = auto()
    """The model itself, for its vectors or for passes over changed inputs: given an Encoder and its Anatomy."""
    MASKED_LM = auto()
    """Losses or gradients of a masked-LM head: given a MaskedLM."""
    ANSWERS = auto()
    """A head that finds answers in passages: given an Answering."""


@dataclass(frozen=True)
class Subject:
    """One model and one corpus, as the functions of a study get them."""

    model: str
    corpus: str
    shape: tuple[int, int]
    """Layers, heads."""
    inputs: Any
    """For running text a sequence of Input; for other kinds name -> (what is annotated, WordInput), or Questions."""
    seed: int
    pieces: Callable[[list[int]], list[str]]
    """The text of vocabulary ids."""
    table: Callable[[str], pd.DataFrame]
    """The rows of a table for this corpus, made by a study that this one comes after."""
    examples: Callable[[], pd.DataFrame]
    """Whole maps of the example sentences, where running text is read."""
    told_segments: bool
    """Whether the model is told segment ids."""
    masked_lm: "MaskedLM | None" = None
    word_vectors: str | None = None
    """A file with static vectors of words."""


@dataclass(frozen=True)
class SeenWords:
    """What one sentence or document with annotated words showed."""

    annotated: Any
    item: WordInput
    seen: Observed

    @cached_property
    def weights(self) -> np.ndarray:
        """`[layer, head, query, key]` among tokens."""
        return np.asarray(self.seen.weights)

    @cached_property
    def maps(self) -> WordMaps:
        """The maps among words."""
        return word_maps(self.weights, self.item)

    def once(self, function: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """What a function makes of the weights among words, computed once for all studies that ask."""
        if function not in self._known:
            self._known[function] = function(self.maps.weights)
        return self._known[function]

    @cached_property
    def _known(self) -> dict[Callable[[np.ndarray], np.ndarray], np.ndarray]:
        return {}


@dataclass(frozen=True)
class Watcher:
    """Looks at everything that one pass over a corpus shows, in any order, and then gives tables."""

    add: Callable[[Any], None]
    """Takes an Observed of running text, and SeenWords of other kinds."""
    tables: Callable[[], Tables]
    twins: int = 0
    """How many draws of the untrained twin should read the corpus, too."""
    add_twin: Callable[[int, Any], None] | None = None
    """Takes the number of the draw, from 0, and what it showed; of words, draws that others asked for come as well."""
    twin_inputs: Sequence[Input] = ()
    """What twins read of running text; the corpus is read whole where words are annotated."""
    look: LookAt | None = None
    """What it takes of the maps of running text while they are there, added up over queries."""
    rows: LookAt | None = None
    """What it takes of their rows, in one array for each layer."""
    states: bool = False
    """Whether it asks for hidden states."""


@dataclass(frozen=True)
class Part:
    """A function that gives tables once the pass is over; it gets the subject and what its need says."""

    need: Need
    function: Callable[..., Tables]
    note: str = ""
    """Said before it begins, because it takes long."""


@dataclass(frozen=True)
class Procedure:
    """A study that an analysis makes. It is left out where what it needs is not to be had."""

    study: str
    """Its name, which stands in the column `study` of `facts` and `head_facts`."""
    reads: CorpusKind
    watch: Callable[..., Watcher] | None = None
    """Gets the subject and what `watches` says."""
    watches: Need = Need.MAPS
    """What it needs beside the pass."""
    parts: tuple[Part, ...] = ()
    tables: tuple[str, ...] = ()
    """The tables that hold its rows and no other study's."""
    after: tuple[str, ...] = ()
    """Studies whose tables it reads."""

    @property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """All functions that the study calls; their modules are its code."""
        return (*([self.watch] if self.watch else []), *(part.function for part in self.parts))


def two_tables(facts: pd.DataFrame, head_facts: pd.DataFrame) -> Tables:
    """Numbers of the model and of its heads."""
    return {"facts": [facts], "head_facts": [head_facts]}


class Scores(Protocol):
    """What gathers numbers of the model and of its heads."""

    def tables(self, model: str, corpus: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
        """`facts` and `head_facts`."""


def watched_by(scores: Scores, add: Callable[[Any], None], of: Subject, look: LookAt | None = None) -> Watcher:
    """A watcher that adds to scores."""
    return Watcher(add, lambda: two_tables(*scores.tables(of.model, of.corpus, of.seed)), look=look)
