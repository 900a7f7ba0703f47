"""The manifest: what is needed to compute a results folder again, and nothing about when and where it was computed."""

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib import metadata
from operator import index
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, InstanceOf, TypeAdapter, ValidationError

from generator import __version__
from generator.corpora.kind import Corpus, Kind
from generator.corpora.kinds import kind_called, rank
from generator.errors import NewerResultsError, ResultsError, reason
from generator.files import UNKNOWN, Known, look
from generator.models.names import slug
from generator.results.tables import FORMAT, TABLES

NO_NUMBER = "A manifest says how numbers came about."

FILE = "manifest.json"
LIBRARIES = ("numba", "numpy", "scikit-learn", "scipy", "tokenizers", "torch", "transformers")
"""Libraries whose versions can change a number."""
SEAL = "sha256"
"""Key of the checksum over the manifest's own contents; it is written last and is no field."""
AGAIN = "delete the folder and analyse the model again"
"""The advice in errors about results that cannot be read."""


ABOUT = "about"
"""Key of the settings for a sentence that says what saved maps are."""
OTHERWISE = "otherwise"
"""Key of the settings of an experiment for a sentence that says what the code of today makes otherwise."""


@dataclass(frozen=True)
class CorpusRecord:
    """A corpus that was read, and what was counted in it."""

    name: str
    kind: Annotated[InstanceOf[Kind], BeforeValidator(kind_called)]
    sha256: str
    """Checksum of its text."""
    language: str = ""
    """ISO 639 code of its language; empty if it is not known."""
    counts: dict[str, int] = field(default_factory=dict)
    """Counts by the names that its kind declares; empty if nothing of it was read."""

    @classmethod
    def of(cls, corpus: Corpus[Any], counts: Mapping[str, int] = MappingProxyType({})) -> Self:
        """The record of a corpus that was opened."""
        return cls(corpus.name, corpus.kind, corpus.sha256, corpus.language, dict(counts))

    @property
    def facts(self) -> dict[str, Any]:
        """What the manifest says of it; the kind is written as its name."""
        return {own.name: getattr(self, own.name) for own in fields(self)} | {"kind": self.kind.name}


