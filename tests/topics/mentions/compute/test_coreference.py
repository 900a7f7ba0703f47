"""Linked mentions through a model: what is cut, left out and refused, and a head's share of antecedents by a loop."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from generator.attention.stream import Options, observe
from generator.attention.words import word_maps
from generator.corpora.kind import Corpus
from generator.corpora.pairs import PairMaker
from generator.errors import CorpusError
from generator.survey.task import LEAST, OF_WORDS
from generator.topics.mentions.corpus.coreference import CorefDocument, Features, Mention
from generator.topics.mentions.corpus.mentions import MENTIONS, counts_of, mention_inputs
from tests.encoders import HEADS, LAYERS
from tests.reports import Telling
from tests.studies.surveyed import fits_the_store, survey

SEED = 0


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
LINKED = Corpus("linked", MENTIONS, "0" * 64, STORIES)


def test_documents_are_cut_to_one_input_and_those_without_antecedents_left_out(encoder):
    maker = PairMaker(encoder("bert").tokenizer, 128)
    whole = mention_inputs(LINKED, maker)
    assert counts_of(LINKED, whole) == {"documents": 3, "mentions": 2 + 1 + 1}
    tokens = {name: len(item.input) for name, (_, item) in whole.items()}
    limit = tokens["lamp"] - 1
    cut = mention_inputs(LINKED, PairMaker(encoder("bert").tokenizer, limit))
    assert cut["lamp"][0].words == STORIES[0].words[:-1], "the last word no longer fits"
    for document, item in cut.values():
        assert len(item.input) <= limit
        assert len(item.lengths) == len(document.words)
        assert all(mention.end <= len(document.words) for mention in document.mentions)


def test_fewer_than_two_documents_are_refused(encoder):
    with pytest.raises(
        CorpusError, match=r"two documents of linked .* found 1 of 1; give more documents, or raise --max-tokens"
    ):
        mention_inputs(replace(LINKED, items=STORIES[1:2]), PairMaker(encoder("bert").tokenizer, 128))


def test_mentions_give_tables_that_fit_the_store_in_any_order(encoder):
    reports, corpora = (Telling(), Telling()), (LINKED, replace(LINKED, items=STORIES[::-1]))
    both = [
        survey(encoder("bert"), corpus, seed=SEED, report=report).tables
        for corpus, report in zip(corpora, reports, strict=True)
    ]
    fits_the_store(both[0])
    inputs = mention_inputs(LINKED, PairMaker(encoder("bert").tokenizer, 128))
    tokens = sum(len(item.input) for _, item in inputs.values())
    for report in reports:
        assert report.stood(f"{encoder('bert').id} on {LINKED.name}") == [
            OF_WORDS * tokens,
            OF_WORDS * (tokens + tokens // LEAST),
        ]
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
