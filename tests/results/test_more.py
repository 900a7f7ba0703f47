"""Folders that read no text add what they know to the results of the same weights, and to nothing else."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from generator.corpora import files, kinds, treebank
from generator.errors import ResultsError
from generator.results.manifest import CorpusRecord
from generator.results.store import Results, find
from generator.results.tables import REQUIRED, TABLES
from generator.results.writing import write
from generator.topics.mentions.corpus.mentions import MENTIONS
from tests.results.altered import resealed
from tests.results.samples import ROWS, corpus_of, manifest, tables

TEXT, TREEBANK, TASK = files.TEXT, treebank.TREEBANK, kinds.TASK
TEXTS = corpus_of(TEXT, "zebra", documents=3), corpus_of(TEXT, "articles", documents=2)
OWN = (*TEXTS, corpus_of(TREEBANK, "trees", words=50))
GERMAN = corpus_of(TREEBANK, "german", words=70)
STUDIES = ("relations", "antecedents", "head_facts")
"""Tables that a folder without texts holds."""


def whole(place: Path, slug: str = "tiny", **changes: Any) -> Path:
    """Results that read text, and a treebank of 50 words."""
    return write(place, manifest(slug, **{"corpora": OWN, "command": "first"} | changes), tables(seed=1))


def more(place: Path, slug: str = "tiny", seed: int = 2, **words: int) -> Path:
    """Results that read treebanks of so many words alone."""
    return only(place, slug, seed, *(corpus_of(TREEBANK, name, words=n) for name, n in words.items()))


def only(place: Path, slug: str, seed: int, *corpora: CorpusRecord, **changes: Any) -> Path:
    facts = {"corpora": corpora, "command": f"reads {', '.join(corpus.name for corpus in corpora)}"}
    record = manifest(slug, **facts | changes)
    return write(place, record, {name: table for name, table in tables(seed).items() if name in STUDIES})


def joined(*places: Path) -> Results:
    """The only results that are found."""
    (results,) = find(places)
    return results


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A place with the results that read text."""
    return whole(tmp_path / "here").parent


@pytest.mark.parametrize("first", [True, False], ids=["after the texts", "before the texts"])
def test_a_folder_without_texts_joins_the_model_of_its_slug_and_weights(here: Path, tmp_path: Path, first: bool):
    there = more(tmp_path / "there", german=70).parent
    results = joined(*((here, there) if first else (there, here)))
    assert results.folder == here / "tiny"
    assert [one.folder for one in results.more] == [there / "tiny"]
    assert list(results.manifest.of(TREEBANK)) == ["german", "trees"]
    assert results.manifest.counts["german"] == {"words": 70}
    assert results.manifest.counts["trees"] == {"words": 50}
    assert list(results.manifest.of(TEXT)) == ["zebra", "articles"], "texts stay as they are"


def test_languages_of_added_corpora_are_known_and_what_is_known_of_ones_own_stays(tmp_path: Path):
    whole(tmp_path / "here", corpora=(*TEXTS, corpus_of(TREEBANK, "trees", language="en", words=50)))
    german = corpus_of(TREEBANK, "german", language="de", words=70)
    there = only(tmp_path / "there", "tiny", 2, german, corpus_of(TREEBANK, "trees", language="ko")).parent
    assert joined(tmp_path / "here", there).manifest.languages == {"trees": "en", "german": "de"}


@pytest.mark.parametrize("name", STUDIES)
def test_a_table_is_its_own_rows_and_then_those_that_are_added(here: Path, tmp_path: Path, name: str):
    there = more(tmp_path / "there", german=70)
    table = joined(here, there.parent).table(name)
    own, added = (Results.open(folder).table(name) for folder in (here / "tiny", there))
    assert list(table.index) == list(range(2 * ROWS))
    pd.testing.assert_frame_equal(table[:ROWS], own)
    pd.testing.assert_frame_equal(table[ROWS:].reset_index(drop=True), added)
    assert not own.equals(added)


