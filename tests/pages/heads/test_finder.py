"""The finder hands over the stored numbers of every head, and what each finds, recounted."""

import json
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from generator.claims.gate.maps import PATTERN
from generator.corpora.relation_names import ALL
from generator.home import TEMPLATES
from generator.measures import COLUMNS
from generator.numbers.writing import handed, in_column
from generator.pages import addresses
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.finder import ASKED, FIRST, SHARE, SHORT, Finder, finder_file, finder_page, ranks
from generator.pages.heads.naming.naming import finds
from generator.pages.heads.summary import TARGETS
from generator.pages.heads.summary import kinds as every_kind
from generator.pages.renderer import Renderer
from generator.results.store import Results
from generator.topics.relations.records.relations import FEW_WORDS
from generator.topics.tasks.claims.needs import COST
from tests.pages.reading import every, seen
from tests.results.altered import renamed, with_table


@pytest.fixture(scope="module")
def data(atlas: Atlas) -> dict[str, Any]:
    """Gives what the script hands over."""
    problems: list[str] = []
    address, text = finder_file([atlas], problems)
    assert not problems
    assert address == addresses.FINDER_DATA
    return json.loads(text.removeprefix("window.fieldguideHeads=").removesuffix(";\n"))


def test_every_measure_of_every_head_is_there_with_digits_to_compare(data: dict[str, Any], atlas: Atlas) -> None:
    places = list(zip(data["layer"], data["head"], strict=True))
    assert sorted(places) == atlas.places
    names = [name for name, _ in data["columns"]]
    for column in COLUMNS:
        texts = data["values"][names.index(SHORT.get(column, column))].split(" ")
        assert texts == [handed(atlas.estimates[column].of(*place).value) for place in places]


def test_a_relation_is_the_better_direction_in_the_largest_treebank(data: dict[str, Any], atlas: Atlas) -> None:
    rows = atlas.results.table("relations").to_dict("records")
    sizes: dict[str, int] = defaultdict(int)
    for row in rows:
        if row["relation"] == ALL:
            sizes[row["corpus"]] = max(sizes[row["corpus"]], row["n"])
    largest = max(sizes, key=lambda corpus: sizes[corpus])
    best: dict[tuple[str, int, int], float] = {}
    for row in rows:
        if row["corpus"] == largest and row["relation"] != ALL and row["n"] >= FEW_WORDS:
            key = row["relation"], row["layer"], row["head"]
            best[key] = max(best.get(key, 0.0), row["correct"] / row["n"])
    assert best
    names, found = [name for name, _ in data["columns"]], {}
    for relation in {relation for relation, *_ in best}:
        for layer, head, value in zip(
            data["layer"], data["head"], data["values"][names.index(relation)].split(" "), strict=True
        ):
            found[relation, layer, head] = value
    assert found == {key: handed(value) for key, value in best.items()}


def test_heads_that_find_something_come_first_and_the_first_are_on_the_page(data: dict[str, Any], atlas: Atlas) -> None:
    finding = [atlas.summaries[place].kind in finds() for place in zip(data["layer"], data["head"], strict=True)]
    assert finding == sorted(finding, reverse=True)
    (finder,) = every(finder_page([atlas]), Finder)
    assert [seen(column) for column in finder.columns[:4]] == ["model", "head", "what it does", SHARE]
    for row, *place in zip(finder.rows, data["layer"], data["head"], strict=False):
        assert row[3] == in_column(atlas.summaries[tuple(place)].share)
    shown = [row[1].text for row in finder.rows]
    assert shown == [f"{layer}-{head}" for layer, head in zip(data["layer"], data["head"], strict=True)][:FIRST]


def test_examples_of_questions_stand_above_the_table_under_their_anchor(atlas: Atlas) -> None:
    html = Renderer(TEMPLATES).page(addresses.FINDER, finder_page([atlas])).html
    places = [html.index(f"?where={quote(asked)}") for asked, _ in ASKED]
    assert html.index('id="examples"') < min(places)
    assert max(places) < html.index('id="finder"')


def test_kinds_are_ranked_as_the_rule_that_names_heads_tries_them() -> None:
    targets = [target.kind for target in TARGETS]
    assert [ranks()[kind] for kind in finds()] == [0] * len(finds())
    assert [ranks()[kind] for kind in targets] == [1] * len(targets)
    others = [ranks()[kind] for kind in (PATTERN, "broad", COST, "none")]
    assert others == sorted(set(others))
    assert min(others) > 1
    assert set(ranks()) == set(every_kind())


def test_names_can_be_typed_and_are_different(data: dict[str, Any]) -> None:
    names = [name for name, _ in data["columns"]]
    assert len(set(names)) == len(names)
    assert not {"layer", "head", "and", "or", "not"} & set(names)


def test_numbers_that_cannot_be_written_are_told_in_a_script_that_does_nothing(plain: Path, tmp_path: Path) -> None:
    """A treebank of which it is not stored how many words there are in all."""
    folder = Path(shutil.copytree(plain, tmp_path / "bert"))
    with_table(folder, "relations", lambda rows: rows[rows["relation"] != ALL])
    problems: list[str] = []
    _, text = finder_file([Atlas(Results.open(folder))], problems)
    assert text == f"// {problems[0]}\n"
    assert text.startswith("// The numbers of all heads could not be made: ValueError: ")


def test_a_model_s_name_is_text_in_the_script_and_once_it_is_read(plain: Path, tmp_path: Path) -> None:
    folder = renamed(Path(shutil.copytree(plain, tmp_path / "bert")), "a\x1bb\u202ec")
    _, text = finder_file([Atlas(Results.open(folder))], [])
    ((_, name),) = json.loads(text.removeprefix("window.fieldguideHeads=").removesuffix(";\n"))["models"]
    assert name == r"a\u001bb\u202ec"
