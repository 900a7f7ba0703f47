"""Maps from a file give the same numbers as observing the model, and a survey of real ones is complete."""

import json
import re

import numpy as np
import pytest

from generator.attention.saved import read_maps
from generator.attention.stream import Options, observe
from generator.config import Analysis
from generator.corpora.files import TEXT
from generator.corpora.pairs import Document
from generator.measures import COLUMNS
from generator.pages.blocks import Items, Section
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.page import NEIGHBOURS, head_page
from generator.pages.heads.studies import HeadStudies
from generator.results.examples import EXAMPLES
from generator.results.store import Results
from generator.results.writing import write
from generator.studies.all import PROCEDURES
from generator.survey.maps import survey_maps
from tests.attention.archives import TOKENS, saved
from tests.attention.observations import DOCUMENTS, columns_of, inputs_of
from tests.pages.reading import anchors, block, every, prose, seen, told
from tests.reports import Silence
from tests.results.samples import manifest
from tests.results.samples import tables as sample_tables

ROUNDING = 1e-5
REAL = "attention-bert-base-sst2-dodrio"
SPACED = Document("spaced", ("the sea , froze .", "the boats . stayed"))
"""Marks behind a space, which some vocabularies hold as pieces of their own."""


def observed(encoder, anatomy, smoothing=0.0):
    """Document -> what was seen of it, for documents of one input, and the tokens of each."""
    inputs = [item for item in inputs_of(encoder, (*DOCUMENTS, SPACED)) if item.document != "long"]
    seen = {one.input.document: one for one in observe(encoder, anatomy, inputs, Options(smoothing, keep_weights=True))}
    return seen, {
        name: encoder.tokenizer.convert_ids_to_tokens(list(one.input.input_ids)) for name, one in seen.items()
    }


@pytest.mark.parametrize("family", ["bert", "roberta", "xlm-roberta", "t5"])
@pytest.mark.parametrize("smoothing", [0.0, 1e-4])
def test_saved_maps_give_the_columns_of_observing_the_model(encoder, anatomy, tmp_path, family, smoothing):
    seen, tokens = observed(encoder(family), anatomy(family), smoothing)
    path = saved(tmp_path / "maps.npz", {name: (one.weights, tokens[name]) for name, one in seen.items()})
    maps = read_maps(path)
    assert maps.name == "maps"
    assert maps.shape == seen["plain"].weights.shape[:2]
    found = {one.input.document: one for one in maps.observe(smoothing)}
    assert list(found) == sorted(seen)
    assert any(max(one.input.segment_ids) for one in seen.values()), "no second segment is tried"
    for name, one in found.items():
        fresh = one.input
        assert fresh.classes == seen[name].input.classes, name
        assert fresh.segment_ids == seen[name].input.segment_ids, name
        assert [maps.vocabulary[at] for at in fresh.input_ids] == tokens[name]
        ours, theirs = columns_of(one), columns_of(seen[name])
        for column in COLUMNS:
            if column.startswith("norm."):
                assert np.isnan(ours[column]).all(), column
            else:
                np.testing.assert_allclose(ours[column], theirs[column], atol=ROUNDING, err_msg=f"{name} {column}")


def test_axes_are_layer_head_query_key(tmp_path):
    """Every head of its own layer looks at its own key."""
    weights = np.zeros((2, 3, 6, 6))
    for layer, head in np.ndindex(2, 3):
        weights[layer, head, :, 3 * layer + head] = 1
    (one,) = read_maps(saved(tmp_path / "m.npz", {"d": (weights, list("abcdef"))})).observe()
    np.testing.assert_array_equal(one.primitives.sink_position, [[0, 1, 2], [3, 4, 5]])
    np.testing.assert_array_equal(one.weights, weights)


def test_rows_with_few_decimals_are_scaled_to_one_and_the_vocabulary_is_the_alphabet(tmp_path):
    rough = np.tile([0.3333, 0.3333, 0.3333], (1, 2, 3, 1))
    short = np.full((1, 2, 2, 2), 0.5)
    maps = read_maps(saved(tmp_path / "m.npz", {"b": (rough, TOKENS), "a": (short, ("zebra", "[CLS]"))}))
    np.testing.assert_allclose(maps.weights["b"].sum(-1), 1, atol=1e-6)
    assert [item.document for item in maps.inputs] == ["a", "b"]
    assert maps.vocabulary == ("[CLS]", "[SEP]", "rock", "zebra")
    assert [item.input_ids for item in maps.inputs] == [(3, 0), (0, 2, 1)]


@pytest.mark.parametrize(
    ("tokens", "segments"),
    [
        ("[CLS] a [SEP] b , [SEP]", (0, 0, 0, 1, 1, 1)),
        ("<s> a </s> </s> b </s>", (0, 0, 0, 1, 1, 1)),
        ("[CLS] a b [SEP]", (0, 0, 0, 0)),
        ("a [SEP] b [SEP] c", (0, 0, 1, 1, 1)),
        ("a b", (0, 0)),
    ],
)
def test_the_second_segment_begins_after_the_first_separator(tmp_path, tokens, segments):
    tokens = tokens.split()
    weights = np.full((1, 1, len(tokens), len(tokens)), 1 / len(tokens))
    (item,) = read_maps(saved(tmp_path / "m.npz", {"d": (weights, tokens)})).inputs
    assert item.segment_ids == segments


