"""The settings of a run: frozen, read from `fieldguide.toml` and from options, checked where they enter."""

import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field, GetPydanticSchema, ValidationError, create_model
from pydantic.dataclasses import dataclass

from generator.defaults import (
    CORPORA,
    DEVICE,
    ENTROPY_SMOOTHING,
    FILE,
    MAX_TOKENS,
    PRECISION,
    RESULTS,
    SEED,
    SEGMENT_IDS,
    STUDIES,
    Device,
    Precision,
)
from generator.errors import SettingsError, reason
from generator.limits import MIN_TOKENS, MOST_SEED, check_text
from generator.topics import SETTINGS

NO_NUMBER = "Settings are compared by content."

Count = Annotated[int, Field(strict=True, ge=1)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_CLOSED = ConfigDict(extra="forbid")
UNWRITTEN = "extras"
"""The field of a model's settings that gathers those of topics; no file may have a key of this name."""


@dataclass(frozen=True, config=_CLOSED)
class Analysis:
    """How encoders are observed. Everything here except the device can change a number and is kept in the manifest."""

    corpora: Annotated[tuple[str, ...], Field(min_length=1)] = CORPORA
    """Catalogue names or files; pages show the first text."""
    documents: Count | None = None
    """How many documents of each corpus, or sentences of a treebank, are sampled with the seed; None for all."""
    max_tokens: Annotated[int, Field(strict=True, ge=MIN_TOKENS)] = MAX_TOKENS
    """Longest input, special tokens included."""
    seed: Annotated[int, Field(strict=True, ge=0, le=MOST_SEED)] = SEED
    entropy_smoothing: Annotated[float, Field(strict=True, ge=0, lt=1, allow_inf_nan=False)] = ENTROPY_SMOOTHING
    """Share of uniform attention mixed into each row before entropies are taken."""
    segment_ids: Annotated[bool, Field(strict=True)] = SEGMENT_IDS
    """False feeds segment id 0 for every token, as Clark et al.'s released code does."""
    word_vectors: str | None = None
    """A file in the text format of GloVe, for the probes of treebanks; None for the model's own input embeddings."""
    studies: Annotated[bool, Field(strict=True)] = STUDIES
    """False leaves out what needs more than the sums of one pass: distances, roles, vectors, treebanks, mentions."""
    skip_bad: Annotated[bool, Field(strict=True)] = False
    """True leaves out sentences and rows of annotated files that are wrong, where one is an error otherwise."""
    device: Device = DEVICE
    precision: Precision = PRECISION
    """That of the model's matrix products; attention and statistics are always computed in float32 or more."""


_FIELDS: dict[str, Any] = {
    name: (Annotated[setting.kind, Field(strict=True)], setting.kind()) for name, setting in SETTINGS.items()
}
OfTopics = create_model("OfTopics", __config__=ConfigDict(extra="forbid", frozen=True), **_FIELDS)
"""The settings of a model that topics have: of each the value that was given, or the empty one of its kind."""


@dataclass(frozen=True, config=_CLOSED)
class ModelChoice:
    """An encoder that the site shows."""

    id: str
    revision: str | None = None
    name: str | None = None
    """The model's name if its id is not enough: two revisions of one model need two names."""
    corpora: tuple[str, ...] | None = None
    """What this model reads, if not the corpora of the analysis."""
    extras: Annotated[Any, GetPydanticSchema(lambda _, handler: handler(OfTopics))] = OfTopics()
    """What topics have settings for, by name; in the file they stand beside the others."""

    def options(self, revision: str = "--revision", name: str = "--name") -> list[str]:
        """The words of a command that choose its revision and name, where there are any."""
        given = {revision: self.revision, name: self.name}
        return [word for option, value in given.items() if value for word in (option, value)]


@dataclass(frozen=True, config=_CLOSED)
class Gone:
    """An encoder that the site used to show; its addresses still lead to a page."""

    name: str
    slug: str
    layers: Count
    heads: Count
    pages: tuple[Annotated[str, Field(pattern=r"^([^/]+/)+$")], ...] = ()
    """The addresses that it had beside those of its heads; if there are none, those that every model has."""


@dataclass(frozen=True, config=_CLOSED)
class Settings:
    """The keys of `fieldguide.toml`."""

    results: Path = RESULTS
    """Where analyses are written; the site shows those of the models that are listed."""
    also: tuple[Path, ...] = (Path("data/results"),)
    """Folders of stored results that the site shows whole; `results` may be one of them."""
    analysis: Analysis = Analysis()
    model: tuple[ModelChoice, ...] = ()
    """The encoders to analyse, one table each."""
    removed: tuple[Gone, ...] = ()
    """Encoders that are shown no more; `fieldguide remove` writes them."""


UNLISTED = Settings(also=(RESULTS, *Settings().also))
"""Without a settings file: no list chooses among the results."""


@dataclass(frozen=True)
class Project:
    """What `fieldguide build` builds."""

    root: Path
    """The folder of the settings file and `mkdocs.yml`."""
    settings: Settings = Settings()
    file: str = FILE
    """The settings file's name."""

    def analysis(self, choice: ModelChoice | None = None) -> Analysis:
        """The settings of an analysis, with files found beside the settings file; a model may bring its own corpora."""
        chosen = choice.corpora if choice and choice.corpora else self.settings.analysis.corpora
        corpora = tuple(self._beside(name) for name in chosen)
        vectors = self.settings.analysis.word_vectors
        return replace(self.settings.analysis, corpora=corpora, word_vectors=vectors and self._beside(vectors))

    @property
    def models(self) -> tuple[ModelChoice, ...]:
        """The encoders, with folders found beside the settings file."""
        return tuple(replace(choice, id=self._beside(choice.id)) for choice in self.settings.model)

    @property
    def names(self) -> tuple[str, ...]:
        """What the encoders are called in results, in the order of the settings: a folder goes by its own name."""
        return tuple(
            model.name or (Path(model.id).name if Path(model.id).is_dir() else model.id) for model in self.models
        )

    def _beside(self, name: str) -> str:
        return str(self.root / name) if (self.root / name).exists() else name

    @property
    def hidden(self) -> frozenset[str]:
        """The slugs of models that were removed: their results are shown no more."""
        return frozenset(gone.slug for gone in self.settings.removed)

    @property
    def results(self) -> Path:
        """Where analyses are written."""
        return self.root / self.settings.results

    @property
    def places(self) -> tuple[Path, ...]:
        """Every folder that may hold results, the written one first."""
        return tuple(dict.fromkeys((self.results, *(self.root / place for place in self.settings.also))))


def read_project(path: Path) -> Project:
    """Read `fieldguide.toml`. Raises SettingsError naming the file and the key."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise SettingsError(
            f"Expected the settings file {path}, found none; run this in the project's folder or give --config."
        ) from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"Expected TOML in {path}, found an error: {reason(error)}; correct it.") from None
    check_text(data, str(path))
    try:
        return Project(path.parent, Settings(**_of_topics_apart(data, path)), path.name)
    except ValidationError as error:
        raise SettingsError(_sentence(error, path)) from None


def _of_topics_apart(data: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """The same keys, with those that topics have gathered in each table of a model."""
    tables = data.get("model")
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        return {**data}
    if any(UNWRITTEN in table for table in tables):
        raise SettingsError(_unknown(UNWRITTEN, "model", path))
    return {**data, "model": [_gathered(table) for table in tables]}


def _gathered(table: Mapping[str, Any]) -> dict[str, Any]:
    own = {key: value for key, value in table.items() if key not in SETTINGS}
    return own | {UNWRITTEN: {key: value for key, value in table.items() if key in SETTINGS}}


def _sentence(error: ValidationError, path: Path) -> str:
    """The first thing wrong, with its place and what would be right."""
    first = error.errors()[0]
    *table, key = [part for part in first["loc"] if not isinstance(part, int)] or [""]
    name = str(table[0]) if table else ""
    if first["type"] == "unexpected_keyword_argument":
        return _unknown(str(key), name, path)
    found = f"found {first['input']!r} ({first['msg']})"
    return f"Expected another value of {key} in {_where(name, path)}, {found}; correct it."


def _unknown(key: str, name: str, path: Path) -> str:
    """That a table of this name has no such key."""
    kinds: dict[str, Any] = {"analysis": Analysis, "model": ModelChoice, "removed": Gone}
    own = [field.name for field in fields(kinds.get(name, Settings))]
    known = ", ".join(setting for each in own for setting in (SETTINGS if each == UNWRITTEN else (each,)))
    return f"Expected one of {known} in {_where(name, path)}, found {key!r}; correct it."


def _where(name: str, path: Path) -> str:
    title = {"analysis": "[analysis]", "model": "[[model]]", "removed": "[[removed]]"}.get(name)
    return f"{title} of {path}" if title else str(path)
