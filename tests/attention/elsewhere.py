"""A device that is none: tensors say that they lie on it, and every copy to or from it and every wait is counted.

The name is that of torch's "meta" device, which is never computed on. A tensor there holds another on the CPU, on which
all is computed. As on a GPU, tensors of the CPU may not be mixed with those of the device.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

from generator.models.encoder import Encoder

DEVICE = torch.device("meta")
ATEN = torch.ops.aten
COPY, COPY_THAT_WAITS, COPY_TO_IT = "a copy", "a copy that waits", "a copy to it"
BY_MASK = "values are picked by a mask"
WAITS = {
    ATEN._local_scalar_dense: "a number is read",
    ATEN.nonzero: "places are sought",
    ATEN.masked_select: BY_MASK,
    ATEN.equal: "tensors are compared",
    ATEN._unique2: "values are sorted out",
}
"""Operations whose result the CPU must have before it can go on."""


class Elsewhere(Tensor):
    """A tensor that says it is on the device, and the one on the CPU that it holds."""

    held: Tensor

    @staticmethod
    def __new__(cls, held: Tensor) -> "Elsewhere":
        made: Elsewhere = Tensor._make_wrapper_subclass(  # type: ignore[attr-defined]
            cls, held.size(), held.stride(), held.storage_offset(), dtype=held.dtype, device=DEVICE
        )
        made.held = held
        return made

    @classmethod
    def __torch_dispatch__(
        cls, operation: Any, types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        return carried_out(operation, args, kwargs or {}, Counter())


def carried_out(operation: Any, args: Sequence[Any], kwargs: Mapping[str, Any], counts: Counter[str]) -> Any:
    """The result of an operation, on the device if that is where it is computed."""
    tensors = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, Tensor)]
    away = any(isinstance(tensor, Elsewhere) for tensor in tensors)
    to, kind = kwargs.get("device"), operation.overloadpacket
    if away or to == DEVICE:
        happened = _what_happens(
            kind, args, kwargs, [tensor for tensor in tensors if not isinstance(tensor, Elsewhere)]
        )
        counts.update(happened)
    there = (away and kind is not ATEN._local_scalar_dense and to is None) or to == DEVICE
    on_cpu = {**kwargs, "device": torch.device("cpu")} if to == DEVICE else kwargs
    found = operation(*tree_map(_held, args), **tree_map(_held, on_cpu))
    if not there:
        return found
    with torch.inference_mode(mode=False):  # a view of a weight, which is no tensor of that mode, cannot be one
        return tree_map(lambda one: Elsewhere(one) if isinstance(one, Tensor) else one, found)


def _what_happens(kind: Any, args: Sequence[Any], kwargs: Mapping[str, Any], here: Sequence[Tensor]) -> list[str]:
    """Which copies an operation with a tensor of the device makes, and whether the CPU waits; `here` are on the CPU."""
    found = [WAITS[kind]] if kind in WAITS else []
    mixed = [one for one in here if one.dim()]  # a single number goes with any device
    if kind is ATEN.copy_:
        found += ([COPY_TO_IT] if isinstance(args[0], Elsewhere) else [COPY_THAT_WAITS]) if mixed else []
    elif kind is ATEN._to_copy and kwargs.get("device") is not None:
        leaving = COPY if kwargs.get("non_blocking") else COPY_THAT_WAITS
        found += [leaving] if kwargs["device"] != DEVICE else [COPY_TO_IT] * len(here)
    elif kind in (ATEN.index, ATEN.index_put, ATEN.index_put_):
        places = [leaf for leaf in tree_leaves(args[1]) if isinstance(leaf, Tensor)]
        found += [COPY_TO_IT] * len(mixed) + [BY_MASK for place in places if place.dtype == torch.bool]
    elif mixed:
        raise RuntimeError(f"{kind} mixes tensors of two devices")
    return found


class Counting(TorchDispatchMode):
    """Counts what happens while the block runs."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()

    def __torch_dispatch__(
        self, operation: Any, types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        if operation._can_decompose():  # in inference mode nobody has taken it apart before
            with self:
                return operation.decompose(*args, **kwargs or {})
        return carried_out(operation, args, kwargs or {}, self.counts)


class Making(TorchFunctionMode):
    """Makes tensors of numbers for the device on the CPU and copies them: torch's own device would forget them."""

    def __torch_function__(
        self, function: Any, types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        given = dict(kwargs or {})
        if function is torch.tensor and given.get("device") == DEVICE:
            del given["device"]
            return function(*args, **given).to(DEVICE)
        if function in (Tensor.tolist, Tensor.numpy) and isinstance(args[0], Elsewhere):
            return function(args[0].cpu())  # torch refuses both for such a class
        return function(*args, **given)


@contextmanager
def counting() -> Iterator[Counter[str]]:
    """Gives what is counted while the block runs."""
    with Counting() as mode, Making():
        yield mode.counts


def moved(encoder: Encoder) -> Encoder:
    """The encoder, moved to the device; the one that is given moves with it."""
    for module in encoder.model.modules():
        for own in (module._parameters, module._buffers):
            own.update({name: Elsewhere(one.detach()) for name, one in own.items() if one is not None})
    return replace(encoder, device=DEVICE)


def _held(one: Any) -> Any:
    return one.held if isinstance(one, Elsewhere) else one
