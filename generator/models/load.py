"""Loads a folder of files as an Encoder on a device.

Every checkpoint is loaded by `load_as`, with or without a head on top of its encoder.
"""

import copy
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import AutoConfig, AutoModel, AutoTokenizer
from transformers.models.auto.tokenization_auto import get_tokenizer_config
from transformers.utils import logging

from generator.defaults import PRECISION, Device, Precision
from generator.errors import DeviceError, ModelError, reason
from generator.limits import MIN_TOKENS
from generator.models.accounts import check_files, check_whole
from generator.models.encoder import Encoder, encoder_within
from generator.models.precision import TF32, has_tf32
from generator.models.source import TOKENIZERS, Source

OF_SEVERAL = ("DPRContextEncoder", "DPRReader")
"""Encoders that share a family with another one, which the Auto class would load with none of their weights."""
READERS = ("sentencepiece", "protobuf")
"""The packages that read sentence pieces."""
PIECES, FIRST = (".model", ".spm"), b"\n"
"""How files of sentence pieces are called, and their first byte."""
PACKAGE = re.compile(
    r"pip install (?:-U )?([\w.<>=~!-]+)|need to install ([\w.<>=-]+)|The (\w+) dictionary is not installed|"
    r"No module named '(\w+)|requires the (\w+) library"
)
"""Where an error of transformers names a package that is not there."""
NO_TOKENIZER = "instantiate the backend tokenizer"
"""What transformers says of files of which it can make no tokenizer."""
WHOLE = "tokenizer.json"
"""A tokenizer that needs neither."""
TEXT = "input_ids"
"""What transformers calls the main input of a model that reads text."""
UNNAMED = "for this kind of AutoModel: AutoModel."
"""What transformers says where it has no plain model for a configuration."""
UNLIMITED = 1_000_000
"""A maximal length above this is no limit: tokenizers without one report an enormous number."""


@dataclass(frozen=True)
class Checkpoint:
    """What one of transformers' Auto classes loaded from a folder."""

    encoder: Encoder
    missing: tuple[str, ...]
    """Weights outside the encoder's layers, such as those of a pooler or a head, that were missing and are random."""


def load(source: Source, device: torch.device, precision: Precision = PRECISION) -> Encoder:
    """Load an encoder, ready to be observed. Raises ModelError."""
    return load_as(AutoModel, source, device, "a model", precision).encoder


def read_config(source: Source) -> Any:
    """The folder's configuration, freshly read, so that no model has changed it. Raises ModelError."""
    try:
        config = AutoConfig.from_pretrained(source.folder, trust_remote_code=False)
    except Exception as error:  # noqa: BLE001 - a foreign folder can make transformers raise anything
        raise _unloadable("a model", source, error) from None
    for what in ("layers", "heads"):
        count = getattr(config, "num_hidden_layers" if what == "layers" else "num_attention_heads", None)
        if isinstance(count, int) and count < 1:
            raise ModelError(
                f"Expected a model with {what} in {source.folder}, found {count} in its config.json; choose another "
                "model."
            )
    return config