@pytest.mark.parametrize("name", [name for name in TABLES if name not in STUDIES])
def test_a_table_that_nobody_adds_to_is_as_it_was(here: Path, tmp_path: Path, name: str):
    there = more(tmp_path / "there", german=70).parent
    pd.testing.assert_frame_equal(joined(here, there).table(name), Results.open(here / "tiny").table(name))


def test_a_table_that_only_the_added_folder_has_keeps_its_types(here: Path, tmp_path: Path):
    (here / "tiny" / "relations.parquet").unlink()
    resealed(here / "tiny")
    there = more(tmp_path / "there", german=70)
    table = joined(here, there.parent).table("relations")
    pd.testing.assert_frame_equal(table, Results.open(there).table("relations"))


def test_linked_mentions_are_joined_too(here: Path, tmp_path: Path):
    linked = corpus_of(MENTIONS, "linked", mentions=9)
    results = joined(here, only(tmp_path / "there", "tiny", 2, linked).parent)
    assert results.manifest.of(MENTIONS) == {"linked": linked}
    assert list(results.manifest.of(TREEBANK)) == ["trees"]
    assert results.manifest.counts["linked"] == {"mentions": 9}


def test_other_weights_and_other_names_do_not_join(here: Path, tmp_path: Path):
    only(tmp_path / "there", "tiny", 2, GERMAN, weights_sha256="f" * 64)
    more(tmp_path / "there", "other", german=70)
    results = joined(here, tmp_path / "there")
    assert results.more == ()
    assert results.manifest == Results.open(here / "tiny").manifest
    assert len(results.table("relations")) == ROWS


def test_another_precision_does_not_join(here: Path, tmp_path: Path):
    trees = (corpus_of(TREEBANK, "german", words=70),)
    rounded = only(tmp_path / "rounded", "tiny", 2, *trees, dtype="bfloat16").parent
    assert joined(here, rounded).more == ()
    also_rounded = whole(tmp_path / "there", dtype="bfloat16").parent
    assert [one.folder.parent for one in joined(also_rounded, rounded).more] == [rounded]


def test_weights_are_those_of_the_folder_that_is_shown(here: Path, tmp_path: Path):
    """What fits other weights of the same name is not added; two whole analyses of one name are refused."""
    second = whole(tmp_path / "second", weights_sha256="f" * 64).parent
    third = only(tmp_path / "third", "tiny", 2, GERMAN, weights_sha256="f" * 64).parent
    assert joined(here, third).more == ()
    assert list(joined(second, third).manifest.of(TREEBANK)) == ["german", "trees"]
    with pytest.raises(ResultsError, match="Expected one model called tiny, found other weights in"):
        joined(here, second, third)


def test_a_corpus_that_is_known_is_not_taken_twice(here: Path, tmp_path: Path):
    places = [more(tmp_path / str(seed), seed=seed, german=70).parent for seed in (2, 3)]
    again = more(tmp_path / "again", seed=4, trees=900).parent
    results = joined(here, *places, again)
    assert [one.folder.parent for one in results.more] == places[:1]
    assert len(results.table("relations")) == 2 * ROWS
    assert results.manifest.counts["trees"] == {"words": 50}
    assert results.manifest.of(TREEBANK)["trees"].sha256 == "of trees"


def test_a_folder_that_knows_something_already_is_left_out_whole(here: Path, tmp_path: Path):
    """Its tables cannot be told apart by corpus everywhere."""
    results = joined(here, more(tmp_path / "there", trees=50, german=70).parent)
    assert results.more == ()
    assert list(results.manifest.of(TREEBANK)) == ["trees"]


@pytest.mark.parametrize("turned", [False, True])
def test_treebanks_are_ordered_by_words_wherever_they_were_read(here: Path, tmp_path: Path, turned: bool):
    there = [more(tmp_path / "a", seed=2, large=900, small=7), more(tmp_path / "b", seed=3, middle=300)]
    places = [folder.parent for folder in (there[::-1] if turned else there)]
    assert list(joined(here, *places).manifest.of(TREEBANK)) == ["large", "middle", "trees", "small"]


