"""No sentence of a page changes by accident: pages of a stored model, against what they said before."""

import re

import pytest

from tests.frozen_pages import FILE, HEADING, PAGES, text_of, written

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e-?\d+)?")
ROUNDED = 0.1
"""Another processor may round the last of two digits otherwise; what the digits are is tested elsewhere."""


@pytest.fixture(scope="module")
def now():
    return by_page(written())


@pytest.fixture(scope="module")
def before():
    return by_page(FILE.read_text(encoding="utf-8"))


def by_page(text):
    """Address -> lines."""
    parts = (part.split("\n", 1) for part in text.split(HEADING)[1:])
    return {address: lines.rstrip("\n").split("\n") for address, lines in parts}


def numbers(line):
    return [float(one.replace(",", "")) for one in NUMBER.findall(line)]


@pytest.mark.parametrize("address", PAGES)
def test_a_page_says_what_it_said(now, before, address):
    assert len(before[address]) > 5
    bare_now, bare_before = ([NUMBER.sub("#", line) for line in of[address]] for of in (now, before))
    assert bare_now == bare_before, "renew with python -m tests.frozen_pages where this is meant"
    for line, was in zip(now[address], before[address], strict=True):
        assert numbers(line) == pytest.approx(numbers(was), rel=ROUNDED), line


def test_text_is_told_by_block_and_pictures_are_left_out():
    assert text_of("<h1>One</h1><p>two <b>three</b><svg><text>no</text></svg> &lt;4</p>") == "One\ntwo three <4"
