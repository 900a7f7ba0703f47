"""Stored results of one model, arranged for pages: arrays by measure, summaries of heads, and their neighbours."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np
import pandas as pd

from generator.claims.cutoffs import SEED
from generator.claims.gate.maps import BLOCK, FEWEST, LEAN, Measured
from generator.claims.gate.statement import Place, Statement, given
from generator.corpora.classes import CLASS_OF, TokenClass
from generator.corpora.files import TEXT
from generator.measures import COLUMNS
from generator.numbers.number import UNDEFINED, Number
from generator.numbers.pieces import readable
from generator.numbers.resampling import FEW_DOCUMENTS
from generator.pages.heads.aside import Aside
from generator.pages.heads.naming.names import candidates, found, specialists
from generator.pages.heads.naming.naming import finds
from generator.pages.heads.summary import MOST, TARGETS, Summary, summarise
from generator.pages.heads.written import HeadGrid, Written, grids, written
from generator.results.files import Folder, folders
from generator.results.store import Results
from generator.results.tables import records
from generator.studies.between_heads import mean_divergence, profile_distance
from generator.studies.breadth import breadth
from generator.studies.commonest_sink import commonest_sinks
from generator.studies.over_heads import ranks
from generator.studies.segments import segment_excess
from generator.topics import of_topics

Square = TypeVar("Square")
Made = TypeVar("Made")
DECILE_NAMES = {10: "Strongest tenth", 5: "Middle tenth", 1: "Weakest tenth"}
REMEMBERED = ("estimates", "summaries", "special_tokens", "folders")
"""What pages of all models show of each, beside what topics show of it."""


class Example(NamedTuple):
    """One head's map of one sentence."""

    text: str
    tokens: list[str]
    weights: np.ndarray
    """`[query, key]`."""

    @classmethod
    def of(cls, row: Mapping[str, Any], text: str) -> Self:
        """The map that a row stores."""
        tokens = list(row["tokens"])
        return cls(text, tokens, row["weights"].reshape(len(tokens), len(tokens)))


@dataclass(frozen=True)
class Cached(Generic[Made]):
    """What pages of all models show of each, kept between builds. A topic gives it as `CACHED`."""

    name: str
    make: Callable[["Atlas"], Made]
    records: tuple[type, ...] = ()
    """The classes of which it is made."""

    def of(self, atlas: "Atlas") -> Made:
        """What it is of one model, made when it is asked for first."""
        return atlas.once(self.make, self.name)


def cached() -> tuple[Cached[Any], ...]:
    """What topics show of each model on pages of all."""
    return tuple(of_topics("cached", "CACHED"))