def test_treebanks_of_one_folder_are_ordered_and_one_without_count_is_last(tmp_path: Path):
    small, large = (corpus_of(TREEBANK, name, words=n) for name, n in (("small", 1), ("large", 2)))
    whole(tmp_path, corpora=(*TEXTS, corpus_of(TREEBANK, "unknown"), small, large))
    assert list(joined(tmp_path).manifest.of(TREEBANK)) == ["large", "small", "unknown"]


def test_commands_are_joined_in_the_order_of_the_places(here: Path, tmp_path: Path):
    places = [more(tmp_path / "z", seed=2, german=7).parent, more(tmp_path / "a", seed=3, korean=900).parent]
    assert joined(here, *places).manifest.command.splitlines() == ["first", "reads german", "reads korean"]


def test_a_folder_without_texts_is_not_shown_alone(tmp_path: Path):
    folder = more(tmp_path / "there", german=70)
    assert not any((folder / f"{name}.parquet").exists() for name in REQUIRED)
    assert list(Results.open(folder).manifest.of(TREEBANK)) == ["german"], "it can be opened"
    assert find([tmp_path / "there"]) == []


def test_results_with_texts_are_not_added_to_others(here: Path, tmp_path: Path):
    there = whole(tmp_path / "there", corpora=(corpus_of(TEXT, "novels", documents=4),))
    results = joined(here, there.parent)
    assert results.more == ()
    assert list(results.manifest.of(TEXT)) == ["zebra", "articles"]


def test_what_is_joined_stays_as_it_was(here: Path, tmp_path: Path):
    results = Results.open(here / "tiny")
    before = results.manifest.text()
    added = Results.open(more(tmp_path / "there", german=70))
    assert results.with_more([added]).more == (added,)
    assert (results.manifest.text(), results.more) == (before, ())
    assert results.with_more([]).manifest == results.manifest


def experiment(place: Path, name: str, slug: str = "tiny", seed: int = 2, **changes: Any) -> Path:
    """What one experiment found about a labelled task."""
    facts = {"corpora": (corpus_of(TASK, name),), "experiment": f"tune.{name}", "command": f"tunes {name}"}
    record = manifest(slug, **facts | changes)
    return write(place, record, {name: table for name, table in tables(seed).items() if name == "head_facts"})


@pytest.mark.parametrize("beside", [True, False], ids=["beside the analysis", "elsewhere"])
def test_experiments_join_the_model_they_were_made_on(here: Path, tmp_path: Path, beside: bool):
    there = here if beside else tmp_path / "there"
    folders = [experiment(there, name, seed=seed) for seed, name in enumerate(("rte", "sts"), start=2)]
    assert [folder.name for folder in folders] == ["tiny@tune.rte", "tiny@tune.sts"]
    results = joined(here) if beside else joined(here, there)
    assert results.folder == here / "tiny"
    assert list(results.manifest.of(TASK)) == ["rte", "sts"]
    assert results.manifest.counts == Results.open(here / "tiny").manifest.counts, "an experiment counts nothing here"
    assert results.manifest.command.splitlines() == ["first", "tunes rte", "tunes sts"]
    assert len(results.table("head_facts")) == 3 * ROWS


def test_the_first_place_that_has_an_experiment_wins(here: Path, tmp_path: Path):
    places = [experiment(tmp_path / str(seed), "rte", seed=seed).parent for seed in (2, 3)]
    results = joined(here, *places)
    assert [one.folder.parent for one in results.more] == places[:1]


def test_an_experiment_on_other_weights_does_not_join(here: Path, tmp_path: Path):
    experiment(tmp_path / "there", "rte", weights_sha256="f" * 64)
    assert joined(here, tmp_path / "there").manifest.of(TASK) == {}


def test_an_experiment_that_read_texts_is_not_shown_alone(tmp_path: Path):
    experiment(tmp_path, "rte", corpora=(corpus_of(TEXT, "articles"), corpus_of(TASK, "rte")))
    assert find([tmp_path]) == []