@dataclass(frozen=True)
class Manifest:
    """The record of one analysis. Its fingerprint tells whether stored results are still what the settings ask for."""

    model: str
    slug: str
    family: str
    layers: Annotated[int, Field(ge=1)]
    heads: Annotated[int, Field(ge=1)]
    revision: str
    weights_sha256: str
    corpora: tuple[CorpusRecord, ...]
    """All corpora of any kind that were read; pages show the first text."""
    settings: dict[str, Any]
    """What can change a number and has no field here: documents, max_tokens, seed, entropy_smoothing, segment_ids,
    word_vectors and studies; also ABOUT, if anything is known of the model, and OTHERWISE where code was compared that
    gives other numbers.
    """
    dtype: str
    """The precision of the model's matrix products: float32, tf32 or bfloat16."""
    device: str
    """The kind of device: cpu, cuda or mps."""
    observed: str
    """How maps were seen: "attention function" or "returned maps"."""
    vocabulary: dict[str, str]
    """Vocabulary id -> token, for the tokens that were sinks."""
    packages: dict[str, str]
    command: str
    fingerprint: str
    studies: dict[str, str] = field(default_factory=dict)
    """Study -> checksum of everything that determines its rows; for an experiment, its kind -> checksum of its code.
    Studies of saved maps, and rows of earlier versions that did not keep it, are missing.
    """
    experiment: str = ""
    """Empty for an analysis; for an experiment its name, such as "finetune.rte". A folder holds one experiment."""
    setup_sha256: str = ""
    """Checksum of configuration and tokenizer; empty for experiments, saved maps and what earlier versions stored."""
    tables: dict[str, str] = field(default_factory=dict)
    """Table -> checksum of its file; empty until the manifest is written beside them."""
    format: int = FORMAT

    @property
    def folder(self) -> str:
        """The folder's name: the slug and, for an experiment, `@` and its name; no slug contains `@`."""
        return f"{self.slug}@{self.experiment}" if self.experiment else self.slug

    @property
    def made_with(self) -> tuple[str, str]:
        """What results must have in common to be joined: weights and precision."""
        return self.weights_sha256, self.dtype

    @property
    def otherwise(self) -> str:
        """What the code of today makes otherwise, in sentences; empty where nothing was found."""
        return str(self.settings.get(OTHERWISE, ""))

    def of(self, kind: Kind) -> dict[str, CorpusRecord]:
        """The corpora of one kind by name, in order."""
        return {corpus.name: corpus for corpus in self.corpora if corpus.kind == kind}

    @property
    def order(self) -> tuple[str, ...]:
        """The names of all corpora in the order in which their numbers are preferred."""
        return tuple(
            dict.fromkeys(corpus.name for corpus in sorted(self.corpora, key=lambda corpus: rank(corpus.kind)))
        )

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """Name of a corpus -> its counts; corpora that the model did not read are left out."""
        counts: dict[str, dict[str, int]] = {}
        for corpus in self.corpora:
            if corpus.counts:
                counts.setdefault(corpus.name, {}).update(corpus.counts)
        return counts

    @property
    def languages(self) -> dict[str, str]:
        """Name of a corpus -> ISO 639 code of its language; corpora of unknown language are left out."""
        return {corpus.name: corpus.language for corpus in self.corpora if corpus.language}

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read a folder's manifest. Raises ResultsError when it is missing, broken, changed, or of another format."""
        path = folder / FILE
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            found = index(data["format"])
        except FileNotFoundError:
            raise ResultsError(
                f"Expected a results folder with {FILE} at {folder}, found none; make it with: fieldguide analyze MODEL"
            ) from None
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise ResultsError(f"Expected {path} to be a manifest, found: {reason(error)}; {AGAIN}.") from None
        expected = f"Expected results of format {FORMAT} in {folder}, found format {found}"
        if found > FORMAT:
            raise NewerResultsError(f"{expected}; update this program.")
        if found < FORMAT:
            raise ResultsError(f"{expected}, which an older version wrote; {AGAIN}.")
        if data.pop(SEAL, None) != checksum_of(data):
            raise ResultsError(f"Expected {path} as it was written, found other contents; {AGAIN}.")
        try:
            manifest: Self = _form(cls).validate_python(data)  # type: ignore[arg-type]  # a class is hashable
        except ValidationError as error:
            first = error.errors()[0]
            raise ResultsError(
                f"Expected {'.'.join(map(str, first['loc']))!r} in {path} to be right, found: {first['msg']}; {AGAIN}."
            ) from None
        if manifest.slug != slug(manifest.model):
            raise ResultsError(f"Expected slug {slug(manifest.model)!r} in {path}, found {manifest.slug!r}; {AGAIN}.")
        return manifest

    def write(self, folder: Path) -> None:
        """Write it into a folder that has the tables, with their checksums. Raises OSError."""
        (folder / FILE).write_text(replace(self, tables=checksums(folder)).text(), encoding="utf-8")

    def text(self) -> str:
        """The text of the file, which ends with a checksum of all that it says."""
        data = self.facts
        return json.dumps(data | {SEAL: checksum_of(data)}, indent=2, ensure_ascii=False) + "\n"

    @property
    def facts(self) -> dict[str, Any]:
        """All that it says, as it is read from JSON."""
        facts = {own.name: getattr(self, own.name) for own in fields(self)}
        loaded: dict[str, Any] = json.loads(json.dumps(facts | {"corpora": [corpus.facts for corpus in self.corpora]}))
        return loaded


def checksums(folder: Path, known: Known = UNKNOWN) -> dict[str, str]:
    """Table -> sha256 of its file, for the tables in a folder; a file whose size and time are `known` is not read."""
    files = {name: str(folder.absolute() / f"{name}.parquet") for name in TABLES}
    found = look(files.values(), known)
    return {name: found[path][2] for name, path in files.items() if path in found}


@cache
def _form(of: type[Any]) -> TypeAdapter[Any]:
    """The adapter that checks the data of a class; making it takes as long as reading four manifests."""
    return TypeAdapter(of)


def checksum_of(facts: Mapping[str, Any]) -> str:
    """Checksum of facts that can be written as JSON."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def packages() -> dict[str, str]:
    """Versions of this program, of Python, and of the libraries that compute."""
    return {"fieldguide": __version__, "python": platform.python_version(), **_libraries()}


@cache
def _libraries() -> dict[str, str]:
    return {name: metadata.version(name) for name in LIBRARIES}
