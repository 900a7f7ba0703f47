"""Pages about the program's own models: their numbers are those of the store, and a page without one is not built."""

import re
import shutil
from pathlib import Path

import pandas as pd
import pytest

from generator.claims.cutoffs import CLEAR_GAIN, FEWEST_WORDS
from generator.claims.evidence.reading import Stored
from generator.errors import SiteError
from generator.home import DATA, TEMPLATES
from generator.pages.claims.tables import Ledger
from generator.pages.renderer import Renderer
from generator.pages.written.knowledge import Knowledge
from generator.results.store import Results
from tests.pages.written.test_knowledge import BIBLIOGRAPHY, DOCS
from tests.results.altered import with_table

MODELS = ("medium-bert", "small-bert")
OWN = "what-it-took.md"
PAGE = (DOCS / OWN).read_text(encoding="utf-8")
START = '{{ stored("medium-bert", "tuning/stsb.spearman", step="2574") }}'


def knowledge(places: Path) -> Knowledge:
    """Of the two models, with their experiments."""
    sources: list[Stored] = []
    for model in MODELS:
        main, *more = (Results.open(folder) for folder in sorted(places.glob(f"{model}*")))
        sources.append(Results(main.folder, main.manifest, tuple(more)))
    return Knowledge(
        Ledger((), tuple(source.manifest for source in sources), tuple(sources)), BIBLIOGRAPHY, Renderer(TEMPLATES)
    )


def told(places: Path, page: str = PAGE) -> str:
    return knowledge(places).render(page, "what-it-took/", OWN)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The stored results of both models."""
    for model in MODELS:
        for folder in (DATA / "results").glob(f"{model}*"):
            shutil.copytree(folder, tmp_path / folder.name)
    return tmp_path


def test_the_page_is_complete_and_has_the_numbers_of_the_store() -> None:
    text = told(DATA / "results")
    assert "{{" not in text
    rows = pd.read_parquet(DATA / "results" / "medium-bert@curve.rte" / "curves.parquet")
    (value,) = rows.loc[(rows["step"] == 87) & (rows["study"] == "tuning"), "value"]
    line = re.search(r"^\| 87 \| .*$", text, re.MULTILINE)
    assert line
    assert f"| {value:.2f} &#40;" in line[0]
    seeds = pd.read_parquet(DATA / "results" / "small-bert@seeds" / "facts.parquet")
    (times,) = seeds.loc[seeds["name"] == "attention.next.2.3000", "value"]
    assert f" | {times:.1f} | " in text


def test_relations_are_counted_again(copied: Path) -> None:
    rows = pd.read_parquet(copied / "medium-bert" / "relation_heads.parquet")
    rows = rows[
        (rows["corpus"] == "ud-english-gum-test") & (rows["protocol"] == "held-out") & (rows["n"] >= FEWEST_WORDS)
    ]
    rows = rows[~rows["relation"].isin(["all", "root", "punct"])]
    found = (rows["gain"] >= CLEAR_GAIN) & (rows["gain_low"] > 0) & ~(rows["twin_high"] >= rows["value"])
    call = '{{ found("medium-bert", "ud-english-gum-test") }}'
    assert 0 < found.sum() < len(rows)
    assert told(copied, call) == f"{found.sum()} of {len(rows)}"
    with_table(copied / "medium-bert", "relation_heads", lambda table: table.assign(gain=0.0))
    assert told(copied, call) == f"0 of {len(rows)}"


def test_another_stored_number_changes_the_sentence(copied: Path) -> None:
    before = told(copied, START)

    def changed(rows: pd.DataFrame) -> pd.DataFrame:
        return rows.assign(value=rows["value"].where(rows["step"] != 2574, 0.42), low=0.4, high=0.44)

    with_table(copied / "medium-bert@curve.stsb", "curves", changed)
    after = told(copied, START)
    assert before != after
    assert after == "0.420 &#40;0.400 to 0.440&#41;"


def test_a_page_whose_number_is_not_stored_is_not_built(copied: Path) -> None:
    with_table(copied / "medium-bert@curve.stsb", "curves", lambda rows: rows[rows["step"] != 2574])
    said = (
        f"{OWN}: Expected one number for tuning/stsb.spearman of medium-bert at step 2574 in curves.parquet, found "
        "none; make it again, or write the sentence without it."
    )
    with pytest.raises(SiteError, match=f"^{re.escape(said)}$"):
        told(copied)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            'stored("tiny-bert", "tuning/stsb.spearman", step="0")',
            "Expected results of tiny-bert for tuning/stsb.spearman",
        ),
        ('stored("medium-bert", "tuning/nonsense", step="0")', 'Expected a declared number of study "tuning", found'),
        ('stored("medium-bert", "tuning.baseline/stsb.spearman", step="14000")', "found 1, undefined; make it again"),
        (
            'stored("medium-bert", "tuning/stsb.spearman", step="0", form="decimal")',
            "Expected 'percent', 'points' or nothing",
        ),
        ('stored("medium-bert", 2)', "Expected stored(...) with arguments as in"),
        (
            'found("medium-bert", "treebank")',
            "Expected the relations that medium-bert finds in treebank in relation_heads",
        ),
    ],
)
def test_a_call_that_cannot_be_answered_says_why(call: str, said: str) -> None:
    with pytest.raises(SiteError, match=re.escape(said)):
        told(DATA / "results", f"{{{{ {call} }}}}")
