"""How a study is carried out: what it needs, and the functions that turn observations into tables.

No study starts another. The engine (`generator.survey`) gathers what all chosen studies need and gives it to them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import pandas as pd

from generator.attention.observed import Observed, ObserverOf
from generator.attention.words import WordMaps, word_maps
from generator.corpora.kind import Kind
from generator.corpora.pairs import Input, WordInput

if TYPE_CHECKING:
    from generator.models.encoder import Encoder  # loads torch
    from generator.models.masked_lm import MaskedLM  # loads transformers

Tables = dict[str, list[pd.DataFrame]]
"""Name of a table in `generator.results.tables` -> data frames with rows for it."""

DrawTwin = Callable[["Encoder", int, int], "Encoder"]
"""A function that draws an untrained twin of a model, from a seed and the number of the draw."""
PARTICULAR = ("word_vectors",)
"""Settings that change the numbers only of studies that name them."""


class Need(Enum):
    """What a study needs besides a corpus, and what its functions get for that."""

    SUMS = auto()
    """The sums that one pass over the corpus collects; its functions get nothing more."""
    MAPS = auto()
    """Maps from that pass: for running text an observer of every layer, else whole maps, also by word."""
    MODEL = auto()
    """The model itself, for its vectors or for passes over changed inputs: functions get an Encoder and its Anatomy."""
    MASKED_LM = auto()
    """Losses or gradients of a masked-LM head: functions get a MaskedLM and its Anatomy."""
    ANSWERS = auto()
    """A head that finds answers in passages: functions get an Answering."""


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
    """A function that returns the pieces of vocabulary ids, as text."""
    table: Callable[[str], pd.DataFrame]
    """A function that returns the rows of a table for this corpus, made by a study named in `after`."""
    examples: Callable[[], pd.DataFrame]
    """A function that returns whole maps of the example sentences; only for running text."""
    told_segments: bool
    """Whether the model is given segment ids."""
    masked_lm: "MaskedLM | None" = None
    device: str = "cpu"
    """Where the model computes."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Those of PARTICULAR that the study names, with their values."""

    def of(self, study: "Procedure") -> "Subject":
        """The same subject with the settings that a study names, and no others."""
        return replace(self, settings={name: self.settings[name] for name in study.settings})


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
        """The result of a function of the weights among words, computed once for all studies that ask for it."""
        if function not in self._known:
            self._known[function] = function(self.maps.weights)
        return self._known[function]

    @cached_property
    def _known(self) -> dict[Callable[[np.ndarray], np.ndarray], np.ndarray]:
        return {}


@dataclass(frozen=True)
class Asked:
    """An input that a study has read beside what all studies are shown: one that is changed, or one of the corpus.

    However many ask for it, it is read once, and an input of the corpus in the pass. The encoder reads it, with its own
    segment ids and without smoothing.
    """

    name: str
    """What the study calls it."""
    input: Input
    observers: tuple[ObserverOf, ...] = ()
    """Looks at its maps whose results for blocks are added up."""
    measured: bool = False
    """Whether its primitives are needed."""
    beside: Input | None = None
    """An input of the corpus, of the same length, that is looked at first: block by block, each before its own."""


@dataclass(frozen=True)
class Watcher:
    """Is shown everything in one pass over a corpus, in any order, and then makes tables."""

    add: Callable[[Any], None]
    """Called with an Observed for running text, and with SeenWords for other kinds of corpus."""
    tables: Callable[[], Tables]
    twins: int = 0
    """How many draws of an untrained twin should read the corpus, too."""
    draw_twin: DrawTwin | None = None
    """Makes a twin from the model, a seed and the number of the draw; the same for all watchers that ask for twins."""
    add_twin: Callable[[int, Any], None] | None = None
    """Called with the 0-based number of a draw that the watcher asked for, and what the twin showed."""
    twin_inputs: Sequence[Input] = ()
    """The inputs of running text that twins read; of a corpus with annotated words they read everything."""
    observer: ObserverOf | None = None
    """The observer of maps of running text whose results are added up over blocks of queries."""
    rows: ObserverOf | None = None
    """The observer of maps of running text that fills one array per layer with rows."""
    states: bool = False
    """Whether it needs hidden states."""
    asked: Sequence[Asked] = ()
    """The inputs of running text that it asks for."""
    add_asked: Callable[[Asked, Observed], None] | None = None
    """Called with each of them and what it showed; not with those for which memory did not suffice."""
    threaded: bool = False
    """Whether several threads may call `add` at a time, because it takes long."""


@dataclass(frozen=True)
class Part:
    """A function that makes tables once the pass is over; it gets the subject and what belongs to its need."""

    need: Need
    function: Callable[..., Tables]
    note: str = ""
    """A note to report before it begins, because it takes long."""


class Held(NamedTuple):
    """How much room a study of running text takes for each document, in numbers of each head."""

    kept: int = 0
    """What lies in a temporary file until all documents are read."""
    made: int = 0
    """What is made of it in memory."""


NOTHING_HELD = Held()


def nothing(_of: Subject) -> int:
    """What a study reads again if all that it needs comes from the pass."""
    return 0


@dataclass(frozen=True)
class Procedure:
    """A study that an analysis makes; it is left out if what it needs is not available."""

    study: str
    """Its name, which stands in the column `study` of `facts` and `head_facts`."""
    reads: Kind
    watch: Callable[..., Watcher] | None = None
    """Returns a watcher; gets the subject and what belongs to the need `watches`."""
    watches: Need = Need.MAPS
    """What the watcher needs besides the pass."""
    parts: tuple[Part, ...] = ()
    tables: tuple[str, ...] = ()
    """The tables that only hold rows of this study."""
    after: tuple[str, ...] = ()
    """Studies whose tables it reads."""
    settings: tuple[str, ...] = ()
    """Which of PARTICULAR it reads."""
    again: Callable[[Subject], int] = nothing
    """About how many tokens it reads again when the pass is over, so that the time left can be estimated."""
    held: Held = NOTHING_HELD
    """What it holds of every document, so that a text that does not fit into memory is refused before it is read."""

    @property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """All functions that the study calls; with what they reach in this package, they are its code."""
        return (*([self.watch] if self.watch else []), *(part.function for part in self.parts))

    @property
    def needs(self) -> set[Need]:
        """All that its functions need."""
        return {*([self.watches] if self.watch else []), *(part.need for part in self.parts)}


def two_tables(facts: pd.DataFrame, head_facts: pd.DataFrame) -> Tables:
    """The tables `facts` and `head_facts` with these rows."""
    return {"facts": [facts], "head_facts": [head_facts]}


class Scores(Protocol):
    """An object that gathers numbers of the model and of its heads."""

    def tables(self, model: str, corpus: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
        """`facts` and `head_facts`."""


def watched_by(scores: Scores, add: Callable[[Any], None], of: Subject, observer: ObserverOf | None = None) -> Watcher:
    """A watcher that calls `add` for all that is seen and takes its tables from `scores`."""
    return Watcher(add, lambda: two_tables(*scores.tables(of.model, of.corpus, of.seed)), observer=observer)