def load_as(kind: Any, source: Source, device: torch.device, what: str, precision: Precision = PRECISION) -> Checkpoint:
    """Load a folder as the class that `kind`, one of transformers' Auto classes, has for its architecture.

    With AutoModel, of a model with a decoder only the encoder is kept. `what` names the kind of model in messages.
    Raises ModelError, also if weights of the encoder itself are missing.
    """
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    config = read_config(source)
    try:
        tokenizer = AutoTokenizer.from_pretrained(source.folder, trust_remote_code=False)
        model, report = _class_of(kind, config).from_pretrained(
            source.folder,
            config=_scaled(config),
            use_safetensors=True,
            trust_remote_code=False,  # if left out, transformers asks at the keyboard and runs the code after a yes
            attn_implementation="eager",
            dtype=torch.float32,
            ignore_mismatched_sizes=True,  # refused below by name
            output_loading_info=True,
        )
    except Exception as error:  # noqa: BLE001 - as above
        raise _unreadable(source) or _lacking(source, error) or _unloadable(what, source, error) from None
    check_files(tokenizer, source.setup(), source.folder)
    check_whole(config, model, report["unexpected_keys"], source.weights())
    other = sorted(report["mismatched_keys"])
    if other:
        name, found, expected = other[0]
        raise ModelError(
            f"Expected weights of the shapes that config.json asks for in {source.folder}, found {name} with "
            f"{' x '.join(map(str, found))} in place of {' x '.join(map(str, expected))}{_more(other)}; "
            "check that config.json and the weights belong together."
        )
    keys = sorted(report["missing_keys"])
    inner = "" if model.base_model is model else f"{model.base_model_prefix}."
    # A pooler stands on the last layer and changes no map.
    missing = [key for key in keys if key.startswith(inner) and "pooler" not in key]
    if not all(key.startswith("decoder.") for key in missing):  # of a decoder nothing is read
        raise ModelError(
            f"Expected weights for every part of the model in {source.folder}, found none for {missing[0]}"
            f"{_more(missing)}; check that config.json and the weights belong together."
        )
    model = encoder_within(model) if kind is AutoModel else model
    if model.main_input_name != TEXT:
        raise ModelError(
            f"Expected a model that reads text in {source.folder}, found a {config.model_type} model, which reads "
            f"{model.main_input_name}; choose an encoder of text."
        )
    broken = next((name for name, weight in model.named_parameters() if not weight.isfinite().all()), None)
    if broken:
        raise ModelError(
            f"Expected finite weights in {source.folder}, found NaN or infinity in {broken}; get the model again, "
            "since its training or its download went wrong."
        )
    encoder = Encoder(
        id=source.title,
        model=model.eval().requires_grad_(False).to(device),
        tokenizer=tokenizer,
        positions=_positions(model, tokenizer),
        segments=(getattr(config, "type_vocab_size", 0) or 0) > 1,
        device=device,
        precision=precision,
    )
    _check_text(encoder)
    _check_vocabulary(encoder)
    if encoder.positions < MIN_TOKENS:
        raise ModelError(
            f"Expected {encoder.id} to read at least {MIN_TOKENS} tokens, found {encoder.positions}; "
            "choose an encoder with more positions."
        )
    return Checkpoint(encoder, tuple(keys))


def _more(some: Sequence[Any]) -> str:
    """The end of a list in a message: how many there are beyond the first, which the message has named."""
    return f" and {len(some) - 1} more" if len(some) > 1 else ""


def devices() -> list[str]:
    """The kinds of device on this machine, the fastest first."""
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    return [name for name, here in present.items() if here]


def choose_device(name: Device, precision: Precision = PRECISION) -> torch.device:
    """The device of that name; `auto` takes a GPU where there is one.

    Raises DeviceError if the machine has none, or none that computes in this precision.
    """
    if name != "auto" and name not in devices():
        have = ", ".join(devices())
        raise DeviceError(f"Expected a {name} device, found only {have} on this machine; use --device auto.")
    device = torch.device(devices()[0] if name == "auto" else name)
    if precision == TF32 and not has_tf32(device):
        raise DeviceError(
            f"Expected an NVIDIA GPU that computes in TF32 (compute capability 8 or later), found {device}, on which "
            "this precision changes nothing; choose float32 or bfloat16."
        )
    return device


def _positions(model: Any, tokenizer: Any) -> int:
    """The longest input in tokens: what the tokenizer allows, or the rows of the position table, minus those that some
    families keep for padding, if these are fewer.
    """
    limits = [tokenizer.model_max_length]
    table = getattr(model.config, "max_position_embeddings", None)
    if table and table > 0:
        reserved = 0
        for name, module in model.named_modules():
            # RoBERTa and its like number positions from behind the one for padding.
            if name.endswith("position_embeddings") and getattr(module, "padding_idx", None) is not None:
                reserved = module.padding_idx + 1
        limits.append(table - reserved)
    return min(limit for limit in [*limits, UNLIMITED] if limit)


def _scaled(config: Any) -> Any:
    """A copy of a configuration by which weights in eight bits are scaled when they are loaded, as without a GPU: else
    numbers would be those of the machine.
    """
    found = copy.deepcopy(config)
    quantized = getattr(found, "quantization_config", None)
    if isinstance(quantized, dict) and quantized.get("quant_method") == "fp8":
        quantized["dequantize"] = True
    return found


def _class_of(kind: Any, config: Any) -> Any:
    """The class to load a plain encoder with: that which config.json names where its family has several encoders, each
    with weights of its own names, as DPR has; else the Auto class itself.
    """
    named = (config.architectures or [""])[0]
    return getattr(transformers, named) if kind is AutoModel and named in OF_SEVERAL else kind


