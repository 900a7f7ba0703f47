"""A treebank through a model: whole tables, what is left out and counted, and hostile names."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.attention.words import word_maps
from generator.corpora.catalogue import TREEBANK
from generator.corpora.pairs import PairMaker
from generator.corpora.treebank import Sentence, Word, counts_of, treebank_inputs
from generator.errors import CorpusError
from generator.models.twin import untrained_twin
from generator.results.manifest import CorpusRecord
from generator.results.store import Results
from generator.results.writing import write
from generator.survey.task import OF_WORDS
from generator.topics.relations.compute.arcs import fits
from generator.topics.relations.compute.arcs import shown as heads_of
from generator.topics.relations.compute.arrows import right_arrows
from generator.topics.relations.compute.relations import relation_heads
from generator.topics.relations.derived.arcs import sentences as sentences_of
from generator.topics.relations.derived.predictions import Predictions, predict
from tests.encoders import HEADS, LAYERS
from tests.reports import Telling
from tests.results.samples import manifest
from tests.studies.surveyed import fits_the_store, of_study, survey
from tests.studies.treebanks import NAME, SHORT, bank, few

SEED = 0
LONG = Sentence("long", tuple(Word("harbour", "NOUN", at, "root" if at == 0 else "dep") for at in range(40)))
HOSTILE = {
    "det": "\"><script>alert('det')</script>",
    "case": "{{ 7 * 7 }} | ` \\ שלום 🙂",
    "obl": "all",
    "amod": "'; DROP TABLE relations; --",
}
"""Relations that carry another name; `all` stands for every word in the tables."""


@pytest.fixture(scope="module")
def sentences():
    return few()


@pytest.fixture(scope="module")
def tables(encoder):
    """Gives all tables of a treebank read by the tiny BERT, or by another encoder."""

    def read(sentences, reader=None, name=TREEBANK.name, **how):
        return survey(reader or encoder("bert"), bank(sentences, name), seed=SEED, **how).tables

    return read


@pytest.fixture(scope="module")
def found(sentences, tables):
    return tables(sentences)


def test_tables_have_the_columns_of_the_store(found):
    fits_the_store(found)
    relations = {"predictions", "arcs", "relations", "relation_baselines", "relation_heads"}
    assert set(found) == relations | {"facts", "head_facts", "deciles"}
    assert list(found["facts"]["study"].unique()) == ["trees", "words", "probe", "usability", "features"]


def test_the_order_of_sentences_changes_nothing(sentences, tables, found):
    turned = tables(sentences[::-1])
    assert set(found) == set(turned)
    for name, table in found.items():
        pd.testing.assert_frame_equal(table, turned[name], rtol=1e-6)


def test_every_reading_is_told_and_text_is_kept_only_if_it_may_be_shown(encoder, sentences, tables):
    report = Telling()
    found = tables(sentences[:4], name="another", report=report)
    inputs = treebank_inputs(bank(sentences[:4]), PairMaker(encoder("bert").tokenizer, 128))
    tokens = sum(len(item.input) for _, item in inputs.values())
    stood = report.stood(f"{encoder('bert').id} on another")
    assert {OF_WORDS * tokens * reading for reading in range(1, 7)} <= set(stood), "the model and five twins read all"
    assert not {"deciles", "arcs"} & set(found)


def _accuracies(reader, sentences):
    """What the best heads of a model find, in the order of the table."""
    inputs = treebank_inputs(bank(sentences), PairMaker(reader.tokenizer, 128))
    items = [item.input for _, item in inputs.values()]
    pairs = []
    for seen in observe(reader, examine(reader), items, Options(keep_weights=True)):
        sentence, item = inputs[seen.input.document]
        pairs.append((sentence, predict(word_maps(seen.weights, item).weights)))
    return relation_heads(Predictions.of(pairs), (), NAME, NAME, SEED)["value"].to_numpy()


def test_the_twins_of_a_table_are_five_draws_scored_as_the_model_is(encoder, sentences, found):
    chosen = found["relation_heads"]
    twins = (untrained_twin(encoder("bert"), SEED, draw) for draw in range(5))
    draws = np.stack([_accuracies(twin, sentences) for twin in twins])
    assert draws.shape == (5, len(chosen))
    np.testing.assert_allclose(chosen["twin"], draws.mean(0))
    np.testing.assert_array_equal(chosen["twin_low"], draws.min(0))
    np.testing.assert_array_equal(chosen["twin_high"], draws.max(0))
    assert (chosen["twin_low"] < chosen["twin_high"]).any()


def test_strong_arrows_are_those_of_the_pass_counted_on_the_heads_that_relations_chose(encoder, sentences, found):
    reader = encoder("bert")
    inputs = treebank_inputs(bank(sentences), PairMaker(reader.tokenizer, 128))
    flags, maps = {}, {}
    items = [item.input for _, item in inputs.values()]
    for seen in observe(reader, examine(reader), items, Options(keep_weights=True)):
        name = seen.input.document
        weights = word_maps(seen.weights, inputs[name][1]).weights
        words = np.arange(weights.shape[-1])
        to_self = weights[..., words, words]
        rest = np.where(np.eye(len(words), dtype=bool), 0, weights)
        flags[name] = rest.max(-1) > to_self + rest.sum(-1) - rest.max(-1)
        if fits(name, len(words), SEED):
            maps[name] = weights
    picked = Predictions.from_table(found["predictions"], LAYERS, HEADS)
    strong = np.concatenate([flags[name] for name in picked.sentences], -1)
    again = right_arrows(picked, strong, found["relation_heads"], reader.id, TREEBANK.name, SEED)
    heads = heads_of(*(found[name] for name in ("relation_heads", "relations", "relation_baselines")))
    assert len(heads) > len(heads[["relation"]].drop_duplicates()), "some that were not chosen"
    shown = sentences_of(picked, strong, maps, heads, TREEBANK.name)
    assert len(shown) >= 5
    pd.testing.assert_frame_equal(found["arcs"], shown, check_dtype=False)
    ours = of_study(found, "arrows", "head_facts")
    pd.testing.assert_frame_equal(ours.reset_index(drop=True), again)
    assert set(ours["name"].str.partition(".")[0]) == {"right", "offset", "gain"}


def test_probes_take_the_maps_of_the_first_twin(encoder, sentences, tables, found):
    read = tables(sentences, untrained_twin(encoder("bert"), SEED))
    ours, theirs = (of_study(each, "probe").set_index("name")["value"] for each in (found, read))
    assert ours["random attention+words"] == pytest.approx(theirs["attention+words"])
    assert ours["random attention+words"] != ours["attention+words"]


def test_probes_read_the_vectors_that_are_given(encoder, sentences, tables, found, tmp_path):
    """A word's own embedding, given as its vector, changes nothing; others change the probes of words alone."""
    one = encoder("bert")
    table = one.model.get_input_embeddings().weight.detach().numpy()
    maker = PairMaker(one.tokenizer, 128)
    own = {}
    for sentence in sentences:
        item = maker.words("w", [word.form for word in sentence.words])
        ids = np.asarray(item.input.input_ids)[item.pieces]
        for word, start, length in zip(sentence.words, item.starts, item.lengths, strict=True):
            own[word.form] = table[ids[start : start + length]].mean(0)
    rng = np.random.default_rng(SEED)
    other = {word: rng.normal(size=7).astype(np.float32) for word in own}

    def probes(vectors):
        file = tmp_path / "vectors.txt"
        file.write_text("".join(f"{word} {' '.join(map(str, each.tolist()))}\n" for word, each in vectors.items()))
        return of_study(tables(sentences, word_vectors=str(file)), "probe").set_index("name")["value"]

    ours = of_study(found, "probe").set_index("name")["value"]
    pd.testing.assert_series_equal(probes(own), ours, atol=0.02, rtol=0)
    changed = probes(other)
    assert changed["attention"] == ours["attention"]
    assert changed["attention+words"] != ours["attention+words"]


