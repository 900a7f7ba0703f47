"""Names and files -> the corpora that are read from them, of the kinds that recognise the file."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from generator.corpora.catalogue import CATALOGUE, FOLDER, CorpusEntry
from generator.corpora.kind import Corpora, Corpus
from generator.corpora.kinds import KINDS, rank
from generator.corpora.languages import language_of
from generator.errors import CorpusError
from generator.files import content_of

NO_NUMBER = "It finds files; the kinds of corpora read them."

PACKED = (".gz", ".bz2", ".xz", ".zst", ".zip", ".7z", ".tar")
"""Endings of what is to be unpacked first."""


def open_corpora(names: Sequence[str], sample: int | None = None, seed: int = 0, skip_bad: bool = False) -> Corpora:
    """Open catalogue names and files; with `sample`, only that many documents or annotated sentences of each, in order.

    Sentences and rows that are wrong are left out with `skip_bad`.

    Raises CorpusError if one does not exist or cannot be read, or if two have the same name.
    """
    opened = [_open(name, skip_bad) for name in names]
    titles = [group[0].name for group in opened]
    for title in titles:
        if titles.count(title) > 1:
            raise CorpusError(f"Expected corpora of different names, found {title!r} twice; rename a file.")
    ordered = sorted((corpus for group in opened for corpus in group), key=lambda corpus: rank(corpus.kind))
    return Corpora(tuple(ordered if sample is None else (corpus.sample(sample, seed) for corpus in ordered)))


def verify(entry: CorpusEntry) -> None:
    """Check the files of a public corpus by their checksums; raises CorpusError naming the file that differs."""
    for path, expected in zip(_present(entry), entry.sha256, strict=bool(entry.source)):
        try:
            found = content_of(path)
        except OSError as error:
            raise CorpusError(f"Expected {entry.name} at {path}, found: {error.strerror}; check the file.") from None
        if found != expected:
            raise CorpusError(
                f"Expected {path} to have the checksum {expected}, found {found}; get it again from {entry.source}."
            )


def _open(name_or_file: str, skip_bad: bool) -> list[Corpus[Any]]:
    known = next((entry for entry in CATALOGUE if entry.name == name_or_file), None)
    if known:
        return [replace(corpus, language=known.language) for corpus in _read(known.name, _present(known), skip_bad)]
    path = Path(name_or_file)
    # What has neither an ending nor a folder can only be a name of the catalogue.
    if path.suffix or path.name != name_or_file:
        try:
            found = _read(path.name, (path,), skip_bad)
        except OSError as error:
            raise CorpusError(f"Expected a corpus at {path}, found: {error.strerror}; check the path.") from None
        return [replace(corpus, language=language_of(path)) for corpus in found]
    names = ", ".join(entry.name for entry in CATALOGUE)
    raise CorpusError(
        f"Expected a corpus name ({names}) or a file, found {name_or_file!r}, which is neither; check the spelling."
    )


def _read(name: str, paths: Sequence[Path], skip_bad: bool) -> list[Corpus[Any]]:
    """One corpus for each kind that recognises the first file."""
    kinds = [kind for kind in KINDS if kind.recognises(paths[0])]
    if not kinds:
        endings = list(dict.fromkeys(ending for kind in KINDS for ending in kind.endings))
        path = paths[0]
        small = next((ending for ending in endings if path.name.lower().endswith(ending)), "")
        packed = "unpack it" if path.suffix.lower() in PACKED else "convert it"
        raise CorpusError(
            f"Expected a corpus file ending in {', '.join(endings[:-1])} or {endings[-1]}, or a folder of FrameNet, "
            f"found {str(path)!r}; {f'rename it to end in {small}' if small else packed}."
        )
    return [Corpus.of(name, kind, kind.read(name, paths, skip_bad)) for kind in kinds]


def _present(entry: CorpusEntry) -> tuple[Path, ...]:
    missing = next((path for path in entry.paths if not path.is_file()), None)
    if missing:
        raise CorpusError(
            f"Expected {entry.name} at {missing}, found nothing; get it from {entry.source} ({entry.licence}) and name "
            f"the folder above it in {FOLDER}."
        )
    return entry.paths
