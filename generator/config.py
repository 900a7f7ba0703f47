"""The settings of a run: frozen, read from `fieldguide.toml` and from options, checked where they enter."""

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args

from generator.errors import SettingsError

FILE = "fieldguide.toml"
Device = Literal["auto", "cpu", "cuda", "mps"]


@dataclass(frozen=True)
class Analysis:
    """How encoders are observed. Everything here but the device can change a number and stands in the manifest."""

    corpora: tuple[str, ...] = ("articles",)
    """Catalogue names or files; pages show the first."""
    documents: int | None = None
    """A seeded sample of so many documents of each corpus; None for all."""
    max_tokens: int = 128
    """Longest input, special tokens included."""
    seed: int = 0
    entropy_smoothing: float = 0.0
    segment_ids: bool = True
    """False feeds segment id 0 for every token, as Clark et al.'s released code does."""
    device: Device = "auto"

    def __post_init__(self) -> None:
        if not self.corpora:
            raise SettingsError("Expected at least one corpus, found none; name one with --corpus.")
        if self.documents is not None and self.documents < 1:
            raise SettingsError(f"Expected a positive number of documents, found {self.documents}.")
        if self.max_tokens < MIN_TOKENS:
            raise SettingsError(
                f"Expected at least {MIN_TOKENS} tokens an input, found {self.max_tokens}; raise max_tokens."
            )
        if self.device not in get_args(Device):
            raise SettingsError(f"Expected a device among {', '.join(get_args(Device))}, found {self.device!r}.")
        if not 0 <= self.entropy_smoothing < 1:
            raise SettingsError(f"Expected a smoothing from 0 up to 1, found {self.entropy_smoothing}; 0 is none.")


MIN_TOKENS = 16
"""Below this a pair of paragraphs is mostly special tokens."""


@dataclass(frozen=True)
class ModelChoice:
    """An encoder that the site shows."""

    id: str
    revision: str | None = None


@dataclass(frozen=True)
class Project:
    """What `fieldguide build` builds."""

    root: Path
    """The folder of `fieldguide.toml` and `mkdocs.yml`."""
    models: tuple[ModelChoice, ...] = ()
    analysis: Analysis = field(default_factory=Analysis)
    results: Path = Path("build/results")
    """Where analyses are written."""
    also: tuple[Path, ...] = (Path("data/results"),)
    """Further folders of stored results that the site shows."""

    @property
    def places(self) -> tuple[Path, ...]:
        """Every folder that may hold results, the written one first."""
        return tuple(self.root / place for place in (self.results, *self.also))


def read_project(path: Path) -> Project:
    """Read `fieldguide.toml`. Raises SettingsError naming the file and the key."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise SettingsError(
            f"Expected the settings file {path}, found none; run this in the project's folder or give --config."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"Expected TOML in {path}, found an error: {error}.") from None
    _check_keys(data, {"results", "also", "analysis", "model"}, str(path))
    analysis, models = data.get("analysis", {}), data.get("model", [])
    if not isinstance(analysis, dict) or not isinstance(models, list):
        raise SettingsError(f"Expected a table [analysis] and tables [[model]] in {path}, found other values.")
    _check_keys(analysis, {item.name for item in fields(Analysis)}, f"[analysis] of {path}")
    for model in models:
        _check_keys(model, {item.name for item in fields(ModelChoice)}, f"[[model]] of {path}")
        if not isinstance(model.get("id"), str):
            raise SettingsError(f"Expected an id in every [[model]] of {path}, found {model}.")
    try:
        return Project(
            root=path.parent,
            models=tuple(ModelChoice(**model) for model in models),
            analysis=Analysis(**analysis | {"corpora": tuple(analysis.get("corpora", Analysis.corpora))}),
            results=Path(data.get("results", "build/results")),
            also=tuple(Path(place) for place in data.get("also", ["data/results"])),
        )
    except TypeError as error:
        raise SettingsError(f"Expected values of other types in {path} ({error}).") from None


def _check_keys(found: Any, known: set[str], where: str) -> None:
    if not isinstance(found, dict):
        raise SettingsError(f"Expected a table in {where}, found {found!r}.")
    for key in found:
        if key not in known:
            raise SettingsError(f"Expected one of {', '.join(sorted(known))} in {where}, found {key!r}; correct it.")
