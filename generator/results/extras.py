"""What topics made of a model itself for its pages: files, beside the numbers of its results."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from generator.results.store import Results

NO_NUMBER = "It finds files that hold no number of a result."

EXTRAS = Path("build/extras")
"""The folder below the project of all of them; of each model it has a folder of files and a record of these."""


@dataclass(frozen=True, repr=False)
class WithExtras(Results):
    """Results of a model of which something was made."""

    extras: Path = EXTRAS
    """The folder of what was made of this model."""

    @cached_property
    def checksum(self) -> str:
        """That of the results and of all that was made of the model."""
        records = "\n".join(path.read_text(encoding="utf-8") for path in _records(self))
        return hashlib.sha256(f"{super().checksum}\n{records}".encode()).hexdigest()


def with_extras(results: Results, root: Path) -> Results:
    """The results with what was made of their model in a project's folder, if anything was."""
    folder = root / EXTRAS / results.manifest.slug
    # Plain results where nothing was made: their checksum is then that of the tables alone.
    if not _records_in(folder):
        return results
    return WithExtras(results.folder, results.manifest, results.more, folder)


def made_of(results: Results, name: str) -> Path | None:
    """The folder of what was made of the model under this name; None if nothing was."""
    return next((path.with_suffix("") for path in _records(results) if path.stem == name), None)


def all_made_of(results: Results) -> Iterator[Path]:
    """All files that were made of the model, and none that somebody else has put beside them."""
    for record in _records(results):
        yield from sorted(record.with_suffix("") / name for name in written(record))


def written(record: Path) -> frozenset[str]:
    """The names of the files that this record is of; none for a file that is no such record."""
    try:
        facts = json.loads(record.read_bytes())
        of, files = facts["of"], {**facts["files"]}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return frozenset()
    # A file of others may be called like a record; what it names may lie anywhere.
    return frozenset(files) if isinstance(of, str) and all(Path(name).name == name for name in files) else frozenset()


def _records(results: Results) -> list[Path]:
    return _records_in(results.extras) if isinstance(results, WithExtras) else []


def _records_in(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.glob("*.json")) if written(path)]
