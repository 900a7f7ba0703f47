"""Values come back from JSON as they were, and no record comes back that was not asked for."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from generator.plain import Reader, plain


class Place(NamedTuple):
    """A named tuple."""

    layer: int
    head: int


@dataclass(frozen=True)
class Grid:
    """A dataclass."""

    value: np.ndarray
    at: dict[Place, tuple[str, ...]]


def back(value: object) -> object:
    """The value after it was written and read."""
    return Reader(Place, Grid).read(json.loads(json.dumps(plain(value))))


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 0, -1.5e-300, 0.1 + 0.2, float("inf"), "", "list", "\u2028\x00", [], (), {}),
        *(["list", 1], ("tuple",), [[1], ["a"]], {(1, 2): [None], "a": {1: (2,)}}, Path("a/b"), Place(1, 2)),
    ],
    ids=repr,
)
def test_a_value_comes_back_as_it_was(value: object) -> None:
    assert (type(back(value)), back(value)) == (type(value), value)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, bool])
def test_an_array_comes_back_bit_by_bit(dtype: type) -> None:
    array = np.array([[0.1, 7, -0.0], [1, 2, 3]]).T.astype(dtype)
    array[0, 1] = np.nan if dtype in (np.float64, np.float32) else 0
    found = back(Grid(array, {Place(1, 2): ("a",)}))
    assert isinstance(found, Grid)
    assert (found.value.dtype, found.value.shape, found.value.tobytes()) == (array.dtype, array.shape, array.tobytes())
    assert found.at == {Place(1, 2): ("a",)}
    found.value[0, 0] = 1
    assert plain(np.float64(0.5)) == 0.5


@pytest.mark.parametrize(
    "value", [object(), {1, 2}, b"bytes", len, np.array([object()])], ids=lambda one: str(type(one))
)
def test_what_has_no_plain_form_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        plain(value)


@pytest.mark.parametrize("value", [["system", "ls"], ["Path", "a"], ["eval", "1"], ["Statement"]])
def test_a_record_that_was_not_asked_for_is_refused(value: object) -> None:
    reader = Reader(Place)
    with pytest.raises(KeyError):
        reader.read(value)
