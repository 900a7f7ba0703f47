"""Every head has a way on: heads like it, the same job in other models, and a story."""

from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
from markdown.extensions.toc import slugify

from generator.claims.gate.maps import LEANING
from generator.home import DATA
from generator.pages import addresses
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.finder import SHORT
from generator.pages.heads.naming.naming import namings
from generator.pages.heads.onward import SAME, STORIES, WHERE, linked, onward, question, same_job
from generator.pages.heads.summary import kinds as every_kind
from generator.pages.inline import Link, Part, as_parts, plain
from generator.results.store import Results
from generator.topics.tasks.claims import needs as losses
from tests.pages.heads.test_specialists import OBJ
from tests.pages.heads.tiny import LARGE, PLACES, atlas_of
from tests.topics.relations.page.test_heads import one_relation

DOCS = Path(__file__).parents[3] / "docs"
BEGIN, SPREAD = (0.9, 0.0, 0.0, 0.1), (0.1, 0.0, 0.0, 0.9)
"""Shares of attention to [CLS], [SEP], periods and commas, and all others."""


def said(atlas: Atlas, place: tuple[int, int]) -> tuple[str | Part, ...]:
    """What is said of where to go from a head, where heads are as far apart as their numbers."""
    numbers, page = np.arange(len(atlas.places)), addresses.head(atlas.slug, *place)
    vars(atlas).setdefault("distances", np.abs(np.subtract.outer(numbers, numbers)).astype(float))
    return tuple(part for text in onward(atlas, *place, page, same_job(atlas, *place, page)) for part in as_parts(text))


def test_every_kind_of_head_has_a_story() -> None:
    stories = STORIES | {kind: naming.story for kind, naming in namings().items()}
    assert {*stories} == {*every_kind()}
    for address, asked in stories.values():
        name, _, anchor = address.partition("/#")
        lines = (DOCS / "findings" / f"{name}.md").read_text(encoding="utf-8").splitlines()
        assert anchor in {slugify(line.removeprefix("## "), "-") for line in lines if line.startswith("## ")}
        assert asked.endswith("?")


@pytest.mark.parametrize("relation", ["obj", "nmod:poss"])
def test_the_finder_is_asked_for_heads_that_beat_the_offset_whatever_the_label(tmp_path: Path, relation: str) -> None:
    """A question without a comparison is refused by the finder; a label may have a colon."""
    tables = one_relation(100, 61, 31)
    for rows in tables.values():
        for row in rows:
            row["relation"] = relation if row["relation"] == "obj" else row["relation"]
    chosen = [OBJ | {"model": "Tiny", "corpus": LARGE, "layer": 2, "head": 3, "relation": relation}]
    atlas = atlas_of(tmp_path, **tables, relation_heads=chosen)
    assert atlas.summaries[2, 3].found
    (asked,) = (part for part in said(atlas, (2, 3)) if isinstance(part, Link) and part.text == SAME)
    assert unquote(asked.href).endswith(f"?where={relation} > 0.31")


def test_a_target_is_asked_for_by_its_share_and_a_lean_by_a_smaller_one(tmp_path: Path) -> None:
    atlas = atlas_of(tmp_path, {(1, 1): BEGIN, (1, 2): (0.4, 0.0, 0.0, 0.6)})
    assert unquote(question(atlas, 1, 1)) == "where=cls > 0.5"
    assert atlas.summaries[1, 2].leans
    assert unquote(question(atlas, 1, 2)) == f"where=cls > {LEANING:.2g}"


def test_what_is_said_of_both_neighbours_is_said_once(tmp_path: Path) -> None:
    atlas = atlas_of(tmp_path, dict.fromkeys(PLACES, BEGIN))
    assert plain(said(atlas, (1, 1))).endswith(
        "Most alike here by their measures: 1-2 and 1-3, which do the same (90 % and 90 %)."
    )
    apart = atlas_of(tmp_path / "apart", dict.fromkeys(PLACES, BEGIN) | {(1, 1): SPREAD})
    assert plain(said(apart, (1, 1))).count("looks at [CLS]") == 1
    assert "(each looks at [CLS])" in plain(said(apart, (1, 1)))


def test_every_head_of_a_stored_model_has_links_on() -> None:
    atlas = Atlas(Results.open(DATA / "results" / "all-mpnet-base-v2"))
    known = {*atlas.written.relations, *SHORT.values(), *atlas.written.measures}
    for place, summary in atlas.summaries.items():
        links = [part for part in said(atlas, place) if isinstance(part, Link)]
        assert len(links) >= 3
        if summary.aside and summary.kind == "none":
            assert links[0].text == namings()["relation"].story[1], "what it finds, and not that it does nothing"
        asked = [unquote(link.href.partition("?")[2]) for link in links if addresses.FINDER in link.href]
        if summary.kind not in ("none", "antecedent", losses.COST):
            assert asked
        for one in (one for one in asked if one.startswith(WHERE)):
            names, _, least = one.removeprefix(WHERE).partition(" > ")
            assert {*names.split(" + ")} <= known
            assert 0 < float(least) < 1


def test_a_head_that_a_text_names_is_a_link_and_one_that_there_is_not_stays_text(tmp_path: Path) -> None:
    atlas = atlas_of(tmp_path)
    page = addresses.head(atlas.slug, 1, 1)
    told = linked("finds some objects (head 1-2 is right more often, head 9-9 is not)", atlas, page)
    assert plain(told) == "finds some objects (head 1-2 is right more often, head 9-9 is not)"
    assert [part for part in told if isinstance(part, Link)] == [Link("1-2", "../1-2/")]
    assert linked("looks at a mix of tokens", atlas, page) == "looks at a mix of tokens"
    assert plain(linked("head 1-1 is right more often", atlas, page)) == "this head is right more often"


def test_two_targets_are_asked_for_together_and_a_head_without_a_name_by_what_gets_most(tmp_path: Path) -> None:
    atlas = atlas_of(tmp_path, {(1, 1): (0.28, 0.3, 0.0, 0.42), (1, 2): (0.2, 0.0, 0.0, 0.8)})
    assert atlas.summaries[1, 1].title == "leans to [SEP] and to [CLS]"
    assert unquote(question(atlas, 1, 1)) == "where=sep + cls > 0.5"
    assert question(atlas, 1, 2) == "sort=cls"
    assert "Heads that look most at [CLS], in all models" in plain(said(atlas, (1, 2)))
