"""The table of heads with the same job as those that a paper names in BERT-base."""

import pytest

from generator.claims.gate.statement import given
from generator.corpora.relation_names import in_words
from generator.home import DATA
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import plain
from generator.results.store import Results
from generator.topics.relations.claims.finds import RELATION
from generator.topics.relations.page.jobs import NOBODY, same_jobs

PAGE = "findings/from-small-to-base/"
PUBLISHED = {"determiners": "8-11, depth 0.67, 94 %", "possessors": "7-6, depth 0.58, 80 %"}


@pytest.fixture(scope="module")
def atlases() -> list[Atlas]:
    """Gives the stored model of base size, whose heads find relations, and maps of which none is sure to."""
    return [Atlas(Results.open(DATA / "results" / name)) for name in ("all-mpnet-base-v2", "bert-base-uncased-sst2")]


def depth_of(cell: str) -> float:
    return float(cell.split(", depth ")[1].split(",", maxsplit=1)[0])


def test_each_relation_has_the_papers_head_and_the_best_here_that_is_named_for_it(atlases: list[Atlas]) -> None:
    columns, rows = same_jobs(atlases, PAGE)
    assert columns == ["relation", "bert-base-uncased, as published", "all-mpnet-base-v2"], (
        "one finds none, and is left out"
    )
    told = {str(name): (plain(there), plain(here)) for name, there, here in rows}
    assert {name: told[name][0] for name in PUBLISHED} == PUBLISHED
    for name, (_, here) in told.items():
        best = max(
            (one.number.value, one.place)
            for statements in atlases[0].candidates.values()
            for one in given(statements)
            if one.kind == RELATION and in_words(one.about) == name
        )
        layer, head = best[1]
        assert here.startswith(f"{layer}-{head}, depth {layer / 12:.2f}, {round(100 * best[0])} %")


def test_a_relation_without_a_head_anywhere_has_no_row_and_a_model_without_one_says_so(atlases: list[Atlas]) -> None:
    _, rows = same_jobs(atlases, PAGE)
    names = {str(name) for name, *_ in rows}
    assert "direct objects" not in names, "none of base size is named for them"
    assert same_jobs(atlases[1:], PAGE) == (["relation", "bert-base-uncased, as published"], [])
    assert NOBODY not in {plain(here) for *_, here in rows}


def test_the_heads_of_base_size_stand_nearer_to_the_input_than_those_of_the_paper(atlases: list[Atlas]) -> None:
    """As findings/from-small-to-base says of them."""
    depths = [(depth_of(plain(there)), depth_of(plain(here))) for _, there, here in same_jobs(atlases, PAGE)[1]]
    assert all(here < there for there, here in depths)
    assert sum(here < 1 / 3 for _, here in depths) > len(depths) / 2
