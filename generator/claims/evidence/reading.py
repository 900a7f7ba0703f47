"""Reads one model's stored results table by table: picks the corpus and the part of it that count, and keeps a trail
of what was read.
"""

from collections.abc import Collection, Mapping
from functools import cached_property
from operator import itemgetter
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
import pandas as pd

from generator.corpora.languages import ENGLISH
from generator.errors import ResultsError
from generator.numbers.quantity import Undeclared
from generator.results.manifest import AGAIN, Manifest
from generator.results.ranges import out_of_range
from generator.studies.declared import quantity_of
from generator.studies.halves import reported

MEASURED = ("documents", "uniform")
"""Tables with a column for each measure and a row for each document; claims read single columns of them."""
HALVES = 0
"""Seed of the halves of running text that a scope may ask for."""


class Stored(Protocol):
    """A results folder, as `generator.results.store.Results` opens it."""

    @property
    def manifest(self) -> Manifest:
        """The record of the analysis."""

    @property
    def checksum(self) -> str:
        """Checksum of all that can be read here."""

    def table(self, name: str) -> pd.DataFrame:
        """A table by name; empty where the folder has none."""


class Read(NamedTuple):
    """One reading of the store: the rows that a number was made of."""

    table: str
    chosen: str
    """How the rows were chosen, such as `study = gradient, name = ratio.sep`."""
    found: pd.DataFrame
    """The rows, all of one corpus, which may have more columns than were read."""
    columns: tuple[str, ...] = ()
    """The columns that were read; empty if all were."""
    others: tuple[str, ...] = ()
    """The other corpora of which rows are stored that were not read, in their order."""

    @property
    def rows(self) -> pd.DataFrame:
        """The rows, with the columns that were read."""
        return self.found[[*self.columns]] if self.columns else self.found

    @property
    def corpus(self) -> str:
        """The corpus that was read; "" if nothing was found."""
        return str(self.found["corpus"].iat[0]) if len(self.found) else ""


class Scope(NamedTuple):
    """A part of the results, which can be judged by itself to see whether it gives the same verdict."""

    corpus: str = ""
    """From a table that holds this corpus, only its rows are read."""
    half: Literal["", "chosen", "reported"] = ""
    """One of two halves of the documents of running text, drawn by name."""

    def narrows(self, table: str) -> bool:
        """Whether this part may have fewer rows of a table than the whole results."""
        return table in MEASURED if self.half else bool(self.corpus)


EVERYTHING = Scope()
_NONE = np.array([], int)
NUMBERS = {"facts": ("value",), "head_facts": ("value",), "curves": ("value",), "rises": ("start", "end")}
"""Tables of numbers that are named by study and name -> the columns that hold the numbers."""


