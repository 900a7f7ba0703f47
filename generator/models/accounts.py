"""Refuses a checkpoint of which something is left out: an adapter, a tensor, or a setting that the class in use passes
over. Its numbers would be those of another model.

Names and kinds of tensors are read from the headers of the files, and values only of tensors that go by two names or by
an old one.
"""

import inspect
import json
import re
import struct
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
import transformers
from safetensors import safe_open
from torch import Tensor

from generator.errors import ModelError
from generator.limits import LONGEST
from generator.models.source import loaded

NO_NUMBER = "It refuses what is not read whole."

SETTINGS = (
    *("position_embedding_type", "pos_att_type", "adapters", "pruned_heads", "alibi", "use_alibi"),
    *("alibi_starting_size", "rotary", "use_rotary", "relative_attention", "attention_window", "pre_layer_norm"),
)
"""What decides on which tokens a token attends and how, if a class reads it. transformers keeps settings that it does
not know, and passes over them.
"""
NEUTRAL = ("absolute", "none")
"""Values with which a setting asks for nothing, besides those that Python takes for false."""
HEADS = frozenset(
    (
        *("classification_head", "classifier", "cls", "contact_head", "crf", "decoder", "dense"),
        *("discriminator_predictions", "embedding_decoder", "entity_predictions", "final_logits_bias"),
        *("generator_lm_head", "generator_predictions", "head", "heads", "linear", "lm_head", "lm_loss"),
        *("lm_predictions", "logit_scale", "logits_proj", "mask_predictions", "mlm_head", "nsp_head", "out_proj"),
        *("pre_classifier", "pred_layer", "predictions", "projection", "projection_head", "qa_classifier"),
        *("qa_outputs", "score", "sequence_summary", "sop_classifier", "text_projection"),
        *("unembedding_projection", "vocab_layer_norm", "vocab_projector", "vocab_transform"),
    )
)
"""First parts of the names of what stands on an encoder: all that transformers has, and some that others have."""
POOLER = "pooler"
BUFFERS = frozenset(
    ("position_ids", "token_type_ids", "inv_freq", "masked_bias", "relative_position_index", "_float_tensor")
)
"""Last parts of the names of tensors that are no weights: a model makes them anew."""
_ADAPTER = re.compile(
    r"(^|[._])(lora|dora|loha|lokr|vera|ia3|adapters?|prefix|(?:soft_)?prompts?)([._]|$|(?=[AB]\.)|_\w)|base_layer"
)
_SCALE = re.compile(
    r"(^|[._])(SCB|CB|absmax|quant_map|quant_state|nested_absmax|q?scales?|scale_inv|zero_points?|qzeros|qweight|g_idx|"
    r"scale_weight|scale_input|scaled_fp8|weight_format|packed|bitsandbytes\w*)$"
)
_OLD = {"gamma": "weight", "beta": "bias"}
"""How layers of normalisation were called in TensorFlow -> what transformers calls it."""
_FLOATS = re.compile(r"B?F\d+")
"""The kinds of number, as safetensors calls them, that are weights."""


class Stored(NamedTuple):
    """A tensor in a file."""

    path: Path
    kind: str
    """Its kind of number, such as F32."""


def check_whole(config: Any, model: Any, left: Collection[str], weights: Sequence[Path]) -> None:
    """Raises ModelError if a model lacks what its folder holds; `left` are the tensors that it did not take."""
    stored = stored_tensors(weights)
    check_beside(weights)
    check_settings(config, model, weights[0].parent)
    check_kinds(model, left, stored)
    check_taken(model, left, stored)


def check_beside(weights: Sequence[Path]) -> None:
    """Raises ModelError for a part of an adapter in a file of weights that the model's index does not name."""
    folder = weights[0].parent
    for path in sorted({*weights} - {*loaded(folder, weights)}):
        found = sorted(name for name, _ in _header(path) if _ADAPTER.search(name))
        if found:
            raise ModelError(
                f"Expected the weights of a model alone in {folder}, found {_some(found)} of an adapter in "
                f"{path.name}, which would be left out; merge the adapter into the model first, and save that, or move "
                "the file away to read the model without it."
            )