@dataclass(frozen=True)
class Atlas:
    """A model's results on the corpus its pages show: the first of its manifest."""

    results: Results

    @classmethod
    def of(cls, results: Results, numbers: Mapping[str, Any]) -> Self:
        """The atlas of these results with the `numbers` that another atlas of them has already computed."""
        atlas = cls(results)
        vars(atlas).update(numbers)
        return atlas

    @property
    def numbers(self) -> dict[str, Any]:
        """What pages of all models show of this one, in a form that can be written to a file."""
        return {name: getattr(self, name) for name in REMEMBERED} | {part.name: part.of(self) for part in cached()}

    def once(self, make: Callable[["Atlas"], Made], name: str = "") -> Made:
        """What a function makes of this model, made when it is asked for first; under a name if it may be given."""
        key = name or f"{make.__module__}.{make.__qualname__}"
        if key not in vars(self):
            vars(self)[key] = make(self)
        made: Made = vars(self)[key]
        return made

    @cached_property
    def folders(self) -> tuple[Folder, ...]:
        """The folders of its results."""
        return tuple(folders(self.results))

    @property
    def slug(self) -> str:
        """The model's folder and address."""
        return self.results.manifest.slug

    @property
    def shape(self) -> tuple[int, int]:
        """Layers, heads."""
        return self.results.manifest.layers, self.results.manifest.heads

    @cached_property
    def corpus(self) -> str:
        """The name of the corpus that is shown."""
        return next(iter(self.results.manifest.of(TEXT)))

    @property
    def drawn_from_layers(self) -> bool:
        """Whether that corpus has numbers of layers, without which there are no documents to class or draw from."""
        return bool((self.results.layers["corpus"] == self.corpus).any())

    def by_layer(self, cells: Sequence[Square]) -> tuple[tuple[Square, ...], ...]:
        """What stands for each head, in the order of `places`, as a row for each layer."""
        heads = self.shape[1]
        return tuple(tuple(cells[start : start + heads]) for start in range(0, len(cells), heads))

    @cached_property
    def documents(self) -> int:
        """How many documents of that corpus were read."""
        return self.results.manifest.counts[self.corpus]["documents"]

    @property
    def text(self) -> str:
        """What was read, as words of a sentence."""
        few = "; too few for intervals to mean much" if self.documents < FEW_DOCUMENTS else ""
        return f"{self.documents} documents of {self.corpus}{few}"

    @cached_property
    def estimates(self) -> dict[str, HeadGrid]:
        """Column -> its numbers for all heads."""
        return grids(*(table[table["corpus"] == self.corpus] for table in (self.results.heads, self.results.layers)))

    def stacked(self, field: str, columns: tuple[str, ...]) -> np.ndarray:
        """One field of the estimates of several columns, `[layer, head, column]`."""
        key = field, columns
        if key not in self._stacked:
            self._stacked[key] = np.stack([getattr(self.estimates[name], field) for name in columns], -1)
        return self._stacked[key]

    @cached_property
    def _stacked(self) -> dict[tuple[str, tuple[str, ...]], np.ndarray]:
        return {}

    @cached_property
    def summaries(self) -> dict[tuple[int, int], Summary]:
        """1-based (layer, head) -> the head's summary."""
        named_for = specialists(self.results.once(found))
        asides: dict[Place, Aside] = {}
        for find in reversed([*finds().values()]):
            asides |= {place: one._replace(kind=find.kind) for place, one in find.asides(self.results).items()}
        made: dict[tuple[int, int], Summary] = {}
        for place, statements in self.candidates.items():
            said = [statement for statement in given(statements) if statement.kind not in finds()]
            named = named_for.get(place, ()), self.special_tokens, asides.get(place)
            lean = next((statement for statement in statements if statement.kind == LEAN), None)
            made[place] = summarise(self._measured[place], said, *named, looked=self.looked, lean=lean)
        return made

    @property
    def looked(self) -> bool:
        """Whether anything was read in which heads can find something, such as a treebank."""
        return any(len(self.results.table(name)) for find in finds().values() for name in find.tables)

    @cached_property
    def candidates(self) -> dict[Place, tuple[Statement, ...]]:
        """1-based (layer, head) -> the names that it may have, given or refused, in the order of the rules."""
        columns = {target.kind: target.column for target in TARGETS}
        return candidates(self.results, self._measured.values(), columns)

    @cached_property
    def _measured(self) -> dict[Place, Measured]:
        """What was measured of the maps of each head."""
        uniform = {name: estimate.uniform for name, estimate in self.estimates.items()}
        values = ({name: estimate.of(*place) for name, estimate in self.estimates.items()} for place in self.places)
        made = zip(self.places, values, strict=True)
        heads, excess, broad = len(self.places), self._excess, self._breadth
        return {
            place: Measured(
                place, values=of, uniform=uniform, heads=heads, excess=excess(*place), breadth=broad(*place)
            )
            for place, of in made
        }

    @property
    def _breadth(self) -> Callable[[int, int], Number]:
        """For a layer and head, its entropy as a share of that of uniform attention."""
        shares = breadth(*self._documents, SEED)
        return lambda layer, head: shares.at(layer - 1, head - 1)

    @property
    def breadths(self) -> dict[Place, Number]:
        """Head -> its entropy as a share of that of uniform attention."""
        return {place: measured.breadth for place, measured in self._measured.items()}

    @cached_property
    def target_words(self) -> dict[str, str]:
        """Measure of attention to a target -> the target in words, with this model's special tokens."""
        return {target.column: self.special_tokens.get(target.kind, target.words) for target in TARGETS}

    @property
    def _documents(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The rows of the corpus that is shown in the tables `documents` and `uniform`."""
        documents, uniform = (
            table[table["corpus"] == self.corpus] for table in (self.results.documents, self.results.uniform)
        )
        return documents, uniform

    @property
    def _excess(self) -> Callable[[int, int], Number]:
        """For a layer and head, attention within the segment beyond what the distances alone give at which the head
        looks; it is not computed where no head could be named for blocks.
        """
        block = self.estimates.get(f"pattern.{BLOCK}")
        if block is None or block.n < FEWEST or not (block.value > MOST).any():
            return lambda *_: UNDEFINED
        beyond = segment_excess(*self._documents, SEED)
        return lambda layer, head: beyond.at(layer - 1, head - 1)

    @cached_property
    def special_tokens(self) -> dict[str, str]:
        """Kind of target -> what the tokenizer calls it, for the begin token and the separator if that is known."""
        shown = self.results.examples["tokens"]
        seen = {*self.results.manifest.vocabulary.values(), *(shown.iloc[0] if len(shown) else ())}
        kinds = {TokenClass.BEGIN: "begin", TokenClass.SEPARATOR: "separator"}
        return {kinds[kind]: token for token, kind in CLASS_OF.items() if token in seen and kind in kinds}

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """Every head as 1-based (layer, head), in order."""
        layers, heads = self.shape
        return [(layer, head) for layer in range(1, layers + 1) for head in range(1, heads + 1)]

    @cached_property
    def ranks(self) -> dict[str, np.ndarray]:
        """Column -> ranks `[layer, head]`, as `ranks` returns them."""
        return {name: ranks(estimate.value) for name, estimate in self.estimates.items()}

    @cached_property
    def deciles(self) -> dict[tuple[int, int], list[Example]]:
        """1-based (layer, head) -> maps of sentences in which the head attends strongly, moderately and weakly."""
        table = self.results.table("deciles").sort_values(["layer", "head", "decile"], ascending=[True, True, False])
        maps: dict[tuple[int, int], list[Example]] = {}
        for row in records(table):
            text = f"{DECILE_NAMES.get(row['decile'], row['decile'])}: {' '.join(map(readable, row['tokens']))}"
            maps.setdefault((row["layer"], row["head"]), []).append(Example.of(row, text))
        return maps

    @cached_property
    def divergence(self) -> np.ndarray | None:
        """`[head, head]` over all heads in order: mean Jensen-Shannon divergence in nats; None where not measured."""
        table = self.results.table("divergence")
        table = table[table["corpus"] == self.corpus] if len(table) else table
        if not len(table):
            return None
        return mean_divergence(table, len(self.places))

    @cached_property
    def written(self) -> Written:
        """The numbers of all heads as text."""
        return written(self.results, {name: estimate.value for name, estimate in self.estimates.items()})

    @cached_property
    def distances(self) -> np.ndarray:
        """`[head, head]`: the divergence or, if not measured, Euclidean distance of measures scaled to unit spread."""
        if self.divergence is not None:
            return self.divergence
        return profile_distance(self.stacked("value", COLUMNS).reshape(-1, len(COLUMNS)))

    def similar(self, layer: int, head: int, count: int) -> list[tuple[tuple[int, int], float]]:
        """The heads nearest by `distances`, nearest first."""
        here = self.places.index((layer, head))
        distances = self.distances[here]
        first = np.argsort(distances, kind="stable")[: count + 1].tolist()  # it may itself be one of them
        return [(self.places[other], float(distances[other])) for other in first if other != here][:count]

    @cached_property
    def sinks(self) -> dict[tuple[int, int], tuple[str, int]]:
        """By 1-based (layer, head): the commonest sink and the number of documents in which it is the sink."""
        table, names = self.results.documents, self.results.manifest.vocabulary
        commonest = commonest_sinks(table[table["corpus"] == self.corpus])
        return {place: (names[str(token)], count) for place, (token, count) in commonest.items()}

    @cached_property
    def examples(self) -> dict[tuple[int, int], list[Example]]:
        """1-based (layer, head) -> the head's map of each example sentence."""
        table = self.results.examples.sort_values(["sentence", "layer", "head"])
        maps: dict[tuple[int, int], list[Example]] = {place: [] for place in self.places}
        for row in records(table):
            maps[row["layer"], row["head"]].append(Example.of(row, row["text"]))
        return maps
