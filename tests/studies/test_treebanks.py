"""A treebank and linked mentions through a model: whole tables, what is left out and counted, and hostile names."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.attention.words import word_maps
from generator.corpora.catalogue import TREEBANK
from generator.corpora.document import Corpus
from generator.corpora.kinds import CorpusKind
from generator.corpora.mentions import CorefDocument, Features, Mention
from generator.corpora.pairs import PairMaker
from generator.corpora.treebank import Sentence, Word, read_treebank
from generator.errors import CorpusError
from generator.home import DATA
from generator.models.twin import untrained_twin
from generator.results.manifest import CorpusRecord
from generator.results.store import Results, write
from generator.results.tables import TABLES
from generator.studies.mentions import coreference
from generator.studies.mentions.coreference import mention_inputs
from generator.studies.probes.data import ProbeExample
from generator.studies.probes.probes import probe_facts
from generator.studies.probes.sentences import MOST_SENTENCES, probing, sampled
from generator.studies.syntax.predictions import Predictions, predict
from generator.studies.syntax.relations import relation_heads
from generator.studies.syntax.sentences import counts_of, treebank_inputs
from tests.encoders import HEADS, LAYERS
from tests.results.samples import manifest
from tests.studies.surveyed import Telling, of_study, survey

SEED = 0
NAME = "some trees"
FILES = sorted((DATA / "corpora" / "treebank").glob("*.conllu"))
SHORT = Sentence(
    "short", (Word("the", "DET", 2, "det"), Word("sea", "NOUN", 3, "nsubj"), Word("froze", "VERB", 0, "root"))
)
LONG = Sentence("long", tuple(Word("harbour", "NOUN", at, "root" if at == 0 else "dep") for at in range(40)))
HOSTILE = {
    "det": "\"><script>alert('det')</script>",
    "case": "{{ 7 * 7 }} | ` \\ שלום 🙂",
    "obl": "all",
    "amod": "'; DROP TABLE relations; --",
}
"""Relations that carry another name; `all` stands for every word in the tables."""


def bank(sentences, name=NAME):
    return Corpus(name, CorpusKind.TREEBANK, "0" * 64, tuple(sentences))


@pytest.fixture(scope="module")
def sentences():
    """Short sentences, enough to teach probes, and one of three words for the examples of deciles."""
    some = [one for one in read_treebank("treebank", FILES).items if len(one.words) < 15]
    return [*some[:22], SHORT]


@pytest.fixture(scope="module")
def tables(encoder):
    """Gives all tables of a treebank read by the tiny BERT, or by another encoder."""

    def read(sentences, reader=None, name=TREEBANK.name, **how):
        return survey(reader or encoder("bert"), bank(sentences, name), seed=SEED, **how).tables

    return read


@pytest.fixture(scope="module")
def found(sentences, tables):
    return tables(sentences)


def fits_the_store(found):
    for name, table in found.items():
        assert set(table.columns) == set(TABLES[name].names), name
        assert len(pa.Table.from_pandas(table, schema=TABLES[name], preserve_index=False)) == len(table) > 0


def test_tables_have_the_columns_of_the_store(found):
    fits_the_store(found)
    assert set(found) == set(TABLES) & {
        *("predictions", "relations", "relation_baselines", "relation_heads", "facts", "head_facts", "deciles")
    }
    assert list(found["facts"]["study"].unique()) == ["trees", "words", "features", "probe", "usability"]


def test_the_order_of_sentences_changes_nothing(sentences, tables, found):
    turned = tables(sentences[::-1])
    assert set(found) == set(turned)
    for name, table in found.items():
        pd.testing.assert_frame_equal(table, turned[name], rtol=1e-6)


def test_every_word_is_told_at_every_reading_and_text_is_kept_only_if_it_may_be_shown(sentences, tables):
    report = Telling()
    found = tables(sentences[:4], name="another", report=report)
    readings = 6  # once for the model and once for each of five twins
    assert sum(report.told) == readings * sum(len(sentence.words) for sentence in sentences[:4])
    assert "deciles" not in found


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
    folder = write(tmp_path, manifest("bert", corpora=()), hostile)
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
    stored = Results.open(write(tmp_path, manifest("bert", corpora=()), found.tables))
    assert len(stored.table("predictions")) == 1
    assert len(stored.table("deciles")) == (0 if words > 20 else 3 * LAYERS * HEADS)
    assert len(stored.table("relation_heads")) == (0 if words < 20 else 2)


@pytest.fixture(scope="module")
def learnt(encoder, anatomy, sentences):
    """Inputs and maps of every sentence."""
    inputs = treebank_inputs(bank(sentences), PairMaker(encoder("bert").tokenizer, 128))
    items = [item.input for _, item in inputs.values()]
    seen = observe(encoder("bert"), anatomy("bert"), items, Options(keep_weights=True))
    return inputs, {each.input.document: word_maps(each.weights, inputs[each.input.document][1]) for each in seen}


def test_probes_learn_from_gold_heads_and_mean_embeddings_of_pieces(encoder, learnt):
    inputs, maps = learnt
    (found,) = probing(encoder("bert"), NAME, inputs, maps, maps, SEED)
    tokenizer = encoder("bert").tokenizer
    table = encoder("bert").model.embeddings.word_embeddings.weight.numpy()
    examples = []
    for name, (sentence, _) in sorted(inputs.items()):
        vectors = []
        for word in sentence.words:
            pieces = tokenizer(f" {word.form}", add_special_tokens=False)["input_ids"]
            vectors.append(sum(table[piece] for piece in pieces) / len(pieces))
        heads = np.array([word.head for word in sentence.words])
        scored = np.array([word.relation != "punct" for word in sentence.words])
        types = tuple(word.form.lower() for word in sentence.words)
        examples.append(ProbeExample(name, maps[name], heads, scored, types, np.array(vectors)))
    expected = probe_facts(examples, examples, "bert", NAME, SEED, encoder("bert").device)
    pd.testing.assert_frame_equal(found, expected.assign(model=encoder("bert").id), rtol=1e-6)
    value = found.set_index("name")["value"]
    assert value["random attention+words"] == value["attention+words"], "the same maps stand for the twin's"


def test_too_few_sentences_teach_no_probe(encoder, learnt):
    inputs, maps = learnt
    few = dict(list(maps.items())[:5])
    assert probing(encoder("bert"), NAME, inputs, few, few, SEED) == []


def test_a_large_treebank_is_sampled_by_name():
    names = [f"s{number}" for number in range(MOST_SENTENCES + 50)]
    kept = sampled(names, SEED)
    assert len(kept) == MOST_SENTENCES
    assert kept < set(names)
    assert sampled(names[::-1], SEED) == kept != sampled(names, SEED + 1)
    assert sampled(names[:7], SEED) == set(names[:7])


def story(name, words, mentions):
    """`mentions` are (start, end, head, entity)."""
    made = tuple(
        Mention(*place, "pronoun" if place[1] - place[0] == 1 else "nominal", Features()) for place in mentions
    )
    return CorefDocument(name, tuple(words.split()), made)


STORIES = (
    story(
        "lamp",
        "the keeper lit the lamp . he read it twice .",
        [(0, 2, 1, "k"), (3, 5, 4, "l"), (6, 7, 6, "k"), (8, 9, 8, "l")],
    ),
    story("boats", "the boats stayed and they froze .", [(0, 2, 1, "b"), (4, 5, 4, "b")]),
    story("sea", "birds nest in spring . it looks to them .", [(0, 1, 0, "b"), (8, 9, 8, "b")]),
    story("alone", "the sea froze .", [(0, 2, 1, "s")]),
)
LINKED = Corpus("linked", CorpusKind.MENTIONS, "0" * 64, STORIES)


def test_documents_are_cut_to_one_input_and_those_without_antecedents_left_out(encoder):
    maker = PairMaker(encoder("bert").tokenizer, 128)
    whole = mention_inputs(LINKED, maker)
    assert coreference.counts_of(whole) == {"documents": 3, "mentions": 2 + 1 + 1}
    tokens = {name: len(item.input) for name, (_, item) in whole.items()}
    limit = tokens["lamp"]  # room is kept for the special tokens of a pair, one more than here
    cut = mention_inputs(LINKED, PairMaker(encoder("bert").tokenizer, limit))
    assert cut["lamp"][0].words == STORIES[0].words[:-1], "the last word no longer fits"
    for document, item in cut.values():
        assert len(item.input) <= limit
        assert len(item.lengths) == len(document.words)
        assert all(mention.end <= len(document.words) for mention in document.mentions)


def test_fewer_than_two_documents_are_refused(encoder):
    with pytest.raises(CorpusError, match=r"two documents of linked .* found 1; raise --max-tokens"):
        mention_inputs(replace(LINKED, items=STORIES[1:2]), PairMaker(encoder("bert").tokenizer, 128))


def test_mentions_give_tables_that_fit_the_store_in_any_order(encoder):
    report, turned = Telling(), replace(LINKED, items=STORIES[::-1])
    both = [survey(encoder("bert"), one, seed=SEED, report=report).tables for one in (LINKED, turned)]
    fits_the_store(both[0])
    assert sum(report.told) == 2 * (11 + 7 + 10)
    for name, table in both[0].items():
        pd.testing.assert_frame_equal(table, both[1][name], rtol=1e-6)


def test_a_heads_share_of_antecedents_equals_a_loop_over_mentions(encoder, anatomy):
    inputs = mention_inputs(LINKED, PairMaker(encoder("bert").tokenizer, 128))
    found = survey(encoder("bert"), LINKED, seed=SEED).tables
    value = found["head_facts"].set_index(["name", "layer", "head"])["value"]
    right = np.zeros((LAYERS, HEADS))
    items = [item.input for _, item in inputs.values()]
    for seen in observe(encoder("bert"), anatomy("bert"), items, Options(keep_weights=True)):
        document, item = inputs[seen.input.document]
        weights = word_maps(seen.weights, item).weights
        last = {}
        for mention in document.mentions:
            for layer, head in np.ndindex(LAYERS, HEADS):
                row = weights[layer, head, mention.head].tolist()
                looked = max(range(mention.start), key=lambda at, row=row: (row[at], at), default=None)
                right[layer, head] += mention.entity in last and looked == last[mention.entity]
            last.setdefault(mention.entity, mention.head)
    for layer, head in np.ndindex(LAYERS, HEADS):
        assert value["words.all", layer + 1, head + 1] == pytest.approx(right[layer, head] / 4)