def check_settings(config: Any, model: Any, where: Path) -> None:
    """Raises ModelError for a setting of config.json that the model's class does not read.

    A class reads a setting if its module names it, and the value, where that is a text.
    """
    modules = {base.__module__ for base in type(model).__mro__ if base.__module__.startswith("transformers.models.")}
    for name in SETTINGS:
        value = getattr(config, name, None)
        if isinstance(value, Mapping):
            value = {key: part for key, part in value.items() if part}
        if not value or value in NEUTRAL:
            continue
        parts = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        words = [name, *(part for part in parts if isinstance(part, str))]
        # transformers keeps any setting; only the code of the class and its bases says whether it is read.
        sources = (inspect.getsource(sys.modules[module]) for module in modules)
        if not any(all(re.search(rf"\b{re.escape(word)}\b", source) for word in words) for source in sources):
            raise ModelError(
                f"Expected settings in {where / 'config.json'} that transformers reads in a {config.model_type} model, "
                f"found {name} {_short(value)}, which it passes over, so that heads would attend otherwise than they "
                "were trained to; choose a checkpoint without it."
            )


def check_kinds(model: Any, left: Collection[str], stored: Mapping[str, Stored]) -> None:
    """Raises ModelError for parts of an adapter, and for numbers that are not weights until they are scaled.

    `left` are the names of tensors that the model did not take, `stored` all that lie in its files.
    """
    where = _where(stored)
    check_scaled(model, where)
    if getattr(model, "hf_quantizer", None) is not None:
        return  # transformers has scaled them
    adapter = sorted(name for name in left if _ADAPTER.search(name))
    if adapter:
        raise ModelError(
            f"Expected the weights of a model alone in {where}, found {_some(adapter)} of an adapter, which would be "
            "left out; merge the adapter into the model first, and save that."
        )
    whole = {name.rpartition(".")[2] for name, buffer in model.named_buffers() if not buffer.is_floating_point()}
    packed = [
        name
        for name, tensor in stored.items()
        if not _FLOATS.match(tensor.kind) and name.rpartition(".")[2] not in {*BUFFERS, *whole}
    ]
    scales = [name for name in left if _SCALE.search(name)]
    if packed or scales:
        first = packed or scales
        kind = f" as {stored[first[0]].kind}" if packed else ""
        raise ModelError(
            f"Expected weights as floating-point numbers in {where}, found {_some(sorted(first))}{kind}, as in a "
            "quantized model, whose config.json does not say how to scale them; give the weights from before they were "
            "quantized."
        )


def check_scaled(model: Any, where: str) -> None:
    """Raises ModelError for weights in eight bits that transformers has left as they are."""
    raw = sorted(
        name
        for name, parameter in model.named_parameters()
        if parameter.is_floating_point() and parameter.dtype.itemsize == 1
    )
    if raw:
        raise ModelError(
            f"Expected scales for the quantized weights in {where}, found none for {_some(raw)}; give the weights from "
            "before they were quantized."
        )


def check_taken(model: Any, left: Collection[str], stored: Mapping[str, Stored]) -> None:
    """Raises ModelError for a tensor that the model did not take and that is neither of a head nor a buffer, and for
    one that is stored under two names with other values.
    """
    prefix = f"{model.base_model_prefix}."
    base = model.base_model
    # What the encoder itself has is never taken for a head, whatever it is called.
    inside = {name.partition(".")[0] for name in _names(base)} | {name for name, _ in base.named_children()}
    strange = sorted(name for name in left if not _known(name.removeprefix(prefix), inside))
    wrapper = _wrapper(strange, prefix, inside)
    if wrapper and not any(_place(name, prefix, model.state_dict()) for name in stored):
        raise ModelError(
            f"Expected weights by the names that transformers gives them in {_where(stored)}, found {wrapper!r} before "
            f"{_some(strange)}, as a wrapper around the model leaves it, such as that of torch.compile; rename them "
            "without it, or save the model inside the wrapper again."
        )
    named = (getattr(model.config, "architectures", None) or [""])[0]
    if strange and named and not hasattr(transformers, named):
        raise ModelError(
            f"Expected a whole model of transformers in {_where(stored)}, found that config.json names {named}, and "
            f"{_some(strange)}, for which {type(model).__name__} has no place; save the model that it is a part of, or "
            "choose one that needs no code of its own."
        )
    if strange:
        raise ModelError(
            f"Expected transformers' {type(model).__name__} to use every weight in {_where(stored)}, found "
            f"{_some(strange)} that it has no place for; check that config.json and the weights belong together, and "
            "that the model needs no code of its own."
        )
    _check_names(model, prefix, stored)


