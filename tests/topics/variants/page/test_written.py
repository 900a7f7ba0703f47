"""What hand-written pages say of trainings that differ in their objective."""

from pathlib import Path

import pandas as pd
import pytest

from generator.errors import SiteError
from generator.home import DATA
from generator.pages.heads.atlas import Atlas
from generator.pages.written.knowledge import Knowledge
from generator.results.manifest import Manifest
from generator.topics.variants.page.page import COUNTS
from generator.topics.variants.page.written import QUESTIONS
from tests.pages.claims.judged import ledger
from tests.pages.written.test_knowledge import BIBLIOGRAPHY, RENDERER, rendered
from tests.site.documents import Document
from tests.topics.variants.page.made import stored


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives a model with such trainings."""
    return stored(tmp_path_factory.mktemp("variants"))


def told(question: str, *atlases: Atlas) -> Document:
    """The answer, as MkDocs would show it."""
    knowledge = Knowledge(ledger(), BIBLIOGRAPHY, RENDERER, atlases)
    return Document(rendered(f'Before.\n\n{{{{ variants("{question}") }}}}\n\nAfter.', knowledge))


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        (
            "mixture",
            {
                "8, 1, 1": ["2", "0.500 (0.480 to 0.520)"],
                "10, 0, 0": ["2", "0.200 (0.180 to 0.220), less"],
                "0, 5, 5": ["2", "0.620 (0.600 to 0.640), more"],
            },
        ),
        (
            "segments",
            {"segments": ["2", "0.500 (0.480 to 0.520)"], "none": ["2", "0.450 (0.430 to 0.470)"]},
        ),
    ],
)
def test_a_question_shows_the_trainings_that_answer_it(atlas: Atlas, question: str, rows: dict[str, list[str]]) -> None:
    found = told(question, atlas)
    cells = [one.text for one in found.find("td")]
    width = 2 + len(QUESTIONS[question].numbers)
    lines = [cells[at : at + width] for at in range(0, len(cells), width)]
    assert {name: line[:2] for name, *line in lines} == rows
    (link,) = found.find("a")
    assert (link.text, link.attributes["href"]) == ("Other recipes, Tiny", "../../models/tiny/variants/")
    before, rule, _ = (one.text for one in found.find("p")[1:])
    assert before == QUESTIONS[question].before
    assert rule.startswith(f"{COUNTS}; only then it is called more or less.")


@pytest.mark.parametrize("question", QUESTIONS)
def test_without_such_trainings_one_sentence_says_so(question: str) -> None:
    found = told(question)
    assert [one.text for one in found.find("p")] == ["Before.", QUESTIONS[question].nothing, "After."]


def test_another_question_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="Expected one of mixture, segments as a question, found 'other'; correct"):
        told("other", stored(tmp_path))


def test_what_the_page_says_of_this_projects_trainings_is_in_their_numbers() -> None:
    """findings/open-questions.md: with [MASK] alone, without [MASK], and without segments."""
    rows = pd.read_parquet(DATA / "results" / "small-bert@variants" / "facts.parquet").set_index("name")
    names = [one["name"] for one in Manifest.read(DATA / "results" / "small-bert@variants").settings["variants"]]
    alone, without, unsegmented = (names.index(name) + 1 for name in ("all-masks", "no-masks", "no-segments"))
    assert rows["high"][f"masked.{alone}.minus"] < 0
    assert rows["high"][f"classes.{alone}.minus"] < 0
    frequency = rows["value"]["masked.frequency"]
    assert rows["value"]["masked.1"] < frequency - 1.5
    assert frequency - 0.2 < rows["value"][f"masked.{without}"] < frequency
    assert rows["high"][f"masked.{unsegmented}.minus"] < 0
    assert rows["high"][f"next.{unsegmented}.minus"] < 0
    for number in (f"masked.{alone}", f"classes.{alone}", f"masked.{without}", f"next.{unsegmented}"):
        assert rows["value"][f"{number}.counts"] == 1
