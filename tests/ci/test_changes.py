"""What differs between two builds is changes_in_markdown in sentences: models, verdicts, what heads find."""

import shutil
from pathlib import Path

import pandas as pd
import pytest

from generator.ci.summary import NOTHING, changes_in_markdown, published, summary
from generator.models.names import slug
from generator.pages.changes.known import Change, changes
from generator.results.store import Results
from generator.results.writing import write
from tests.analysed import PLAIN
from tests.cli.command import fieldguide
from tests.pages.heads.test_specialists import OBJ

SLUG = slug(PLAIN)


def stored(place: Path, plain: Path, *found: dict) -> Path:
    """Results of the tiny encoder in which heads find these relations and no other."""
    results = Results.open(plain)
    counted = {"relations", "relation_baselines"}  # in which its random heads find nothing
    tables = {name: results.table(name) for name in set(results.manifest.tables or {}) - counted}
    rows = [OBJ | {"model": PLAIN} | row for row in found]
    tables["relation_heads"] = pd.DataFrame(rows, columns=tables["relation_heads"].columns)
    write(place, results.manifest, tables)
    return place


@pytest.fixture(scope="module")
def places(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Of two builds: in the second, head 3-1 is worse at objects, 2-2 finds subjects and 1-1 no longer determiners."""
    root = tmp_path_factory.mktemp("builds")
    worse = {"value": 0.41, "low": 0.36, "high": 0.46, "gain": 0.2, "gain_low": 0.1}
    subjects, determiners = ({"relation": name, "layer": at, "head": at} for name, at in (("nsubj", 2), ("det", 1)))
    return stored(root / "before", plain, {}, determiners), stored(root / "after", plain, worse, subjects)


def test_a_head_that_finds_less_more_or_nothing_is_named(places: tuple[Path, Path]) -> None:
    before, after = (published(place) for place in places)
    heads = [change.sentence for change in changes(before, after) if change.about.startswith("Head ")]
    worse = "Head 3-1 finds direct objects: right for 41 % (36 to 46), before 70 % (65 to 75)"
    assert heads == [
        "Head 1-1 no longer finds determiners; it was right for 70 % (65 to 75).",
        "Head 2-2 now finds subjects: right for 70 % (65 to 75).",
        f"{worse}; the two intervals do not overlap.",
    ]
    one = before[SLUG]
    near = tuple(each._replace(right=each.right._replace(value=0.69)) for each in one.finds)
    text = changes(before, {SLUG: one._replace(finds=near)})[0].text
    assert text.endswith("the two intervals overlap.")


def test_a_verdict_that_changes_is_told_with_its_numbers(places: tuple[Path, Path]) -> None:
    after = published(places[1])
    one = after[SLUG]
    key, item = next((key, item) for key, item in one.verdicts.items() if item.verdict == "fails")
    flipped = one._replace(verdicts=dict(one.verdicts) | {key: item._replace(verdict="holds")})
    lines = [each.sentence for each in changes({SLUG: flipped}, after)]
    assert lines == [f"{key} has a new verdict: fails (before: holds). {item.reason}"]


def test_models_that_come_and_go(places: tuple[Path, Path]) -> None:
    before, _ = (published(place) for place in places)
    of = PLAIN, SLUG, "This model", f"models/{SLUG}/"
    shape = "3 layers of 4 heads. 2 of its 12 heads find a relation or antecedents."
    assert changes({}, before) == [Change(*of, f"is new: {shape}")]
    assert changes(before, {}) == [Change(*of, "is gone.")]
    assert changes(before, before) == []
    assert changes_in_markdown([]).endswith(NOTHING)


def test_the_commands_print_markdown(places: tuple[Path, Path], tmp_path: Path) -> None:
    outcome = fieldguide("diff", *places)
    assert outcome.exit == 0, outcome.err
    assert outcome.out.startswith(f"## What changed\n\n### {PLAIN}\n\n- ")
    assert "- Head 2-2 now finds subjects: right for 70 %" in outcome.out
    shutil.copytree(places[1], tmp_path / "build" / "results")
    (tmp_path / "fieldguide.toml").write_text('results = "build/results"\nalso = ["build/results"]\n')
    words = ("ci", "summarize", "--config", tmp_path / "fieldguide.toml")
    alone, compared = fieldguide(*words), fieldguide(*words, "--before", places[0])
    assert (alone.exit, compared.exit) == (0, 0), compared.err
    assert f"| {PLAIN} | 2 of 12 |" in alone.out
    assert "What changed" not in alone.out
    assert compared.out.count("- Head ") == 3


def test_a_folder_that_is_not_there_is_not_one_without_results(places: tuple[Path, Path], tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    said = f"Error: Expected a folder of results at {nowhere}, found none; check the path.\n"
    config = tmp_path / "fieldguide.toml"
    config.write_text('results = "build/results"\nalso = []\n')
    summarize = ("ci", "summarize", "--config", config, "--before")
    for words in (("diff", nowhere, places[0]), ("diff", places[0], nowhere), (*summarize, nowhere)):
        assert fieldguide(*words) == (1, "", said)
    nowhere.mkdir()
    assert f"### {PLAIN}" in fieldguide("diff", nowhere, places[0]).out
    assert fieldguide(*summarize, nowhere).out.endswith(f"{NOTHING}\n"), "a first build has an empty folder before it"


def test_names_of_models_are_text_in_markdown(places: tuple[Path, Path]) -> None:
    (one,) = published(places[0]).values()
    hostile = one._replace(model="a|b <img src=x>")
    text = summary({"x": hostile, SLUG: one}, changes({}, {"x": hostile}))
    assert "<img" not in text
    assert "a\\|b &lt;img" in text
    assert "is nearest to" in text
