"""One model, some corpora -> a results folder with its manifest; one that is there stays if nothing has changed."""

import hashlib
import shlex
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from generator.attention.anatomy import examine
from generator.attention.saved import read_maps
from generator.config import Analysis
from generator.corpora.catalogue import CATALOGUE
from generator.corpora.kinds import CorpusKind
from generator.corpora.opening import Corpora, open_corpora, verify
from generator.errors import CorpusError, NewerResultsError, ResultsError, SettingsError
from generator.lock import alone
from generator.models.answering import load_answering
from generator.models.encoder import slug
from generator.models.load import choose_device, load
from generator.models.masked_lm import load_masked_lm
from generator.models.source import Source
from generator.progress import Report
from generator.results.manifest import ABOUT, Manifest, packages
from generator.results.store import Results, check_free, prepare, write
from generator.studies.all import PROCEDURES
from generator.studies.procedure import Need, Procedure
from generator.survey.code import Code
from generator.survey.engine import Surveyor
from generator.survey.maps import survey_maps
from generator.survey.stale import fingerprints, fresh, kept, whole

CODE = Code()
TEXTS = ("examples", "inputs")
"""Tables that hold what was read, sentence by sentence."""


def analyze(
    source: Source, settings: Analysis, results: Path, report: Report, *, force: bool = True, code: Code = CODE
) -> tuple[Path, bool]:
    """Observe one encoder on the corpora and store what was seen; returns the folder and whether it is new.

    The files of public corpora must be those that the catalogue knows, by their checksums. Without `force`, studies are
    kept that are already what the settings ask for: the same weights, corpora, settings and `code`. Raises
    FieldguideError.
    """
    for entry in CATALOGUE:
        if entry.source and entry.name in settings.corpora:
            verify(entry)
    corpora = open_corpora(settings.corpora, settings.documents, settings.seed)
    if not settings.studies:
        corpora = Corpora(corpora.of(CorpusKind.TEXT))  # all others feed studies alone
        if not corpora.all:
            raise SettingsError("Expected a text to measure without studies, found none; add one with --corpus.")
    studies, facts = chosen(settings), _settings(settings)
    model = source.id, source.revision, source.sha256, source.setup_sha256
    wanted = fingerprints(studies, model, corpora, facts, code)
    fingerprint = whole({"studies": wanted, "corpora": corpora.checksums, "settings": facts})
    folder = results / slug(source.id)
    if not force and _is_current(folder, fingerprint):
        return folder, False
    prepare(results)
    with alone(folder, report.note, beside=True):
        if not force and _is_current(folder, fingerprint):  # whoever was waited for has made them
            return folder, False
        stored = _stored(folder)
        encoder = load(source, choose_device(settings.device))
        still = [] if force else fresh(wanted, stored, encoder.device.type)
        if still:
            again = ", ".join(name for name in wanted if name not in still) or "none"
            report.note(f"{source.id}: {len(still)} of {len(wanted)} studies are up to date; made again: {again}.")
        anatomy = examine(encoder)
        masked_lm = load_masked_lm(source, encoder.device) if settings.studies else None
        answering = (
            load_answering(source, encoder.device) if settings.studies and corpora.of(CorpusKind.QUESTIONS) else None
        )
        surveyor = Surveyor(encoder, anatomy, settings, report, masked_lm, answering)
        seen = surveyor.survey(corpora, studies, kept(stored, still, studies, corpora))
        manifest = Manifest(
            model=source.id,
            slug=slug(source.id),
            family=encoder.family,
            layers=anatomy.layers,
            heads=anatomy.heads,
            revision=source.revision,
            weights_sha256=source.sha256,
            corpora=seen.corpora,
            settings=facts,
            studies=wanted,
            dtype="float32",
            device=encoder.device.type,
            observed="returned maps" if anatomy.sites else "attention function",
            vocabulary=seen.vocabulary,
            packages=packages(),
            command=_command(source, settings),
            fingerprint=fingerprint,
        )
        return write(results, manifest, seen.tables), True


def chosen(settings: Analysis) -> tuple[Procedure, ...]:
    """The studies that the settings ask for: all, or those that need no more than sums over one pass."""
    return tuple(one for one in PROCEDURES if settings.studies or one.watches is Need.SUMS)


