"""Compiles functions with loops to machine code if numba is available; otherwise they run as plain, slow Python."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

try:
    from llvmlite import binding
    from numba import config, njit
except ImportError:  # no release for this platform, or none yet for this NumPy
    njit = None  # type: ignore[assignment]

_F = TypeVar("_F", bound=Callable[..., object])

COMPILES = njit is not None


def compiled(**options: Any) -> Callable[[_F], _F]:
    """A decorator that compiles a function with these options of numba and keeps the machine code between runs."""

    def decorate(function: _F) -> _F:
        if not COMPILES:
            return function
        try:
            return njit(cache=True, nogil=True, **options)(function)
        except RuntimeError:  # no folder to keep it in
            return njit(nogil=True, **options)(function)

    return decorate


def compiled_sums(function: _F) -> _F:
    """A decorator like `compiled`, for sums that may be taken in any order; NaN stays NaN."""
    return compiled(fastmath={"reassoc", "contract"})(function)


def one_type(array: np.ndarray, kind: type[np.floating[Any]] = np.float32) -> np.ndarray:
    """The array as compiled code takes it, a copy only where it must be: one type, so that one version is compiled."""
    if array.dtype == kind and array.flags.carray:  # told faster than by np.require
        return array
    return np.require(array, kind, ["C", "W"])


def _use_wide_vectors() -> None:
    """Make LLVM use 512-bit vectors on processors that have them; by default it uses vectors half as wide, with which
    our loops take a third longer.

    The compiler reads this setting when it compiles its first function.
    """
    features = binding.get_host_cpu_features()
    if vars(config)["CPU_FEATURES"] is None and features.get("avx512f"):
        vars(config)["CPU_FEATURES"] = f"{features.flatten()},-prefer-256-bit"


if COMPILES:
    _use_wide_vectors()
