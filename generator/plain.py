"""Values as JSON can hold them, and back: exactly what they were, with nothing in them that could run.

A tuple, a list, a mapping, an array, a path or a record becomes a list that begins with the name of its kind. Records
are dataclasses and named tuples; those that may come back are listed by whoever reads them.
"""

import base64
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

NO_NUMBER = "Values come back as they were."

SCALARS = {str, int, float, bool, type(None)}
KINDS: Mapping[str, Callable[..., Any]] = {
    "tuple": lambda *items: items,
    "list": lambda *items: [*items],
    "dict": lambda *items: dict(zip(items[::2], items[1::2], strict=True)),
    "path": Path,
    # Copied, since an array over bytes cannot be written to.
    "array": lambda dtype, shape, content: np.frombuffer(base64.b64decode(content), dtype).reshape(shape).copy(),
}


def plain(value: Any) -> Any:
    """The value as JSON can hold it. Raises TypeError for a kind of value that has no such form."""
    if type(value) in SCALARS:
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return ["array", value.dtype.str, ["tuple", *value.shape], base64.b64encode(value.tobytes()).decode()]
    if isinstance(value, Path):
        return ["path", str(value)]
    name, items = _items(value)
    return [name, *[item if type(item) in SCALARS else plain(item) for item in items]]


class Reader:
    """Turns what `plain` gives back into values; records of other classes than these are refused."""

    def __init__(self, *records: type) -> None:
        self.records = records
        self._kinds: dict[str, Callable[..., Any]] = {**KINDS, **{record.__name__: record for record in records}}

    def read(self, value: Any) -> Any:
        """The value. Raises KeyError for a record that is not among those."""
        if type(value) is not list:
            return value
        name, *items = value
        return self._kinds[name](*[self.read(item) if type(item) is list else item for item in items])


def _items(value: Any) -> tuple[str, Any]:
    """The name of the kind of a value, and what it is made of."""
    if isinstance(value, Mapping):
        return "dict", [part for item in value.items() for part in item]
    if isinstance(value, list):
        return "list", value
    if isinstance(value, tuple):
        return type(value).__name__, value
    return type(value).__name__, [getattr(value, field.name) for field in fields(value)]
