"""Heads of the papers' model say what was printed of them, beside what is found here."""

import tomllib

import pytest

from generator.corpora.relation_names import with_label
from generator.home import DATA
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.naming.specialty import LEVELS
from generator.pages.heads.of_head import title_of
from generator.pages.heads.papers_model import SHAPE
from generator.pages.heads.studies import HeadStudies
from generator.pages.inline import plain
from generator.results.store import Results
from generator.topics.relations.page.asides import DISAGREE, UNSURE
from generator.topics.relations.page.printed import (
    BEST,
    PUBLISHED,
    confirmed,
    counted,
    headline,
    in_short,
    printed,
    published,
)
from tests.pages.heads.test_specialists import OBJ
from tests.pages.heads.tiny import LARGE, PLACES, atlas_of
from tests.topics.relations.page.test_heads import PAGE, one_relation


class Model:
    """All that decides whether a model is the papers'."""

    def __init__(self, name: str, shape: tuple[int, int] = SHAPE) -> None:
        self.results, self.manifest, self.model, self.shape = self, self, name, shape


@pytest.mark.parametrize("name", ["bert-base-uncased", "google-bert/bert-base-uncased", "BERT-base-uncased-sst2"])
def test_heads_of_the_papers_model_and_of_its_further_trained_copies_are_known(name):
    (found,) = printed(Model(name), 8, 10)
    assert (found.relation, found.right, found.baseline) == ("dobj", pytest.approx(0.868), pytest.approx(0.4))
    assert in_short((found,)) == (
        "Published by Clark et al. 2019 as BERT-base's best head for direct objects (dobj, obj)."
    )


@pytest.mark.parametrize("model", [Model("bert-base-cased"), Model("small-bert"), Model("bert-base-uncased", (6, 12))])
def test_heads_of_other_models_are_not(model):
    assert not any(printed(model, layer, head) for layer in range(1, 13) for head in range(1, 13))


def test_every_head_that_is_printed_is_told_of_with_the_largest_gain_first():
    groups = tomllib.loads((DATA / "published" / "clark.toml").read_text(encoding="utf-8"))["group"]
    by_key = {group["key"]: group for group in groups}
    table, notebook = by_key["clark.table1"], by_key["clark.notebook"]["values"]
    misprints = {key.partition(".")[0] for key, note in table["notes"].items() if "misprint" in note}
    rows = [
        (row["layer"], row["head"], relation, trusted["accuracy"] - trusted["baseline"])
        for some in (table["values"], notebook)
        for relation, row in some.items()
        if "layer" in row and relation not in ("all", "dep")
        for trusted in (notebook[relation] if relation in misprints else row,)
    ]
    assert len(rows) > 30
    assert misprints == {"auxpass"}
    for place in {row[:2] for row in rows}:
        expected = sorted((row for row in rows if row[:2] == place), key=lambda row: -row[3])
        assert [one.relation for one in printed(Model("bert-base-uncased"), *place)] == [row[2] for row in expected]


def said_of(layer, head, tested=()):
    return plain(published(printed(Model("bert-base-uncased"), layer, head), tested, PAGE))


def test_a_relation_that_only_the_notebook_has_is_not_said_of_the_paper(tmp_path):
    atlas = atlas_of(tmp_path, **one_relation(100, 61, 31))
    model = Model("bert-base-uncased")
    groups = tomllib.loads((DATA / "published" / "clark.toml").read_text(encoding="utf-8"))["group"]
    (table,) = (group["values"] for group in groups if group["key"] == "clark.table1")
    for layer in range(1, 13):
        for head in range(1, 13):
            some = printed(model, layer, head)
            of_paper, _, of_notebook = (
                said_of(layer, head).replace("not in the", "not the").partition(", but not the paper")
            )
            for one in some:
                part, other = (of_paper, of_notebook) if one.relation in table else (of_notebook, of_paper)
                assert f"{with_label(one.relation)}: right for" in part
                assert f"{with_label(one.relation)}: right for" not in other
    assert said_of(7, 1).startswith(f"{PUBLISHED} in the notebook of Clark et al. 2019, but not in the paper: {BEST} ")
    coordinated = headline(printed(model, 7, 1), atlas, 2, 3)
    assert coordinated == "is Clark et al.'s head for coordinated words; not tested here"
    assert " Their notebook, but not the paper, adds forms of 'to be' (cop): " in said_of(7, 6)


def test_a_likely_misprint_is_told_of_and_gives_no_gain():
    (passive,) = (one for one in printed(Model("bert-base-uncased"), 4, 10) if one.relation == "auxpass")
    assert passive.gain == pytest.approx(0.941 - 0.825)
    assert (
        "right for 82.5 %, the best fixed offset for 40.5 % (likely a misprint: the released notebook "
        "has 94.1 %, and 82.5 % as the baseline)"
    ) in said_of(4, 10)
    assert said_of(4, 10).count("misprint") == 1