@pytest.mark.parametrize("mark", ["{}", "{}</w>", "Ġ{}", "▁{}", " {}", "{}▁", "￭{}", "{} "])
def test_marks_of_the_beginning_and_the_end_of_a_word_are_no_text(tmp_path, mark):
    tokens = ["<s>", *map(mark.format, ("rock", ",", "sea", ".", "!")), "</s>"]
    weights = np.full((1, 1, 7, 7), 1 / 7)
    (item,) = read_maps(saved(tmp_path / "m.npz", {"d": (weights, tokens)})).inputs
    assert [int(kind) for kind in item.classes] == [0, 3, 2, 3, 2, 3, 1]


def test_an_axis_of_a_batch_of_one_is_dropped(tmp_path):
    weights = np.random.default_rng(0).dirichlet(np.ones(3), (2, 3, 3))
    plain = read_maps(saved(tmp_path / "a.npz", {"d": (weights, TOKENS)}))
    batch = read_maps(saved(tmp_path / "b.npz", {"d": (weights[:, None], (TOKENS,))}))
    np.testing.assert_array_equal(batch.weights["d"], plain.weights["d"])
    assert batch.inputs == plain.inputs


def test_bfloat16_that_numpy_does_not_know_is_read(tmp_path):
    exact = np.random.default_rng(0).dirichlet(np.ones(3), (2, 3, 3)).astype(np.float32)
    bits = (exact.view(np.uint32) >> 16).astype(np.uint16)
    maps = read_maps(saved(tmp_path / "m.npz", {"d": (bits.view("V2"), TOKENS)}))
    np.testing.assert_allclose(maps.weights["d"], exact, rtol=2**-6)


@pytest.fixture(scope="module")
def real(public, tmp_path_factory):
    """BERT-base's maps of forty sentences, in our format."""
    folder = public(REAL)
    sentences = json.loads((folder / "sentences.json").read_text(encoding="utf-8"))
    with np.load(folder / "attention.npz") as stored:
        documents = {name: (stored[name] / 10_000, sentences[name]["tokens"]) for name in stored.files}
    return read_maps(saved(tmp_path_factory.mktemp("maps") / "sst2.npz", documents))


@pytest.fixture(scope="module")
def surveyed(real):
    return survey_maps("dodrio/bert", real, (), Analysis(), PROCEDURES, Silence())


def test_a_survey_of_real_maps_has_all_144_heads_and_no_norms(surveyed, real):
    tables = surveyed.tables
    (read,) = surveyed.corpora
    assert (read.name, read.kind, read.sha256) == (real.name, TEXT, real.sha256)
    assert {read.name: read.counts} == {
        "sst2": {"documents": 40, "inputs": 40, "tokens": sum(map(len, real.inputs)), "split": 0, "short": 0}
    }
    heads = tables["heads"]
    assert (heads.groupby("measure").size() == 144).all()
    of_norms = heads["measure"].str.startswith("norm.")
    assert heads.loc[of_norms, "value"].isna().all()
    assert heads.loc[~of_norms, "value"].notna().all()
    assert set(tables["head_facts"]["study"]) == {"landscape", "maxima"}, "no paragraph repeats a word of the other"
    assert len(tables["divergence"]) == 40
    assert all(len(row) == 144 * 143 // 2 for row in tables["divergence"]["divergence"])
    longest = sorted(map(len, real.inputs))[len(EXAMPLES) - 1]
    assert tables["examples"]["sentence"].nunique() == len(EXAMPLES)
    assert tables["examples"]["tokens"].map(len).max() == longest, "the shortest documents are examples"


def test_every_head_of_real_maps_has_a_page_without_norms(surveyed, real, tmp_path):
    filled = manifest(
        "dodrio--bert",
        model="dodrio/bert",
        layers=12,
        heads=12,
        corpora=surveyed.corpora,
        vocabulary=surveyed.vocabulary,
    )
    atlas = Atlas(Results.open(write(tmp_path, filled, surveyed.tables)))
    studies = HeadStudies(atlas)
    pages = {place: head_page(atlas, studies, *place) for place in atlas.places}
    assert len(pages) == 144
    tokens = {token for item in real.inputs for token in (real.vocabulary[at] for at in item.input_ids)}
    for (layer, head), page in pages.items():
        assert str(page.title).startswith(f"Head {layer}-{head} ")
        assert "relations" not in anchors(page)
        assert any("only its weights" in told(one) for one in every(page, Section))
        assert "nan" not in seen(page.lead).lower()
        said = re.split(r"the sink, is |commonest sink, ", prose(page, "numbers")[0])[1]
        assert re.split(r", receives| in ", said)[0] in tokens
        assert len(block(page, "similar", Items).lines) == NEIGHBOURS


def test_invented_tables_and_a_survey_of_maps_have_the_same_columns(surveyed):
    invented = sample_tables(rows=1)
    for name, table in surveyed.tables.items():
        assert set(table.columns) == set(invented[name].columns), name


def test_tokens_may_be_bytes_in_utf8(tmp_path):
    texts = ("[CLS]", "Ġé", "[SEP]")
    weights = np.full((2, 3, 3, 3), 1 / 3)
    given = saved(tmp_path / "bytes.npz", {"d": (weights, [text.encode() for text in texts])})
    plain = saved(tmp_path / "texts.npz", {"d": (weights, texts)})
    assert read_maps(given).vocabulary == read_maps(plain).vocabulary == tuple(sorted(texts))