def check_files(tokenizer: Any, setup: Sequence[Path], where: Path) -> None:
    """Raises ModelError for a file that a tokenizer reads and that is not among those whose checksum is kept."""
    named = {str(file) for file in getattr(tokenizer, "vocab_files_names", {}).values()}
    given = [value for value in tokenizer.init_kwargs.values() if isinstance(value, str) and value]
    kept = {path.resolve() for path in setup}
    for name in sorted({*named, *(value for value in given if "\n" not in value)}):
        path = where / name
        if len(name) <= LONGEST and path.is_file() and path.resolve() not in kept:
            raise ModelError(
                f"Expected the tokenizer in {where} to read files of the kinds that are compared when they change, "
                f"found {name}; save the tokenizer as tokenizer.json."
            )


def stored_tensors(paths: Sequence[Path]) -> dict[str, Stored]:
    """The tensors in the files that transformers loads of these, by name; only their headers are read."""
    return {name: Stored(path, kind) for path in loaded(paths[0].parent, paths) for name, kind in _header(path)}


def _wrapper(strange: Sequence[str], prefix: str, inside: Collection[str]) -> str:
    """What stands before the names of parts of the model in all of these names; empty if nothing does."""
    if not strange:
        return ""
    steps = strange[0].split(".")
    for at in range(1, len(steps)):
        before = ".".join(steps[:at]) + "."
        inner = [name.removeprefix(before).removeprefix(prefix) for name in strange if name.startswith(before)]
        if len(inner) == len(strange) and steps[at] + "." in (prefix, *(f"{module}." for module in inside)):
            return before
    return ""


def _known(name: str, inside: Collection[str]) -> bool:
    first, last = name.partition(".")[0], name.rpartition(".")[2]
    pools = POOLER in name and not any(part.isdecimal() for part in name.split("."))  # a layer of its own has a number
    return last in BUFFERS or pools or (first not in inside and first in HEADS)


def _check_names(model: Any, prefix: str, stored: Mapping[str, Stored]) -> None:
    """Each of the tensors under an old name, or under two names, has the value that the model took."""
    taken: dict[str, Tensor] = dict(model.state_dict())
    by_place: dict[str, list[str]] = defaultdict(list)
    for name in stored:
        place = _place(name, prefix, taken)
        if place:
            by_place[place].append(name)
    for place, names in by_place.items():
        if len(names) > 1 or names[0].rpartition(".")[2] in _OLD:
            for name in names:
                value = _value(stored[name].path, name)
                if value.shape != taken[place].shape or not torch.equal(value.to(taken[place]), taken[place]):
                    other = next((alias for alias in names if alias != name), place)
                    raise ModelError(
                        f"Expected one value of {place} in {_where(stored)}, found another one under {name!r} than "
                        f"under {other!r}; save the model again from what it was trained with."
                    )


def _place(name: str, prefix: str, taken: Mapping[str, Tensor]) -> str:
    """The weight of the model that has this name, or had it in older files; empty if there is none."""
    stem, dot, last = name.rpartition(".")
    for spelling in (name, f"{stem}{dot}{_OLD[last]}" if last in _OLD else name):
        for place in (spelling, spelling.removeprefix(prefix), prefix + spelling):
            if place in taken:
                return place
    return ""


def _names(model: Any) -> set[str]:
    return {name for name, _ in model.named_parameters()} | {name for name, _ in model.named_buffers()}


def _header(path: Path) -> Iterator[tuple[str, str]]:
    """Name and kind of number of each tensor."""
    with path.open("rb") as file:
        # The header alone, in which safetensors lists its tensors: no weight is read.
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
    yield from ((name, tensor["dtype"]) for name, tensor in header.items() if name != "__metadata__")


def _value(path: Path, name: str) -> Tensor:
    with safe_open(path, framework="pt") as file:
        found: Tensor = file.get_tensor(name)
        return found


def _where(stored: Mapping[str, Stored]) -> str:
    return str(next(iter(stored.values())).path.parent) if stored else "the files of the model"


def _some(names: Sequence[str]) -> str:
    return names[0] + (f" and {len(names) - 1} more" if len(names) > 1 else "")


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
