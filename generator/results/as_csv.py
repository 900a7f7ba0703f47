"""Rows of several tables as one CSV file; Arrow writes it, several times as fast as pandas or the standard library.

A spreadsheet runs a cell that begins like a formula, wherever its text came from; `inert` is what such a cell holds.
"""

import re
from collections.abc import Mapping, Sequence

import pandas as pd
import pyarrow as pa
from pyarrow.csv import WriteOptions, write_csv

from generator.visible import visible

FORMULA = re.compile(r"[=+\-@\t\r](?!$)")
"""Matches the beginning of what a spreadsheet may run; a mark alone is text (OWASP, CSV Injection)."""
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
"""Matches a number, which may begin with a sign."""


def as_csv(parts: Sequence[Mapping[str, pd.Series | str]], first: Sequence[str]) -> str:
    """The rows of all parts below one heading, which begins with the columns `first`.

    Each part has at least one column; a text given instead of a column is repeated in every row of the part. What a
    part does not have or define is empty.
    """
    names = list(dict.fromkeys((*first, *(name for part in parts for name in part))))
    text = pa.BufferOutputStream()
    # A table without rows is written as its heading.
    write_csv(pa.table(dict.fromkeys(names, pa.nulls(0))), text)
    for part in parts:
        count = next(len(column) for column in part.values() if not isinstance(column, str))
        rows = pa.table({name: _column(part.get(name), count) for name in names})
        write_csv(rows, text, WriteOptions(include_header=False))
    return str(text.getvalue().to_pybytes(), "utf-8")


def inert(cell: str) -> str:
    """A cell that no spreadsheet runs and that turns no line around: an apostrophe stands before a formula.

    >>> [inert(cell) for cell in ("=1+2", "-0.5", "-", "@SUM(A1)", "the")]
    ["'=1+2", '-0.5', '-', "'@SUM(A1)", 'the']
    """
    text = visible(cell)
    return f"'{text}" if FORMULA.match(text) and not NUMBER.fullmatch(text) else text


def _column(given: pd.Series | str | None, count: int) -> pa.Array:
    if not isinstance(given, pd.Series):
        return pa.repeat(given if given is None else inert(given), count)
    if pd.api.types.is_string_dtype(given.dtype):
        # Texts repeat, and each is looked at once.
        given = given.map({text: inert(text) for text in given.dropna().unique()})
    return pa.array(given, from_pandas=True)