class Reader:
    """Reads tables, one corpus of each: that of the scope, or else the first in the manifest that the table holds."""

    def __init__(self, results: Stored, scope: Scope) -> None:
        self._results, self._scope = results, scope
        self._known: dict[str, pd.DataFrame] = {}
        self._places: dict[str, dict[tuple[str, str], dict[str, np.ndarray]]] = {}
        """Table of numbers -> (study, name) -> corpus -> places of the rows in the table."""
        self._found: dict[tuple[str, str], Read] = {}
        self.manifest = results.manifest
        self.trail: list[Read] = []
        """All readings so far, in their order."""

    @property
    def language(self) -> str:
        """ISO code of the language of what was read; "" if it is not known.

        If several languages were read it is one that is not English, because the claims were made on English.
        """
        read = {
            reading.corpus for reading in {(reading.table, reading.chosen): reading for reading in self.trail}.values()
        } - {""}
        return max({self.manifest.languages.get(name, "") for name in read} - {ENGLISH}, default=ENGLISH)

    def whole(self, name: str) -> pd.DataFrame:
        """A table with the rows of all corpora; this reading does not go into the trail.

        Raises ResultsError for a number beyond the range of its record.
        """
        if name not in self._known:
            table = self._results.table(name)
            if name in NUMBERS:
                self._places[name] = {}
                by: dict[Any, Any] = table.groupby(["study", "name", "corpus"], sort=False).indices
                for (study, called, corpus), rows in by.items():
                    self._places[name].setdefault((study, called), {})[corpus] = rows
                self._check(name, table)
            self._known[name] = table
        return self._known[name]

    def seen(self, name: str) -> pd.DataFrame:
        """The same, of the one corpus of the scope if the table has it."""
        table = self.whole(name)
        own = table["corpus"] == self._scope.corpus
        return table[own] if own.any() else table

    @cached_property
    def named(self) -> Mapping[str, Collection[str]]:
        """Study -> the names of its stored numbers, of the model and of heads."""
        found: dict[str, set[str]] = {}
        for table in ("facts", "head_facts"):
            self.whole(table)
            for study, name in self._places[table]:
                found.setdefault(study, set()).add(name)
        return found

    def read_by(self, study: str) -> set[str]:
        """The corpora of which a study stores numbers, of the model or of heads."""
        tables = [self._places[table] for table in ("facts", "head_facts") if study in self.named]
        return {corpus for places in tables for (of, _), by in places.items() if of == study for corpus in by}

    def _check(self, name: str, table: pd.DataFrame) -> None:
        where = f"{name}.parquet of {self.manifest.folder}"
        columns = [table[column].to_numpy() for column in NUMBERS[name]]
        for (study, called), places in sorted(self._places[name].items(), key=itemgetter(0)):
            try:
                quantity = quantity_of(study, called)
            except Undeclared:  # of another version of this program: no claim and no page reads it
                continue
            rows = np.concatenate([*places.values()])
            for numbers in columns:
                if wrong := out_of_range(numbers[rows], quantity):
                    raise ResultsError(f"Expected {wrong.expected} in {where}, found {wrong.found}; {AGAIN}.")

    def table(self, name: str, /, **chosen: str) -> pd.DataFrame:
        """The rows of one corpus that have these values in these columns."""
        by = ", ".join(f"{column} = {text}" for column, text in chosen.items())
        if (name, by) not in self._found:
            rows, there = self._rows(name, chosen)
            self._found[name, by] = Read(name, by, rows, others=self._others(there))
        read = self._found[name, by]
        if len(read.found):
            self.trail.append(read)
        return read.found

    def _rows(self, name: str, chosen: Mapping[str, str]) -> tuple[pd.DataFrame, Collection[str]]:
        """The rows of one corpus, and all corpora that have such rows."""
        table = self.whole(name)
        if name in self._places and {"study", "name"} <= chosen.keys() <= {"study", "name", "corpus"}:
            places = self._places[name].get((chosen["study"], chosen["name"]), {})
            rows = places.get(chosen.get("corpus") or self._corpus(places), _NONE)
            together = len(rows) and rows[-1] - rows[0] == len(rows) - 1  # then a slice copies nothing
            there = () if "corpus" in chosen else tuple(places)
            return table.iloc[rows[0] : rows[-1] + 1] if together else table.iloc[rows], there
        for column, text in chosen.items():
            table = table[table[column] == text] if len(table) else table
        return self._of_corpus(table), table["corpus"].unique() if len(table) else ()

    def column(self, name: str, *, uniform: bool = False) -> np.ndarray:
        """A measured column in the order of `documents`; if `uniform`, what uniform attention scores there."""
        table, place = ("uniform", ()) if uniform else ("documents", ("layer", "head"))
        found = self._uniform if uniform else self.documents
        columns = ("corpus", "document", *place, name)
        self.trail.append(Read(table, f"column = {name}", found, columns, self._others_read))
        return found[name].to_numpy(float)

    @cached_property
    def documents(self) -> pd.DataFrame:
        """One row per document of running text, layer and head."""
        return self._halved(self._of_corpus(self.whole("documents"))).sort_values(["document", "layer", "head"])

    @cached_property
    def _uniform(self) -> pd.DataFrame:
        """What uniform attention scores, in the order of `documents`."""
        return self._halved(self._of_corpus(self.whole("uniform"))).sort_values("document")

    @cached_property
    def _others_read(self) -> tuple[str, ...]:
        """The other texts of which documents were measured."""
        return self._others(self.whole("documents")["corpus"].unique())

    def _others(self, there: Collection[str]) -> tuple[str, ...]:
        read = self._corpus(there)
        return tuple(name for name in self.manifest.order if name in there and name != read)

    def _of_corpus(self, table: pd.DataFrame) -> pd.DataFrame:
        """The rows of one corpus."""
        there = table["corpus"].unique()
        return table[table["corpus"] == self._corpus(there)] if len(there) > 1 else table

    def _corpus(self, there: Collection[str]) -> str:
        """The corpus to read: that of the scope, or else the first in the order of kinds; "" if there is none."""
        if self._scope.corpus in there:
            return self._scope.corpus
        return next((name for name in self.manifest.order if name in there), min(there, default=""))

    def _halved(self, table: pd.DataFrame) -> pd.DataFrame:
        if not self._scope.half or not len(table):
            return table
        names = sorted(table["document"].unique())
        later = dict(zip(names, reported(names, HALVES), strict=True))
        return table[table["document"].map(later) == (self._scope.half == "reported")]
