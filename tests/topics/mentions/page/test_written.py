"""The table of spans on hand-written pages: the numbers that are stored, of the models that have them."""

from html import unescape
from pathlib import Path

import pandas as pd
import pytest

from generator.home import DATA
from generator.numbers.number import Number
from generator.numbers.writing import written
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link
from generator.pages.written.in_markdown import anchor
from generator.results.store import find
from generator.results.writing import write
from generator.studies.fact_rows import facts
from generator.topics.mentions.corpus.mentions import MENTIONS
from generator.topics.mentions.page.written import NONE, TOLD, UNTRAINED, spans
from generator.topics.mentions.records import SPANS
from tests.pages.written.contexts import context
from tests.results.samples import corpus_of, manifest, tables

VALUES = {name: Number(at / 20, at / 20 - 0.01, at / 20 + 0.01, 90) for at, name in enumerate(TOLD, start=1)}
SEEDS = {f"crossed.seed{seed}": Number(0.2, 0.1, 0.3, 90) for seed in range(3)}


def atlas(place: Path, found: dict[str, Number] | None) -> Atlas:
    """A model, with spans if there are any."""
    write(place, manifest(), tables())
    if found:
        record = manifest(corpora=(corpus_of(MENTIONS, "gap.tsv", language="en"),), experiment="spans")
        write(place, record, {"facts": facts(found, SPANS, "Tiny", "gap.tsv")})
    (results,) = find([place])
    return Atlas(results)


def cells(told: str) -> list[list[str]]:
    """The cells of a table as a reader sees them."""
    return [[unescape(cell.strip()) for cell in line.strip("|").split("|")] for line in told.splitlines()]


def test_each_number_has_a_row_and_each_model_a_column(tmp_path: Path) -> None:
    head, _, *rows = cells(spans(context(atlas(tmp_path / "none", None), atlas(tmp_path / "all", VALUES | SEEDS))))
    assert head == ["share of passages", anchor(Link("Tiny", "../../models/tiny/"))]
    assert rows == [
        *([TOLD[name], written(number)] for name, number in VALUES.items()),
        ["passages, and seeds", "90, 3"],
    ]


def test_what_is_not_stored_has_a_dash(tmp_path: Path) -> None:
    some = {name: number for name, number in VALUES.items() if name != "exact.mended"}
    rows = dict(cells(spans(context(atlas(tmp_path, some | SEEDS))))[2:])
    assert rows[TOLD["exact.mended"]] == NONE


def test_without_such_a_model_one_sentence_says_so(tmp_path: Path) -> None:
    assert spans(context(atlas(tmp_path, None))) == spans(context()) == UNTRAINED


BETTER, SMALLER = "all-minilm-l6-v2", ("medium-bert", "small-bert")


def kept(model: str) -> pd.DataFrame:
    """The stored numbers of a model, by name."""
    return pd.read_parquet(DATA / "results" / f"{model}@spans" / "facts.parquet").set_index("name")


@pytest.mark.parametrize("model", [BETTER, *SMALLER])
def test_what_the_page_says_of_this_projects_heads_is_in_their_numbers(model: str) -> None:
    """findings/open-questions.md: less than by chance, more names as a pair, and fewer where the end came first."""
    rows = kept(model)
    assert rows["high"]["crossed"] < rows["low"]["crossed.null"] * 0.75
    assert rows["high"]["crossed"] < rows["low"]["crossed.random"] * 0.75
    assert rows["high"]["crossed.minus.null"] < -0.1
    assert rows["low"]["exact.gain"] > 0
    assert rows["value"]["exact.mended.minus.uncrossed"] < 0
    assert (rows["high"]["exact.mended.minus.uncrossed"] < 0) == (model == BETTER)
    assert (rows["low"]["exact.pair.minus.nearest"] > 0) == (model == BETTER)


def test_the_head_that_finds_most_names_ends_before_it_starts_most_rarely() -> None:
    best, others = kept(BETTER), [kept(model) for model in SMALLER]
    assert all(best["high"]["crossed"] < other["low"]["crossed"] for other in others)
    assert all(best["low"]["exact.pair"] > other["high"]["exact.pair"] for other in others)
