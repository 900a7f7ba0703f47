"""The list of sources: what is out of form is refused, and every entry has its paragraph."""

import re
from pathlib import Path

import pytest

from generator.errors import SiteError
from generator.pages.bibliography import read_bibliography
from tests.site.documents import Document
from tests.site.project import ROOT

DOCS = ROOT / "docs"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("@misc{a,\n  author = {A, B},\n}\n", "'year'"),
        ("@misc{a,\n  year = {2019}\n}\n", "'author'"),
        ("@misc{a,\n  author = {A, B},\n  year = {2019}}\n", "0 such entries of 1"),
        ("@misc{a,\n  author = {A},\n  year = {1}\n}\n" * 2, "1 such entries of 2"),
        ("@misc{a,\n  author = {M{\\'u}ller, B},\n  year = {2019}\n}\n", "plain letters"),
    ],
)
def test_bibliography_out_of_form_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "references.bib"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SiteError, match=re.escape(told)) as caught:
        read_bibliography(path)
    assert str(path) in str(caught.value)


def test_every_entry_of_the_bibliography_has_an_anchor_and_every_anchor_an_entry() -> None:
    assert (
        set(read_bibliography(DOCS / "references.bib"))
        == Document((DOCS / "references.md").read_text(encoding="utf-8")).ids
    )