@dataclass(frozen=True)
class Archive:
    """Saved maps, and what is to be known of them."""

    path: Path
    name: str
    """What the model is called."""
    treebanks: tuple[str, ...] = ()
    """They annotate the words of the maps."""
    keep_text: bool = True
    """Without it the results hold no sentence: no examples, and no ids of what was read."""
    about: str = ""
    """In a sentence what the maps are, for the page of the model."""

    @property
    def command(self) -> list[str]:
        """What reads it, word by word."""
        words = ["fieldguide", "analyze", "--maps", self.path.name, "--name", self.name]
        words += [word for corpus in self.treebanks for word in ("--corpus", Path(corpus).name)]
        words += [] if self.keep_text else ["--no-text"]
        return [*words, "--about", self.about] if self.about else words


def analyze_maps(archive: Archive, settings: Analysis, results: Path, report: Report, *, force: bool = False) -> Path:
    """Measure maps that were computed elsewhere and store what they show. Raises FieldguideError.

    The corpora of the settings are not read. Results of other maps are replaced with `force` alone.
    """
    corpora = open_corpora(archive.treebanks)
    trees = corpora.of(CorpusKind.TREEBANK)
    if len(trees) < len(corpora.all):
        other = next(corpus for corpus in corpora.all if corpus.kind is not CorpusKind.TREEBANK)
        raise CorpusError(
            f"Expected treebanks for the words of {archive.path}, found {other.name}, {other.kind.value}; name .conllu "
            "files."
        )
    prepare(results)
    maps = read_maps(archive.path)
    if not force:
        check_free(results, archive.name, maps.sha256)
    with alone(results / slug(archive.name), report.note, beside=True):
        seen = survey_maps(archive.name, maps, trees, settings, PROCEDURES, report)
        tables = {key: table for key, table in seen.tables.items() if archive.keep_text or key not in TEXTS}
        layers, heads = maps.shape
        manifest = Manifest(
            model=archive.name,
            slug=slug(archive.name),
            family="saved maps",
            layers=layers,
            heads=heads,
            revision="file",
            weights_sha256=maps.sha256,
            corpora=seen.corpora,
            settings=_settings(settings) | ({ABOUT: archive.about} if archive.about else {}),
            dtype="float32",
            device="cpu",
            observed="saved maps",
            vocabulary=seen.vocabulary,
            packages=packages(),
            command=shlex.join([*archive.command, "--seed", str(settings.seed)]),
            fingerprint=maps.sha256,
        )
        return write(results, manifest, tables)


def _settings(settings: Analysis) -> dict[str, Any]:
    """What can change a number; corpora stand in the manifest with their checksums, the device by its kind."""
    kept = {name: value for name, value in asdict(settings).items() if name not in {"corpora", "device"}}
    if settings.word_vectors:
        kept["word_vectors"] = f"{Path(settings.word_vectors).name}, sha256 {_checksum(Path(settings.word_vectors))}"
    return kept


def _checksum(path: Path) -> str:
    """Raises CorpusError for a file that is not there."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise CorpusError(f"Expected word vectors at {path}, found: {error.strerror}; check the path.") from None


def _command(source: Source, settings: Analysis) -> str:
    """What computes the same results again; folders and files by name, wherever they lie."""
    words = ["fieldguide", "analyze", source.id]
    words += ["--revision", source.revision] if source.revision not in {"local", "package", "included"} else []
    words += [word for corpus in settings.corpora for word in ("--corpus", Path(corpus).name)]
    words += ["--documents", str(settings.documents)] if settings.documents else []
    words += ["--max-tokens", str(settings.max_tokens), "--seed", str(settings.seed)]
    words += ["--entropy-smoothing", str(settings.entropy_smoothing)] if settings.entropy_smoothing else []
    words += ["--word-vectors", Path(settings.word_vectors).name] if settings.word_vectors else []
    words += [] if settings.segment_ids else ["--no-segment-ids"]
    words += [] if settings.studies else ["--no-studies"]
    return shlex.join(words)


def _is_current(folder: Path, fingerprint: str) -> bool:
    stored = _stored(folder)
    return stored is not None and stored.manifest.fingerprint == fingerprint


def _stored(folder: Path) -> Results | None:
    """Stored results, or None where there are none that this program can read.

    Raises NewerResultsError rather than let results of a later version be replaced.
    """
    try:
        return Results.open(folder)
    except NewerResultsError:
        raise
    except ResultsError:
        return None
