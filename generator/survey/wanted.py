"""What an analysis would have to contain, described by checksums before anything is computed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from generator.config import Analysis
from generator.corpora.catalogue import CATALOGUE
from generator.corpora.kind import Corpora
from generator.corpora.opening import open_corpora, verify
from generator.errors import CorpusError, RowError, SettingsError
from generator.files import content_of
from generator.models.source import Identity
from generator.results.manifest import checksum_of
from generator.studies.procedure import Procedure
from generator.survey.code import Code
from generator.survey.stale import fingerprints

NO_NUMBER = "It says what results would have to hold, and makes none."

OF_MANIFEST = {"corpora", "device", "precision", "skip_bad"}
"""Settings for which the manifest has fields: `corpora`, `device` and `dtype`; and one that its command tells. A file
has bad sentences or not, so its checksum says what was read.
"""


class Wanted(NamedTuple):
    """What the settings ask for, described by checksums."""

    corpora: Corpora
    settings: dict[str, Any]
    """The settings that can change a number."""
    studies: dict[str, str]
    """Study -> checksum of all that determines its rows."""
    fingerprint: str
    """Checksum over all of this."""


def readable(settings: Analysis) -> Corpora:
    """The corpora that the settings ask for, opened.

    Raises CorpusError, and SettingsError if nothing could be measured on them.
    """
    for entry in CATALOGUE:
        if entry.source and entry.name in settings.corpora:
            verify(entry)
    corpora = opened_for(settings, settings.corpora)
    if not settings.studies:
        corpora = Corpora(
            tuple(corpus for corpus in corpora.all if corpus.kind.measured)
        )  # all others feed studies alone
        if not corpora.all:
            raise SettingsError(
                "Expected running text, as nothing else is read without studies, found none; add one with --corpus."
            )
    return corpora


def opened_for(settings: Analysis, names: Sequence[str]) -> Corpora:
    """Corpora of these names, opened as the settings say. Raises CorpusError, which tells what else would read them."""
    with advising():
        return open_corpora(names, settings.documents, settings.seed, settings.skip_bad)


@contextmanager
def advising() -> Iterator[None]:
    """Of what is wrong with a part of a corpus, raises a CorpusError that tells what else would read the rest."""
    try:
        yield
    except RowError as error:
        said = str(error).removesuffix(".")
        raise CorpusError(f"{said}, or leave out all that is wrong with --skip-bad (skip_bad in settings).") from None


def want(model: Identity, corpora: Corpora, settings: Analysis, studies: Sequence[Procedure], code: Code) -> Wanted:
    """What an analysis of this model on these corpora would have to contain; the model's files are not read."""
    kept = facts(settings)
    decisive = kept | {"precision": settings.precision}
    wanted = fingerprints(studies, model, corpora, decisive, code)
    return Wanted(
        corpora, kept, wanted, checksum_of({"studies": wanted, "corpora": corpora.checksums, "settings": decisive})
    )


def facts(settings: Analysis) -> dict[str, Any]:
    """The settings that can change a number, without those for which the manifest has fields of their own."""
    kept = {name: value for name, value in asdict(settings).items() if name not in OF_MANIFEST}
    if settings.word_vectors:
        kept["word_vectors"] = f"{Path(settings.word_vectors).name}, sha256 {_checksum(Path(settings.word_vectors))}"
    return kept


def _checksum(path: Path) -> str:
    """The checksum of a file. Raises CorpusError if it cannot be read."""
    try:
        return content_of(path)
    except OSError as error:
        raise CorpusError(f"Expected word vectors at {path}, found: {error.strerror}; check the path.") from None