def test_every_printed_relation_is_said_in_words():
    for layer in range(1, 13):
        for head in range(1, 13):
            for one in printed(Model("bert-base-uncased"), layer, head):
                assert with_label(one.relation) != one.relation


def test_what_is_printed_and_what_is_found_here_under_another_label_are_told_apart(tmp_path):
    atlas = atlas_of(tmp_path, **one_relation(100, 61, 31))
    some = printed(Model("bert-base-uncased"), 8, 10)
    told = counted(some, atlas, 2, 3)
    assert said_of(8, 10, told) == (
        f"{PUBLISHED} by Clark et al. 2019: {BEST} direct objects (dobj): right for 86.8 %, the best fixed offset for "
        "40 %."
    )
    text = "on all sentences right for 61 % (51 to 70) of 100 direct objects, the best fixed offset for 31 %"
    assert told["direct objects"].text == text
    assert told["direct objects"].reason
    chosen = [OBJ | {"model": "Tiny", "corpus": LARGE, "layer": 2, "head": 3}]
    named = atlas_of(tmp_path / "named", **one_relation(100, 61, 31), relation_heads=chosen)
    assert counted(some, named, 2, 3)["direct objects"] == (text, None)
    determiners = printed(Model("bert-base-uncased"), 8, 11)
    assert counted(determiners, atlas, 2, 3) == {}
    assert said_of(8, 11).endswith(" Not tested here: too few words are so labelled.")
    assert said_of(8, 11, {"numbers"}).endswith(" Not tested here for determiners: too few words are so labelled.")


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [
        ({"layer": 2, "head": 3, "gain_low": 0.0}, "but its lead on the other half is not sure enough"),
        (
            {"layer": 2, "head": 3, "n": 49},
            "a name needs 50 words, and of those on which no head was chosen there are 49",
        ),
        ({"layer": 1, "head": 2}, "on the choosing half, head 1-2 is right more often, though not on all sentences"),
        (None, "the words are too few to choose a head on one half of the sentences and test it on the other"),
    ],
)
def test_a_head_that_is_printed_but_not_named_here_says_why(tmp_path, chosen, reason):
    tables = one_relation(100, 61, 31)
    if chosen:
        tables["relation_heads"] = [OBJ | {"model": "Tiny", "corpus": LARGE} | chosen]
    some = printed(Model("bert-base-uncased"), 8, 10)
    assert counted(some, atlas_of(tmp_path, **tables), 2, 3)["direct objects"].reason.clause.endswith(reason)


def test_other_models_pages_say_nothing_of_it(tmp_path):
    atlas = atlas_of(tmp_path, **one_relation(100, 61, 31))
    studies = HeadStudies(atlas)
    assert [studies.before(*place, PAGE) for place in PLACES] == [()] * len(PLACES)
    assert {studies.searched(*place) for place in PLACES} == {""}
    assert [studies.badge(*place) for place in PLACES] == [atlas.summaries[place].badge for place in PLACES]


@pytest.mark.parametrize(
    ("n", "correct", "offset", "said"),
    [
        (100, 61, 31, "finds most of them here"),
        (100, 61, 55, "not clearly here"),
        (100, 61, 48, "not clearly here"),
        (49, 47, 2, "too few to tell here"),
        (50, 47, 2, "finds most of them here"),
    ],
)
def test_a_title_says_what_the_source_finds_and_whether_it_is_found_here(tmp_path, n, correct, offset, said):
    atlas = atlas_of(tmp_path, **one_relation(n, correct, offset))
    objects, determiners = (printed(Model("bert-base-uncased"), 8, head) for head in (10, 11))
    assert headline(objects, atlas, 2, 3) == f"is Clark et al.'s head for direct objects; {said}"
    assert headline(determiners, atlas, 2, 3) == "is Clark et al.'s head for determiners; not tested here"
    assert headline((), atlas, 2, 3) == ""
    assert confirmed(objects, None) == ""


def test_a_head_is_called_supported_only_where_it_is_said_to_find_what_was_printed():
    """Of bert-base-uncased-sst2, 7-1 is the notebook's head for coordinated words, and not clearly here."""
    atlas = Atlas(Results.open(DATA / "results" / "bert-base-uncased-sst2"))
    studies = HeadStudies(atlas)
    places = [place for place in atlas.places if printed(atlas, *place)]
    unclear = [place for place in places if title_of(atlas, *place).endswith("; not clearly here")]
    assert (7, 1) in unclear
    assert {studies.badge(*place)[0] for place in unclear} <= {f"{LEVELS[0]}: {UNSURE}", f"{LEVELS[0]}: {DISAGREE}"}
