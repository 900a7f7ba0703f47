"""Rows of several tables as one CSV, read again with the standard library."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

from generator.results.as_csv import as_csv, inert


def read(text):
    return list(csv.reader(io.StringIO(text, newline="")))


def test_parts_stand_below_one_heading_and_what_they_lack_is_empty():
    first = {"table": "heads", "layer": pd.Series([1, 2]), "value": pd.Series([0.1, np.nan])}
    second = {"table": "facts", "value": pd.Series([1 / 3]), "low": pd.Series([5e-8])}
    rows = read(as_csv([first, second], ("table", "chosen")))
    assert rows[0] == ["table", "chosen", "layer", "value", "low"]
    assert rows[1:3] == [["heads", "", "1", "0.1", ""], ["heads", "", "2", "", ""]]
    assert rows[3][:3] == ["facts", "", ""]
    assert [float(one) for one in rows[3][3:]] == [1 / 3, 5e-8], "every digit is there"


def test_a_text_may_hold_whatever_ends_a_cell_or_a_row():
    texts = ['a "word"', "one, two", "three\nfour", "", "\u2028", None]
    rows = read(as_csv([{"at": pd.Series(range(6)), "text": pd.Series(texts)}], ()))
    assert [text for _, text in rows[1:]] == ['a "word"', "one, two", "three\nfour", "", "\u2028", ""]


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ('=HYPERLINK("https://example.org")', '\'=HYPERLINK("https://example.org")'),
        ("+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"),
        ("-1+2", "'-1+2"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("turned \u202e", "turned \\u202e"),
        *((one, one) for one in ("=", "-", "@", "-0.5", "+1e-7", "-.5", "a=b", " =1", "")),
    ],
)
def test_no_spreadsheet_runs_a_cell(cell, shown):
    rows = read(as_csv([{"name": cell, "cell": pd.Series([cell, "the", None])}], ("name",)))
    assert inert(cell) == shown
    assert rows[1:] == [[shown, shown], [shown, "the"], [shown, ""]]