def _unreadable(source: Source) -> ModelError | None:
    """The error for sentence pieces without the packages that read them; None where that is not what is wrong."""
    pieces = next((path for path in source.setup() if path.suffix in PIECES and _starts(path, FIRST)), None)
    lacking = lacking_readers()
    if pieces is None or not lacking or (source.folder / WHOLE).is_file():
        return None
    return ModelError(
        f"Expected the packages {' and '.join(READERS)}, which read {pieces.name} of {source.folder}, found no "
        f"{' and no '.join(lacking)}; install them with: pip install {' '.join(READERS)}"
    )


def _starts(path: Path, start: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(start)) == start


def _lacking(source: Source, error: Exception) -> ModelError | None:
    """The error for a package that the tokenizer or the weights need, as the error of transformers names it, for a file
    of the tokenizer that is not there, and for files of which no tokenizer is made; None for any other error.
    """
    named = PACKAGE.search(str(error))
    if named:
        package = next(filter(None, named.groups()))
        return ModelError(
            f"Expected the package {package}, which the tokenizer or the weights in {source.folder} need, found it not "
            f"installed; install it with: pip install {shlex.quote(package)}"
        )
    if NO_TOKENIZER in str(error):
        here = [path.name for path in source.setup() if any(path.match(pattern) for pattern in TOKENIZERS)]
        return ModelError(
            f"Expected files in {source.folder} of which transformers makes a tokenizer, found {', '.join(here)}, of "
            f"which it makes none without other code; save the tokenizer as {WHOLE}, where that code is."
        )
    missing = " and ".join(_missing(source))
    if not missing:
        return None
    return ModelError(
        f"Expected {missing} in {source.folder}, which the tokenizer that tokenizer_config.json names reads, found "
        f"none; get the files of the model again, or save the tokenizer as {WHOLE}."
    )


def _missing(source: Source) -> list[str]:
    """The files that the class of the tokenizer reads and that are not there; none where all is in one file."""
    if (source.folder / WHOLE).is_file():
        return []
    kind = getattr(transformers, str(get_tokenizer_config(source.folder).get("tokenizer_class")), None)
    read = {name for role, name in getattr(kind, "vocab_files_names", {}).items() if role != "tokenizer_file"}
    return sorted(name for name in read if not (source.folder / name).is_file())


def lacking_readers() -> list[str]:
    """The packages for sentence pieces that are not installed."""
    return [package for package in READERS if not _is_installed(package)]


def _is_installed(package: str) -> bool:
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def _unloadable(what: str, source: Source, error: Exception) -> ModelError:
    if UNNAMED in str(error):
        return ModelError(
            f"Expected {what} of which transformers has the encoder alone in {source.folder}, found a combination for "
            "which it has none; save the encoder inside it, such as model.encoder, in a folder of its own."
        )
    return ModelError(
        f"Expected {what} that transformers can load in {source.folder}, found: {reason(error)}; "
        "check that the folder is complete, that config.json fits it, and that it needs no remote code."
    )


def _check_text(encoder: Encoder) -> None:
    """Raises ModelError for a tokenizer that does not read plain text, such as one of tables or of pages."""
    try:
        encoder.tokenizer("a", "b", return_special_tokens_mask=True)
    except Exception as error:  # noqa: BLE001 - as above
        raise ModelError(
            f"Expected a tokenizer of {encoder.id} that reads text, found {type(encoder.tokenizer).__name__}, which "
            f"says: {reason(error)}; choose an encoder of text."
        ) from None


def _check_vocabulary(encoder: Encoder) -> None:
    if len(encoder.tokenizer) <= len(set(encoder.tokenizer.all_special_ids)):
        raise ModelError(
            f"Expected a vocabulary in the tokenizer of {encoder.id}, found special tokens alone; save the tokenizer "
            "that belongs to the model with tokenizer.save_pretrained()."
        )
    try:
        rows = encoder.model.get_input_embeddings().weight.shape[0]
    except NotImplementedError:  # models of characters have no table of pieces
        return
    if len(encoder.tokenizer) > rows:
        raise ModelError(
            f"Expected the tokenizer of {encoder.id} to have at most {rows} pieces, the rows of its embedding table, "
            f"found {len(encoder.tokenizer)}; give the tokenizer that belongs to the model."
        )
    last = max(encoder.tokenizer.get_vocab().items(), key=lambda piece: piece[1], default=("", 0))
    if last[1] >= rows:
        raise ModelError(
            f"Expected numbers below {rows}, the rows of the embedding table, for the pieces of the tokenizer of "
            f"{encoder.id}, found {last[1]} for {last[0]!r}; give the tokenizer that belongs to the model."
        )
