"""What is needed to compute a results folder again, and nothing about the moment or the machine it was computed on."""

import json
import platform
from dataclasses import asdict, dataclass, field
from importlib import metadata
from operator import index
from pathlib import Path
from typing import Any, Self

from pydantic import TypeAdapter, ValidationError

from generator import __version__
from generator.errors import NewerResultsError, ResultsError, reason
from generator.models.encoder import slug
from generator.results.tables import FORMAT

FILE = "manifest.json"
LIBRARIES = ("numba", "numpy", "scikit-learn", "scipy", "tokenizers", "torch", "transformers")
"""Whose versions a number can depend on."""
AGAIN = "delete the folder and analyse the model again"
"""What to do about results that cannot be read."""


@dataclass(frozen=True)
class Manifest:
    """The record of one analysis. Its fingerprint tells whether stored results are still what the settings ask for."""

    model: str
    slug: str
    family: str
    layers: int
    heads: int
    revision: str
    weights_sha256: str
    corpora: dict[str, str]
    """Name -> checksum of its text, in order; the first is the one pages show."""
    treebanks: dict[str, str]
    """The same for treebanks."""
    mentions: dict[str, str]
    """The same for texts whose mentions are linked."""
    frames: dict[str, str]
    """The same for texts whose frames are annotated."""
    tasks: dict[str, str]
    """The same for labelled tasks, which experiments alone read."""
    settings: dict[str, Any]
    """Everything that can change a number: documents, max_tokens, seed, entropy_smoothing, segment_ids, studies."""
    dtype: str
    device: str
    """Kind only: cpu, cuda or mps."""
    observed: str
    """How maps were seen: "attention function" or "returned maps"."""
    counts: dict[str, dict[str, int]]
    """Per corpus: documents, inputs, tokens, documents split into parts, documents too short."""
    vocabulary: dict[str, str]
    """Vocabulary id -> token, of the sinks."""
    packages: dict[str, str]
    command: str
    fingerprint: str
    languages: dict[str, str] = field(default_factory=dict)
    """Name of a corpus -> ISO 639 code of what it is written in; one whose language is not known is not there."""
    experiment: str = ""
    """Empty for an analysis; otherwise what was done, such as "finetune.rte": one folder holds one experiment."""
    format: int = FORMAT

    @property
    def folder(self) -> str:
        """The folder's name; `@` stands in no slug."""
        return f"{self.slug}@{self.experiment}" if self.experiment else self.slug

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read a folder's manifest. Raises ResultsError when it is missing, broken, or newer than this program."""
        path = folder / FILE
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            found = index(data["format"])
        except FileNotFoundError:
            raise ResultsError(
                f"Expected a results folder with {FILE} at {folder}, found none; make it with: fieldguide analyze MODEL"
            ) from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ResultsError(f"Expected {path} to be a manifest, found: {reason(error)}; {AGAIN}.") from None
        expected = f"Expected results of format {FORMAT} in {folder}, found format {found}"
        if found > FORMAT:
            raise NewerResultsError(f"{expected}; update this program.")
        if found < FORMAT:
            raise ResultsError(f"{expected}; {AGAIN}.")
        try:
            manifest = TypeAdapter(cls).validate_python(data)
        except ValidationError as error:
            first = error.errors()[0]
            raise ResultsError(
                f"Expected {'.'.join(map(str, first['loc']))!r} in {path} to be right, found: {first['msg']}; {AGAIN}."
            ) from None
        if manifest.slug != slug(manifest.model):
            raise ResultsError(f"Expected slug {slug(manifest.model)!r} in {path}, found {manifest.slug!r}; {AGAIN}.")
        return manifest

    def text(self) -> str:
        """As it is written."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"


def packages() -> dict[str, str]:
    """Versions of this program, of Python, and of the libraries that compute."""
    ours = {"fieldguide": __version__, "python": platform.python_version()}
    return ours | {name: metadata.version(name) for name in LIBRARIES}
