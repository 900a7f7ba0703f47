"""With how many digits a model computes: float32, TF32 or bfloat16.

The precision is that of a model's matrix products. Its weights stay in float32, as in training: bfloat16 is autocast,
which keeps sums of layers and norms in float32. Attention and whatever is made of it are always computed in float32
or more.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar

import torch
from torch import Tensor

from generator.defaults import Precision

BF16: Precision = "bfloat16"
TF32: Precision = "tf32"
TF32_SINCE = (8, 0)
"""The compute capability of the first GPUs that have TF32."""

_now: ContextVar[Precision | None] = ContextVar("precision", default=None)


@contextmanager
def computing(precision: Precision, device: torch.device) -> Iterator[None]:
    """What is computed inside this block has this precision; blocks may be nested."""
    before = _now.get()
    if precision == before:
        yield
        return
    products, convolutions = torch.get_float32_matmul_precision(), torch.backends.cudnn.allow_tf32
    token = _now.set(precision)
    torch.set_float32_matmul_precision("high" if precision == TF32 else "highest")
    torch.backends.cudnn.allow_tf32 = precision == TF32
    try:
        # Where nothing is cast, autocast would only cost time; inside a cast block float32 has to switch it off.
        cast = BF16 in (precision, before)
        with torch.autocast(device.type, torch.bfloat16, precision == BF16) if cast else nullcontext():
            yield
    finally:
        torch.backends.cudnn.allow_tf32 = convolutions
        torch.set_float32_matmul_precision(products)
        _now.reset(token)


def at_least_float32(tensor: Tensor) -> Tensor:
    """The same numbers in float32 if they are kept in fewer digits."""
    return tensor.float() if tensor.dtype in (torch.bfloat16, torch.float16) else tensor


def has_tf32(device: torch.device) -> bool:
    """Whether the device computes in TF32 when it is told to; all others compute in float32 without saying so."""
    return device.type == "cuda" and torch.cuda.get_device_capability(device) >= TF32_SINCE
