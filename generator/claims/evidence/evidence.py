"""What a claim may see of one model: stored results, read by name, with intervals; never a chart or a page.

Every number comes from one corpus: the one that is asked for, or the first in the manifest that its table holds. A
number that is not stored, or is undefined for the model, raises NotTestable with the reason; a name that no study
declares raises Undeclared. All that was read is kept in `trail`, so that a verdict can be followed by hand.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import pandas as pd

from generator.claims.evidence.documents import Documents, Statistic
from generator.claims.evidence.reading import EVERYTHING, Read, Reader, Scope, Stored
from generator.claims.evidence.reasons import check_measured, nothing_read, nothing_stored
from generator.claims.evidence.rows import grid, number
from generator.claims.missing import NotTestable
from generator.corpora.catalogue import is_own
from generator.corpora.files import TEXT
from generator.corpora.kinds import TASK
from generator.numbers.number import Grid, Number
from generator.numbers.quantity import Study
from generator.results.manifest import Manifest
from generator.studies.declared import quantity_of, study_of
from generator.studies.halves import order

UNIFORM = "uniform:"
"""Stands before a column's name to ask for what uniform attention scores on the same text."""
CHOSEN = 1
"""Seed of the halves of running text on which something is chosen and reported."""


class Evidence:
    """The results of one model, or a part of them."""

    def __init__(self, results: Stored, scope: Scope = EVERYTHING) -> None:
        self._results, self._store = results, Reader(results, scope)
        self.is_whole = scope == EVERYTHING
        """Whether it sees all results, and no part of them alone."""
        self.model = results.manifest.model
        self.slug = results.manifest.slug
        self.layers = results.manifest.layers
        self.heads = results.manifest.heads
        self.named: list[tuple[int, int]] = []
        """Layer and head, from 1, of the heads whose numbers were read since it was cleared."""
        self.learned: set[str] = set()
        """The tasks that were learned and whose numbers were read since it was cleared."""
        self.judged: dict[str, list[Read]] = {}
        """All that was read for each claim that was judged, by its id."""
        self._within: dict[str, Evidence] = {}

    @property
    def trail(self) -> list[Read]:
        """All that was read since it was cleared."""
        return self._store.trail

    def others(self, read: Sequence[Read]) -> dict[str, "Evidence"]:
        """The other corpora of one language that have the same numbers as were read -> what a claim may see of each.

        A treebank that was written for this project is not heard beside others.
        """
        languages = self._store.manifest.languages
        own = {corpus.name for corpus in self.manifest.corpora if is_own(corpus.name, corpus.sha256)}
        names = {
            other: None
            for reading in read
            for other in reading.others
            if languages.get(other, "") == languages.get(reading.corpus, "")
            and (other not in own or reading.corpus in own)
        }
        for name in names:
            if name not in self._within:
                self._within[name] = Evidence(self._results, Scope(corpus=name))
        return {name: self._within[name] for name in names}

    def table(self, name: str, /, **chosen: str) -> pd.DataFrame:
        """The rows of a table, all of one corpus, that have these values in these columns; no rows if none has."""
        return self._store.table(name, **chosen)

    def seen(self, table: str) -> pd.DataFrame:
        """A table with the rows of all corpora that may be seen; this reading does not go into the trail."""
        return self._store.seen(table)

    @property
    def manifest(self) -> Manifest:
        """The record of the analysis."""
        return self._store.manifest

    def name(self, chosen: np.ndarray) -> None:
        """Note which heads a number is about; `chosen` holds a boolean per head, `[layer, head]`."""
        self.named += [(int(layer) + 1, int(head) + 1) for layer, head in np.argwhere(chosen)]

    @property
    def language(self) -> str:
        """ISO code of the language that was read; if there were several, one that is not English; "" if unknown."""
        return self._store.language

    def rows(self, column: str) -> np.ndarray:
        """A measure's column, `[document, layer, head]`, documents by name; of a uniform column `[document, 1, 1]`."""
        name = column.removeprefix(UNIFORM)
        shape = (1, 1) if name != column else (self.layers, self.heads)
        return self._store.column(name, uniform=name != column).reshape(-1, *shape)

    def mean(self, column: str) -> np.ndarray:
        """`[layer, head]`, mean over the documents that define it; NaN where none does."""
        return self._sample(column).mean(column)

    def estimate(self, columns: Sequence[str], statistic: Statistic, seed: int = 0, *, heads: bool = False) -> Number:
        """A statistic of means over documents; the interval resamples documents and computes the whole statistic again.

        With `heads`, the heads of every layer are resampled too, as statements about heads need. `n` counts documents.
        Raises NotTestable if a mean that it needs, or the statistic itself, is undefined.
        """
        return self._sample(*columns).estimate(columns, statistic, seed, heads=heads)

    def half(self, columns: Sequence[str], *, later: bool) -> Documents:
        """Columns of one of two halves of the documents, drawn by name: one to choose on, and the later to report on.

        Their sizes differ by one at most; they are not the halves of a scope. Raises NotTestable as `estimate` does.
        """
        rows = self._sample(*columns).rows
        names = sorted(self._store.documents["document"].unique())
        chosen = set(order(names, CHOSEN)[: len(names) // 2])
        kept = np.array([(name not in chosen) == later for name in names])
        return Documents({column: rows[column][kept] for column in columns})

    def share_of_heads(self, columns: Sequence[str], chosen: Statistic, seed: int = 0) -> Number:
        """The share of heads for which a condition on means over documents holds; `n` counts heads.

        `chosen` takes means `[draw, layer, head]` and returns booleans of the same shape. The interval allows for the
        documents and for the small number of heads: Wilson's interval around both ends of the bootstrap over documents.
        """
        found = self._sample(*columns).share_of_heads(columns, chosen, seed)
        self.name(chosen(*(self.mean(column)[None] for column in columns))[0])
        return found

    @property
    def tasks(self) -> tuple[str, ...]:
        """The labelled tasks that experiments read, in the order of their names."""
        return tuple(sorted(self._store.manifest.of(TASK)))

    def read_by(self, study: str) -> set[str]:
        """The corpora, or tasks, of which a study stores numbers."""
        return self._store.read_by(study)

    def of_kind(self, study: Study, corpus: str = "") -> tuple[str, ...]:
        """The names of the stored studies of a kind, such as one for each other model, on this corpus if one is
        named.
        """
        found: set[str] = set()
        for table in map(self._store.whole, ("facts", "head_facts")):
            rows = table[table["corpus"] == corpus] if corpus else table
            found |= set(filter(study.owns, map(str, rows["study"].unique())))
        return tuple(sorted(found))

    def fact(self, study: str, name: str, corpus: str = "") -> Number:
        """A number of the whole model. Raises NotTestable."""
        found = self.known_fact(study, name, corpus)
        if found is None:
            raise self.missing(study, name)
        return found

    def known_fact(self, study: str, name: str, corpus: str = "") -> Number | None:
        """A number of the whole model; None if it is not stored or is undefined."""
        table = self._facts("facts", study, name, corpus)
        # Layers count from 1; 0 is the whole model.
        (places,) = np.nonzero(table["layer"].to_numpy() == 0)
        return number({column: table[column].iat[places[0]] for column in Number._fields}) if len(places) else None

    def of_chosen(self, study: str, name: str, chosen: str, corpus: str = "") -> Number:
        """A number of the whole model that is one head's; the head is noted if the study stores it under `chosen`.

        Results that were made before a study stored which head it chose do not name it: a head that was chosen on
        another corpus than that of the number is not the one. Raises NotTestable.
        """
        found = self.fact(study, name, corpus)
        read = self.trail[-1].corpus
        layer, head = (self.known_fact(study, f"{chosen}.{axis}", read) for axis in ("layer", "head"))
        if layer and head:
            self.named.append((int(layer.value), int(head.value)))
        return found

    def facts(self, study: str, name: str, corpus: str = "") -> Grid:
        """A number of every layer, `[layer]`; NaN where a layer is not stored. Raises NotTestable."""
        table = self._facts("facts", study, name, corpus)
        table = table[table["layer"] > 0] if len(table) else table
        if not len(table):
            raise self.missing(study, name)
        return grid(table, (self.layers,))

    def head_facts(self, study: str, name: str, corpus: str = "") -> Grid:
        """A number of every head, `[layer, head]`; NaN where a head is not stored. Raises NotTestable."""
        found = self.known_head_facts(study, name, corpus)
        if found is None:
            raise self.missing(study, name)
        return found

    def known_head_facts(self, study: str, name: str, corpus: str = "") -> Grid | None:
        """The same; None if no head has this number."""
        table = self._facts("head_facts", study, name, corpus)
        return grid(table, (self.layers, self.heads)) if len(table) else None

    def missing(self, study: str, name: str = "") -> NotTestable:
        """Why a number of a study is not there or, without a name, why the whole study is not."""
        named = self._store.named
        return nothing_stored(study_of(study), name, self._store.manifest, named.get(study, ()), named)

    def _facts(self, table: str, study: str, name: str, corpus: str) -> pd.DataFrame:
        quantity_of(study, name)
        return self._store.table(table, study=study, name=name, **({"corpus": corpus} if corpus else {}))

    def _sample(self, *columns: str) -> Documents:
        """The columns as documents to resample."""
        if not len(self._store.documents):
            raise nothing_read(TEXT, self._store.manifest)
        for column in columns:
            if column not in self._sampled.rows:
                self._sampled.rows[column] = self.rows(column)
            else:
                self.rows(column)  # for the trail
            check_measured(column, self._sampled.rows[column], self._store.manifest)
        return self._sampled

    @cached_property
    def _sampled(self) -> Documents:
        return Documents({})
