"""Relations of several trainings: heads that are right by construction, and the rule of what is found, both sides."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from generator.claims.cutoffs import FEWEST_WORDS
from generator.corpora.relation_names import DIRECTIONS
from generator.studies.halves import reported
from generator.topics.compare.run.maps import Pairs
from generator.topics.relations.derived.predictions import Predictions
from generator.topics.seeds.run.relations import relation_tables

LAYERS, HEADS, SEED, SENTENCES = 2, 2, 1, 480


def trees(finds: dict[str, int], words: int = SENTENCES) -> Predictions:
    """Sentences of six words, one of which depends on another; heads find a relation or look at the last word.

    `finds` has the place, layer by layer, of the head that finds each relation.
    """
    relation = [("obj", "nsubj")[at % 2] for at in range(words)]
    length, dependent = 6, 0
    predicted = np.full((len(DIRECTIONS), LAYERS, HEADS, words * length), length - 1, np.int16)
    gold, names = [], []
    for at, name in enumerate(relation):
        head = 1 + (at // 2 + at) % 4
        gold += [head, *[-1] * (length - 1)]
        names += [name, *["root"] * (length - 1)]
        if name in finds:
            layer, number = divmod(finds[name], HEADS)
            predicted[0, layer, number, at * length + dependent] = head
    return Predictions(
        sentences=tuple(f"s{number}" for number in range(words)),
        sentence=np.repeat(np.arange(words), length),
        place=np.tile(np.arange(length), words),
        length=np.full(words * length, length),
        gold=np.array(gold),
        relation=np.array(names),
        marked=np.zeros(words * length, bool),
        predicted=predicted,
    )


def twins(*matches: Sequence[int]) -> dict[tuple[int, int], Pairs]:
    """The twins of every two of three trainings, or of two."""
    heads, left = np.arange(LAYERS * HEADS), np.ones(1, bool)
    return {
        which: Pairs(heads, np.array(match), left)
        for which, match in zip(((0, 1), (0, 2), (1, 2)), matches, strict=False)
    }


@pytest.fixture(scope="module")
def tables() -> dict[str, list[pd.DataFrame]]:
    """Gives three trainings: all find objects, two find subjects; two of the four cases go to the twin."""
    read = [trees({"obj": 0, "nsubj": 3}), trees({"obj": 1, "nsubj": 2}), trees({"obj": 2})]
    return relation_tables(read, trees({}), twins((1, 0, 2, 3), (3, 1, 2, 0), (0, 2, 1, 3)), "Tiny", "trees", SEED)


def value(tables: dict[str, list[pd.DataFrame]], name: str) -> tuple[float, int]:
    """A number of the treebank and its n."""
    (frame,) = tables["facts"]
    row = frame[frame["name"] == name].iloc[0]
    return row["value"], row["n"]


def test_head_of_every_relation_of_every_training_is_the_one_that_was_made(
    tables: dict[str, list[pd.DataFrame]],
) -> None:
    (heads,) = tables["head_facts"]
    found = {
        row["name"]: ((row["layer"] - 1) * HEADS + row["head"] - 1, row["value"] > 0.5, row["low"] > 0)
        for row in heads.to_dict("records")
    }
    assert found["relation.obj.1"] == (0, True, True)
    assert found["relation.obj.2"] == (1, True, True)
    assert found["relation.obj.3"] == (2, True, True)
    assert found["relation.nsubj.1"] == (3, True, True)
    assert found["relation.nsubj.3"][1:] == (False, False)
    assert not {name for name in found if name.startswith(("relation.all", "relation.root"))}


def test_what_every_training_finds_is_a_share_of_what_some_find(tables: dict[str, list[pd.DataFrame]]) -> None:
    assert value(tables, "returning") == (1 / 2, 2)


def test_twins_that_find_the_same_are_counted_where_both_trainings_find_it(
    tables: dict[str, list[pd.DataFrame]],
) -> None:
    """Objects: 0 -> 1 is its twin, 0 -> 2 is not, 1 -> 2 is; subjects: 3 -> 2 is not; the third finds none."""
    assert value(tables, "carried") == (2 / 4, 4)
    same_layer = [True, False, False, True]
    assert value(tables, "carried.chance") == (np.mean(same_layer) / HEADS, HEADS)


def test_what_random_weights_find_as_well_is_not_found() -> None:
    read = [trees({"obj": 0, "nsubj": 3}), trees({"obj": 1})]
    found = relation_tables(read, trees({"obj": 2}), twins((1, 0, 2, 3)), "Tiny", "trees", SEED)
    (heads,) = found["head_facts"]
    marks = heads[heads["name"].str.startswith("found.")].set_index("name")["value"]
    assert marks.to_dict() == {
        "found.nsubj.1": 1,
        "found.obj.1": 0,
        "found.nsubj.2": 0,
        "found.obj.2": 0,
    }
    assert value(found, "returning") == (0, 1)
    assert set(found["facts"][0]["name"]) == {"returning"}


def test_head_that_finds_two_relations_is_one_case() -> None:
    read = [trees({"obj": 0, "nsubj": 0}), trees({"obj": 1, "nsubj": 1})]
    found = relation_tables(read, trees({}), twins((1, 0, 2, 3)), "Tiny", "trees", SEED)
    assert value(found, "carried") == (1, 1)


def test_nothing_found_has_no_share() -> None:
    found = relation_tables([trees({}), trees({})], trees({}), twins((0, 1, 2, 3)), "Tiny", "trees", SEED)
    assert found["facts"] == []
    assert len(found["head_facts"][0])


@pytest.mark.parametrize(("more", "there"), [(0, True), (-1, False)])
def test_relation_of_too_few_words_is_left_out(more: int, there: bool) -> None:
    """Of the reported half as many words as are needed, or one fewer."""
    enough = next(
        words
        for words in range(4, 2 * SENTENCES, 2)
        if reported([f"s{number}" for number in range(0, words, 2)], SEED).sum() == FEWEST_WORDS
    )
    read = [trees({"obj": 0}, enough if more == 0 else enough - 2)] * 2
    found = relation_tables(read, trees({}, len(read[0].sentences)), twins((0, 1, 2, 3)), "Tiny", "trees", SEED)
    names = set(found["head_facts"][0]["name"]) if found["head_facts"] else set()
    assert ("relation.obj.1" in names) is there
