"""No sentence of a page changes by accident: pages of a stored model, against what they said before."""

import pytest

from generator.pages.blocks import SURE
from generator.pages.walk import walk
from tests.frozen_pages import FILE, compare, every_page, read, text_of, written

PAGE = ["Head 8-10", "Mean 0.52", "[SEP] 0.30 of 1,204", "[SEP] 0.41 of 1,204"]


@pytest.fixture(scope="module")
def made():
    """Gives every page of the model."""
    return every_page()


def test_no_page_says_what_the_gate_would_refuse(made):
    assert [one for address, page in made.items() for one in walk(address, page)] == []
    assert sum(SURE in page for page in made.values()) == 5, "pages that list what heads surely find"


def test_every_page_says_what_it_said(made):
    before = read()
    assert min(map(len, before.values())) > 5
    found = compare(before, written(made))
    assert not found.changes, found.complaint("tests.frozen_pages")


def test_the_file_is_laid_out_as_a_renewal_writes_it():
    found = compare(read(), read())
    assert (found.changes, found.text) == ([], FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("0.52", "0.53"),
        ("0.52", "0.51"),
        ("1,204", "1,205"),
        ("99 %", "100 %"),
        ("2.3e-05", "2.4e-05"),
        ("0.099", "0.10"),
    ],
)
def test_a_number_whose_last_digit_is_rounded_otherwise_keeps_its_line(was, now):
    found = compare({"": [f"a {was} b"]}, {"": [f"a {now} b"]})
    assert (found.changes, found.text) == ([], f"=== \na {was} b\n")


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("0.52", "0.54"),
        ("0.52", "0.50"),
        ("1,204", "1,206"),
        ("0.05", "0.06"),
        ("8", "9"),
        ("2.3e-05", "2.5e-05"),
        ("0.52", "-0.52"),
        ("0.52", "0.52 nats"),
    ],
)
def test_a_number_that_is_another_changes_its_line(was, now):
    found = compare({"": [f"a {was} b"]}, {"": [f"a {now} b"]})
    assert (found.changes, found.text) == ([f"/\n- a {was} b\n+ a {now} b"], f"=== \na {now} b\n")


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (["Head 8-10", "Mean 0.61", *PAGE[2:]], "- Mean 0.52\n+ Mean 0.61"),
        (["Head 8-10", "Average 0.52", *PAGE[2:]], "- Mean 0.52\n+ Average 0.52"),
        (PAGE[:3], f"- {PAGE[3]}"),
        ([*PAGE[:2], "[SEP] 0.25 of 1,204", *PAGE[2:]], "+ [SEP] 0.25 of 1,204"),
        (["New", "Head 8-10", "Mean 0.53", *PAGE[2:]], "+ New"),
    ],
)
def test_of_a_page_only_the_lines_that_changed_are_told(now, told):
    before = {"claims/": PAGE, "": ["Home"]}
    found = compare(before, {"claims/": now, "": ["Home"]})
    assert found.changes == [f"/claims/\n{told}"]
    kept = [PAGE[1] if line == "Mean 0.53" else line for line in now]
    assert found.text == "\n".join(["=== claims/", *kept, "=== ", "Home", ""])
    assert found.compared == f"2 pages, {len(now) + 1} lines"


def test_a_new_page_and_one_that_is_gone_are_told_by_their_lines():
    found = compare({"": ["Home"], "claims/": ["Claims"]}, {"": ["Home"], "models/": ["Models"]})
    assert found.changes == ["/models/\n+ Models", "/claims/\n- Claims"]
    assert found.text == "=== \nHome\n=== models/\nModels\n"


def test_text_is_told_by_block_and_pictures_are_left_out():
    assert text_of("<h1>One</h1><p>two <b>three</b><svg><text>no</text></svg> &lt;4</p>") == "One\ntwo three <4"
