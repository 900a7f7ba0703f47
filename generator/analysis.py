"""One model, some corpora -> a results folder with its manifest; one that is there stays if nothing has changed."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from generator.attention.anatomy import examine
from generator.attention.saved import read_maps
from generator.config import Analysis
from generator.corpora.kinds import CorpusKind
from generator.corpora.opening import open_corpora
from generator.errors import CorpusError, NewerResultsError, ResultsError
from generator.lock import alone
from generator.models.answering import load_answering
from generator.models.encoder import slug
from generator.models.load import choose_device, load
from generator.models.masked_lm import load_masked_lm
from generator.models.source import UNPINNED, Identity, Source
from generator.progress import Report
from generator.results.manifest import ABOUT, Manifest, packages
from generator.results.store import Results, check_free, prepare, write
from generator.studies.all import PROCEDURES
from generator.studies.procedure import Need, Procedure
from generator.survey.code import Code
from generator.survey.engine import Surveyor
from generator.survey.maps import survey_maps
from generator.survey.stale import fresh, kept
from generator.survey.wanted import Wanted, facts, want

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
    studies = chosen(settings)
    wanted = want(source.identity, settings, studies, code)
    folder = results / slug(source.title)
    if not force and _is_current(folder, wanted):
        return folder, False
    prepare(results)
    with alone(folder, report.note, beside=True):
        if not force and _is_current(folder, wanted):  # whoever was waited for has made them
            return folder, False
        stored = _stored(folder)
        encoder = load(source, choose_device(settings.device))
        still = [] if force else fresh(wanted.studies, stored, encoder.device.type)
        if still:
            again = ", ".join(name for name in wanted.studies if name not in still) or "none"
            report.note(
                f"{source.title}: {len(still)} of {len(wanted.studies)} studies are up to date; made again: {again}."
            )
        anatomy = examine(encoder)
        masked_lm = load_masked_lm(source, encoder.device) if settings.studies else None
        answering = (
            load_answering(source, encoder.device)
            if settings.studies and wanted.corpora.of(CorpusKind.QUESTIONS)
            else None
        )
        surveyor = Surveyor(encoder, anatomy, settings, report, masked_lm, answering)
        seen = surveyor.survey(wanted.corpora, studies, kept(stored, still, studies, wanted.corpora))
        manifest = Manifest(
            model=source.title,
            slug=slug(source.title),
            family=encoder.family,
            layers=anatomy.layers,
            heads=anatomy.heads,
            revision=source.revision,
            weights_sha256=source.sha256,
            setup_sha256=source.setup_sha256,
            corpora=seen.corpora,
            settings=wanted.settings,
            studies=wanted.studies,
            dtype="float32",
            device=encoder.device.type,
            observed="returned maps" if anatomy.sites else "attention function",
            vocabulary=seen.vocabulary,
            packages=packages(),
            command=_command(source, settings),
            fingerprint=wanted.fingerprint,
        )
        return write(results, manifest, seen.tables), True


def due(model: Identity, settings: Analysis, results: Path, code: Code = CODE) -> str:
    """Why an analysis would compute something, in a few words; empty where stored results are what is asked for.

    Raises FieldguideError.
    """
    stored, wanted = _stored(results / slug(model.title)), want(model, settings, chosen(settings), code)
    if stored is None:
        return "new"
    if stored.manifest.fingerprint == wanted.fingerprint:
        return ""
    if stored.manifest.weights_sha256 != model.weights:
        return f"other weights, revision {model.revision}"
    stale = [name for name, checksum in wanted.studies.items() if stored.manifest.studies.get(name) != checksum]
    return f"stale: {', '.join(stale)}" if stale else "other corpora"


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
            settings=facts(settings) | ({ABOUT: archive.about} if archive.about else {}),
            dtype="float32",
            device="cpu",
            observed="saved maps",
            vocabulary=seen.vocabulary,
            packages=packages(),
            command=shlex.join([*archive.command, "--seed", str(settings.seed)]),
            fingerprint=maps.sha256,
        )
        return write(results, manifest, tables)


def _command(source: Source, settings: Analysis) -> str:
    """What computes the same results again; folders and files by name, wherever they lie."""
    words = ["fieldguide", "analyze", source.id]
    words += ["--revision", source.revision] if source.revision not in UNPINNED else []
    words += ["--name", source.name] if source.name else []
    words += [word for corpus in settings.corpora for word in ("--corpus", Path(corpus).name)]
    words += ["--documents", str(settings.documents)] if settings.documents else []
    words += ["--max-tokens", str(settings.max_tokens), "--seed", str(settings.seed)]
    words += ["--entropy-smoothing", str(settings.entropy_smoothing)] if settings.entropy_smoothing else []
    words += ["--word-vectors", Path(settings.word_vectors).name] if settings.word_vectors else []
    words += [] if settings.segment_ids else ["--no-segment-ids"]
    words += [] if settings.studies else ["--no-studies"]
    return shlex.join(words)


def _is_current(folder: Path, wanted: Wanted) -> bool:
    stored = _stored(folder)
    return stored is not None and stored.manifest.fingerprint == wanted.fingerprint


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
