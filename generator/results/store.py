"""Results folders on disk: they are found again, and read only if unchanged since they were written."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from generator.corpora.kinds import rank
from generator.errors import ResultsError, reason
from generator.files import UNKNOWN, Known
from generator.measures import COLUMNS
from generator.results.check import first_wrong
from generator.results.manifest import AGAIN, FILE, CorpusRecord, Manifest, checksum_of, checksums
from generator.results.swap import ASIDE, beside
from generator.results.tables import FORMAT, KEPT_OUT, REQUIRED, TABLES

Made = TypeVar("Made")
PARTS = "parts"
"""The column of `inputs` with the segments by which a model was measured."""
DOCUMENTS = "documents"
"""The column of `divergence` that says of how many documents a row is the mean."""
LATER = (*COLUMNS, PARTS, DOCUMENTS)
"""Columns that tables which were stored before do not have."""


@dataclass(frozen=True)
class Results:
    """A stored analysis; tables are read when they are asked for."""

    folder: Path
    manifest: Manifest
    more: tuple["Results", ...] = ()
    """Analyses of the same weights and precision on further treebanks and the like, and experiments on them."""

    def __repr__(self) -> str:
        manifest = self.manifest
        read = ", ".join(dict.fromkeys(corpus.name for corpus in manifest.corpora)) or "no corpus"
        shape = f"{manifest.layers} layers of {manifest.heads} heads"
        return f"<Results of {manifest.model}: {shape} on {read}, {self.folder}>"

    @classmethod
    def open(cls, folder: Path, known: Known = UNKNOWN) -> "Results":
        """Open a folder. Raises ResultsError if tables are missing; results without running text need fewer tables.

        Every table is compared with its checksum, and once more when its rows are read, so that nothing is read that
        was changed later. A file that has the size and time of its entry in `known` is compared only then.
        """
        manifest = Manifest.read(folder)
        there = checksums(folder, known)
        required = dict.fromkeys([*(REQUIRED if _is_whole(manifest) else ()), *manifest.tables])
        # a table that the program no longer has is not read
        missing = [name for name in required if name in TABLES and name not in there and name not in KEPT_OUT]
        if missing:
            raise ResultsError(
                f"Expected {missing[0]}.parquet in {folder}, found it missing; analyse the model again with: "
                f"fieldguide analyze {manifest.model}"
            )
        changed = [name for name in there if there[name] != manifest.tables.get(name)]
        if changed:
            raise ResultsError(
                f"Expected {folder / changed[0]}.parquet as it was written, found other contents; {AGAIN}."
            )
        return cls(folder, manifest)

    def table(self, name: str) -> pd.DataFrame:
        """A table by its name, with the rows that `more` adds; a table that was not stored has no rows.

        Raises ResultsError for any other name, and for a table that is damaged.
        """
        if name not in TABLES:
            raise ResultsError(f"Expected the name of a table among {', '.join(TABLES)}, found {name!r}; correct it.")
        if name not in self._known:
            self._known[name] = self._table(name)
        return self._known[name]

    def of_study(self, name: str, study: str) -> pd.DataFrame:
        """The rows of one study in a table that has rows of several."""
        if (name, study) not in self._of_studies:
            table = self.table(name)
            self._of_studies[name, study] = table[table["study"] == study]
        return self._of_studies[name, study]

    @cached_property
    def checksum(self) -> str:
        """Checksum of everything that can be read here, from the manifests, which have the checksums of the tables."""
        manifests = [checksum_of(self.manifest.facts), *(results.checksum for results in self.more)]
        return hashlib.sha256("\n".join(manifests).encode()).hexdigest()

    def once(self, make: Callable[["Results"], Made]) -> Made:
        """What a function makes of these results, made when it is asked for first."""
        if make not in self._made:
            self._made[make] = make(self)
        found: Made = self._made[make]
        return found

    def release(self) -> None:
        """Free the memory of the tables that were read, and of what was made of them; they are read again when they are
        asked for.
        """
        for results in (self, *self.more):
            results._known.clear()
            results._of_studies.clear()
            results._made.clear()

    @cached_property
    def _known(self) -> dict[str, pd.DataFrame]:
        return {}

    @cached_property
    def _made(self) -> dict[Callable[["Results"], Any], Any]:
        return {}

    @cached_property
    def _of_studies(self) -> dict[tuple[str, str], pd.DataFrame]:
        return {}

    def _table(self, name: str) -> pd.DataFrame:
        there = self._path(name).is_file()
        own = _quick(self._read(name)) if there else _empty(name).copy(deep=False)
        parts = [own, *(part for part in (results.table(name) for results in self.more) if len(part))]
        return pd.concat(parts, ignore_index=True) if len(parts) > 1 else own

    def with_more(self, others: Sequence["Results"]) -> "Results":
        """These results with those of the others in `more` that fit: of the same weights and precision, without running
        text, and of corpora or an experiment that are not there yet.

        The manifest gets their corpora, of each kind the largest first, and their commands.
        """
        known = set(self.manifest.counts)
        fitting = []
        for other in others:
            fits = other.manifest.made_with == self.manifest.made_with and not _is_whole(other.manifest)
            knows = {other.manifest.folder} if other.manifest.experiment else set(other.manifest.counts)
            # A corpus that is there already would count twice.
            if fits and known.isdisjoint(knows):
                fitting.append(other)
                known |= knows
        manifest = self.manifest
        read = {(corpus.name, corpus.kind): corpus for corpus in manifest.corpora}
        for more in (part.manifest for part in fitting):
            added = [corpus for corpus in more.corpora if not corpus.kind.measured]
            read |= {(corpus.name, corpus.kind): corpus for corpus in added if (corpus.name, corpus.kind) not in read}
            manifest = replace(manifest, command=f"{manifest.command}\n{more.command}")
        corpora = tuple(sorted(read.values(), key=_by_kind_and_size))
        return replace(self, manifest=replace(manifest, corpora=corpora), more=tuple(fitting))

    @property
    def heads(self) -> pd.DataFrame:
        """`heads.parquet`."""
        return self.table("heads")

    @property
    def layers(self) -> pd.DataFrame:
        """`layers.parquet`."""
        return self.table("layers")

    @property
    def documents(self) -> pd.DataFrame:
        """`documents.parquet`."""
        return self.table("documents")

    @property
    def uniform(self) -> pd.DataFrame:
        """`uniform.parquet`."""
        return self.table("uniform")

    @property
    def examples(self) -> pd.DataFrame:
        """`examples.parquet`."""
        return self.table("examples")

    def content(self, name: str) -> pa.BufferReader:
        """The file of a table that was stored, as it was written. Raises ResultsError."""
        path = self._path(name)
        try:
            # Read once, so that what is checked is what is parsed, whatever is written meanwhile.
            content = path.read_bytes()
        except OSError as error:
            raise ResultsError(f"Expected a Parquet file at {path}, found: {reason(error)}; {AGAIN}.") from None
        sealed = self.manifest.tables  # none before they are written
        if sealed and hashlib.sha256(content).hexdigest() != sealed.get(name):
            raise ResultsError(f"Expected {path} as it was written, found other contents; {AGAIN}.")
        return pa.BufferReader(content)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.parquet"

    def _read(self, name: str) -> pd.DataFrame:
        path = self._path(name)
        try:
            schema, frame = self._rows(name)
        except (OSError, pa.ArrowException) as error:
            raise ResultsError(f"Expected a Parquet file at {path}, found: {reason(error)}; {AGAIN}.") from None
        if not schema.equals(TABLES[name]):
            raise ResultsError(f"Expected the columns of format {FORMAT} in {path}, found others; {AGAIN}.")
        wrong = first_wrong(name, frame, self.manifest)
        if wrong:
            raise ResultsError(f"Expected {wrong.expected} in {path}, found {wrong.found}; {AGAIN}.")
        return frame

    def _rows(self, name: str) -> tuple[pa.Schema, pd.DataFrame]:
        """The columns and rows of a stored table, with NaN for measures that did not exist when it was stored.

        Columns differ from those of TABLES only if the file is wrong in another way. Raises OSError and ArrowException.
        """
        with pq.ParquetFile(self.content(name)) as file:
            table = _with_columns(file.read(), TABLES[name])
        frame: pd.DataFrame = table.to_pandas()
        right = table.schema.equals(TABLES[name])
        if name in ("heads", "layers") and right and len(frame) and self._path("documents").is_file():
            frame = _with_rows(frame, {*COLUMNS} - {*pq.read_schema(self.content("documents")).names})
        return table.schema, frame


@cache
def _empty(name: str) -> pd.DataFrame:
    frame: pd.DataFrame = TABLES[name].empty_table().to_pandas()
    return _quick(frame)


def _quick(frame: pd.DataFrame) -> pd.DataFrame:
    frame.columns = frame.columns.astype(object)  # columns are asked for ten thousand times, and found faster so
    return frame


def find(
    places: Iterable[Path],
    problems: list[str] | None = None,
    known: Known = UNKNOWN,
    only: Mapping[Path, Collection[str]] = MappingProxyType({}),
) -> list[Results]:
    """All results below these folders, models with the most heads first.

    If several have a model's texts, the first place wins. Folders without running text, and experiments, are added to
    the model of the same name, weights and precision. Results whose replacement was interrupted are read from where
    they had been moved. Raises ResultsError for a folder that cannot be opened; with a list of `problems`, adds the
    reason to it and goes on. `known` is as in `open`; `only` has the slugs that are taken from a place, if not all are.
    """
    found: dict[str, list[Results]] = defaultdict(list)
    for place in places:
        here = {path.parent.name: path.parent for path in place.glob(f"[!.]*/{FILE}")}
        # A replacement that was interrupted: what stands in place wins over what was moved aside.
        here = {beside(path).name: path for path in place.glob(f".*{ASIDE}")} | here
        for _, folder in sorted(here.items()):
            try:
                results = Results.open(folder, known)
            except ResultsError as error:
                if problems is None:
                    raise
                problems.append(str(error))
                continue
            if place not in only or results.manifest.slug in only[place]:
                found[results.manifest.slug].append(results)
    shown = []
    for name in sorted(found):
        whole = [results for results in found[name] if _is_whole(results.manifest)]
        shown += [whole[0].with_more([part for part in found[name] if part is not whole[0]])] if whole else []
        alone = next((part for part in found[name] if not (whole or part.manifest.experiment)), None)
        if alone and problems is not None:
            problems.append(
                f"Expected running text among the results of {name}, without which it has no page, found none in "
                f"{alone.folder}; analyse the model on a text as well, such as --corpus articles."
            )
        # Two models of one name would share addresses, and a reader would take one for the other.
        for other in (
            candidate for candidate in whole if candidate.manifest.weights_sha256 != whole[0].manifest.weights_sha256
        ):
            problem = (
                f"Expected one model called {name}, found other weights in {whole[0].folder} than in {other.folder}; "
                "keep one of the two."
            )
            if problems is None:
                raise ResultsError(problem)
            problems.append(problem)
    return sorted(shown, key=lambda model: -model.manifest.layers * model.manifest.heads)


def _is_whole(manifest: Manifest) -> bool:
    """Whether a folder has the tables that pages of a model need; others add to it."""
    return any(corpus.kind.measured for corpus in manifest.corpora) and not manifest.experiment


def _by_kind_and_size(corpus: CorpusRecord) -> tuple[int, int]:
    """Sort key: by kind, then by the count that the kind calls its size, the largest first; others keep their order."""
    return rank(corpus.kind), -corpus.counts.get(corpus.kind.largest, 0)


def _with_columns(table: pa.Table, schema: pa.Schema) -> pa.Table:
    absent = [field for field in schema if field.name not in table.column_names and field.name in LATER]
    if {*schema.names} - {*table.column_names} != {field.name for field in absent}:
        return table
    for field in absent:
        table = table.append_column(field, _filled(table, field))
    return table.select(schema.names) if absent and len(table.column_names) == len(schema) else table


def _filled(table: pa.Table, field: pa.Field) -> pa.Array | pa.ChunkedArray:
    """What an earlier version would have stored in a column."""
    if field.name == PARTS:
        return _parts(table)
    return pa.array(np.full(len(table), 1 if field.name == DOCUMENTS else np.nan), field.type)


def _parts(table: pa.Table) -> pa.Array | pa.ChunkedArray:
    """The segment ids, if the model was given any; otherwise null, because nothing tells where the separators are."""
    ids = table["segment_ids"]
    return ids if pc.max(pc.list_flatten(ids)).as_py() else pa.nulls(len(table), ids.type)


def _with_rows(table: pd.DataFrame, absent: set[str]) -> pd.DataFrame:
    like = table[table["measure"] == table["measure"].iloc[0]]
    undefined = {column: np.nan for column in ("value", "low", "high", "uniform") if column in table}
    more = [like.assign(measure=name, n=np.int32(0), **undefined) for name in COLUMNS if name in absent]
    return pd.concat([table, *more], ignore_index=True) if more else table