def test_long_sentences_are_left_out_and_counted(encoder, sentences):
    whole = bank([*sentences, LONG])
    inputs = treebank_inputs(whole, PairMaker(encoder("bert").tokenizer, 128))
    assert set(inputs) == {sentence.id for sentence in sentences}
    words = sum(len(sentence.words) for sentence in sentences)
    assert counts_of(whole, inputs) == {"sentences": len(sentences), "words": words, "long": 1}
    for name, (sentence, item) in inputs.items():
        assert name == sentence.id == item.input.document
        assert len(item.lengths) == len(sentence.words)


def test_a_treebank_of_long_sentences_alone_is_refused(encoder):
    with pytest.raises(CorpusError, match="found none among 1; raise --max-tokens") as error:
        treebank_inputs(bank([LONG]), PairMaker(encoder("bert").tokenizer, 128))
    assert NAME in str(error.value)


def _renamed(sentence):
    words = (replace(word, relation=HOSTILE.get(word.relation, word.relation)) for word in sentence.words)
    return replace(sentence, words=tuple(words))


def test_hostile_names_of_relations_and_sentences_survive(sentences, tables, found, tmp_path):
    """They change the names of rows and no number; `all` itself has no rows of its own but those of every word."""
    hostile = tables([_renamed(sentence) for sentence in sentences])
    fits_the_store(hostile)
    for table, keys in (
        ("relations", ["relation", "direction", "layer", "head"]),
        ("relation_baselines", ["relation", "offset"]),
    ):
        plain, other = found[table], hostile[table]
        assert set(HOSTILE) < set(plain["relation"])
        assert not other.duplicated(keys).any()
        expected = plain[plain["relation"] != "obl"].replace({"relation": HOSTILE})
        pd.testing.assert_frame_equal(
            other.sort_values(keys, ignore_index=True), expected.sort_values(keys, ignore_index=True)
        )
    folder = write(tmp_path, manifest("bert", corpora=(), model="bert", layers=LAYERS, heads=HEADS), hostile)
    stored = Results.open(folder)
    assert set(stored.table("relations")["relation"]) == set(hostile["relations"]["relation"])
    kept = {relation for row in stored.table("predictions")["relations"] for relation in row}
    assert kept == {word.relation for sentence in sentences for word in _renamed(sentence).words}


@pytest.mark.parametrize("kept", [SHORT, Sentence("word", (Word("sea", "NOUN", 0, "root"),)), LONG])
def test_a_treebank_too_small_for_some_tables_is_stored_without_them(encoder, tmp_path, kept):
    """No relation has words enough for a best head, or no sentence is short enough for a page."""
    words = 30 if kept is LONG else len(kept.words)
    kept = replace(kept, words=tuple(replace(word, form="sea") for word in kept.words[:words]))
    trees = bank((kept,), TREEBANK.name)
    found = survey(encoder("bert"), trees, seed=SEED)
    assert found.corpora == (CorpusRecord.of(trees, {"sentences": 1, "words": words, "long": 0}),)
    stored = Results.open(
        write(tmp_path, manifest("bert", corpora=(), model="bert", layers=LAYERS, heads=HEADS), found.tables)
    )
    assert len(stored.table("predictions")) == 1
    assert len(stored.table("deciles")) == (0 if words > 20 else 3 * LAYERS * HEADS)
    assert len(stored.table("relation_heads")) == (0 if words < 20 else 2)
