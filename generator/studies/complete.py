"""Whether stored studies are complete: each number that a study always stores is there, for every layer or head of it.

A number that is there but undefined, or whose study was not run, is no gap: pages and claims say why it is missing.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import NamedTuple

import pandas as pd

from generator import __version__
from generator.errors import ResultsError
from generator.numbers.quantity import Quantity, Study, Undeclared
from generator.results.manifest import Manifest
from generator.results.store import Results
from generator.studies.declared import study_of

NO_NUMBER = "It says what results should hold."

NUMBER = ["study", "corpus", "name"]
PRODUCTS = {
    "relation_heads": ("relation", "protocol"),
    "relation_baselines": ("relation", "offset"),
    "antecedents": ("candidates", "kind", "predictor", "protocol"),
}
"""Table -> its columns of texts; it has one row for each combination of those that a corpus has."""
MOST_HEADS = 10_000
Values = set[tuple[str, ...]]
"""Values of the placeholders of stored names."""


class Gap(NamedTuple):
    """What is missing, and where."""

    what: str
    table: str
    study: str
    corpus: str


def check_complete(results: Results) -> None:
    """Raises ResultsError for the first gap; results of another version may lack what this one makes."""
    for gap in _gaps(results):
        manifest = _manifest_of(results, gap)
        if not of_another_version(manifest):
            again = " and ".join(manifest.command.splitlines())
            where = f"on {gap.corpus} in {gap.table}.parquet of {manifest.folder}"
            raise ResultsError(
                f"Expected {gap.what} {where}, found it missing while the rest is stored; delete the folder and make "
                f"it again with: {again}"
            )


def of_another_version(manifest: Manifest) -> bool:
    """Whether another version of this program made the results, or one that is not known."""
    return manifest.packages.get("fieldguide") != __version__


def should_have(study: Study, name: str, names: Collection[str]) -> bool:
    """Whether a study that stored these names on some corpus should have stored this one, too."""
    return any(
        missing in (name, record.name) and record.values_in(name) is not None
        for record, missing in _lacking(study, names)
    )


def _manifest_of(results: Results, gap: Gap) -> Manifest:
    """The manifest of the folder with the other rows of the study on this corpus."""
    for other in results.more:
        rows = other.table(gap.table)
        own = rows["corpus"] == gap.corpus
        if (own & (rows["study"] == gap.study) if gap.study else own).any():
            return other.manifest
    return Manifest.read(results.folder)  # without the commands of the others


def _gaps(results: Results) -> Iterator[Gap]:
    layers, heads = results.manifest.layers, results.manifest.heads
    there: dict[tuple[str, str], set[str]] = defaultdict(set)
    for table, every in (("facts", layers), ("head_facts", layers * heads)):
        rows = results.table(table)
        sizes = rows[rows["layer"] > 0].groupby(NUMBER, sort=False, observed=True).size()
        for key, size in sizes[sizes != every].items():
            study, corpus, name = map(str, key)  # type: ignore[call-overload]  # of three columns
            # a number of one chosen head has one row
            if table == "facts" or (size > 1 and not _some_heads(study)):
                yield Gap(f"{name} of the study {study} in {every} rows, one for each place,", table, study, corpus)
        for study, corpus, name in rows[NUMBER].drop_duplicates().to_numpy().tolist():
            there[study, corpus].add(name)
    for (study, corpus), names in sorted(there.items()):
        yield from _unstored(study, corpus, names)
    yield from _in_curves(results.table("curves"))
    for table, columns in PRODUCTS.items():
        for corpus, rows in results.table(table).groupby("corpus", observed=True):
            whole = math.prod(rows[column].nunique() for column in columns)
            if len(rows) != whole:
                yield Gap(f"{whole} rows, one for each {', '.join(columns)},", table, "", str(corpus))


def _some_heads(name: str) -> bool:
    try:
        return study_of(name).some_heads
    except Undeclared:  # of another version of this program
        return False


def _unstored(name: str, corpus: str, names: Collection[str]) -> Iterator[Gap]:
    """The numbers that a study lacks on a corpus of which it stores these names."""
    try:
        study = study_of(name)
    except Undeclared:  # of another version of this program: no claim and no page reads it
        return
    for record, lacking in _lacking(study, names):
        what = (
            lacking if lacking == record.name and record.placeholders else f'"{record.one(lacking).title}" ({lacking})'
        )
        yield Gap(f"{what} of the study {name}", "head_facts" if record.of == ("head",) else "facts", name, corpus)


def _lacking(study: Study, names: Collection[str]) -> Iterator[tuple[Quantity, str]]:
    """Records of which a study stored nothing, and names that it stored of one record and not of another that has the
    same placeholders; both only among the records that are stored in the same places.
    """
    alike: dict[str, dict[Quantity, Values]] = defaultdict(dict)
    for quantity in study.quantities:
        found = (quantity.values_in(stored) for stored in names)
        alike[quantity.where][quantity] = {tuple(values.values()) for values in found if values is not None}
    for where, group in alike.items():
        yield from (
            (record, record.name)
            for record, values in group.items()
            if not values and (any(group.values()) or not where)
        )
        for quantity, values in group.items():
            every = set().union(*(more for other, more in group.items() if other.placeholders == quantity.placeholders))
            for gap in sorted(every - values) if values else ():
                yield (
                    quantity,
                    quantity.called(**dict(zip((place.name for place in quantity.placeholders), gap, strict=True))),
                )


def _in_curves(rows: pd.DataFrame) -> Iterator[Gap]:
    if not len(rows):
        return
    place = rows["layer"].astype(int) * MOST_HEADS + rows["head"]
    of_number = rows.assign(place=place).groupby(NUMBER, sort=False, observed=True)
    counts = of_number.agg(rows=("step", "size"), steps=("step", "nunique"), places=("place", "nunique"))
    for key, row in counts[counts["rows"] != counts["steps"] * counts["places"]].iterrows():
        study, corpus, name = map(str, key)  # type: ignore[call-overload]  # of three columns
        yield Gap(f"{name} of the study {study} at each of {row['steps']} steps", "curves", study, corpus)
