"""Which words of a frame count, heads whose links are known, and readers' sentences end to end."""

import numpy as np
import pytest

from generator.corpora.kind import Corpus
from generator.corpora.pairs import PairMaker
from generator.errors import CorpusError
from generator.survey.task import LEAST, OF_WORDS
from generator.topics.frames.compute.frames import FrameScores, link_scores
from generator.topics.frames.corpus.frames import FRAMES, PAPER, Filters, counts_of, frame_inputs
from generator.topics.frames.records import DIRECTIONS
from tests.reports import Telling
from tests.studies.stored import SEED, row
from tests.studies.surveyed import survey
from tests.topics.frames.compute.random_frames import frame, maps, random_sentences, tables


def test_a_head_that_links_an_element_to_the_target_scores_in_that_direction_alone():
    weights = np.zeros((1, 1, 8, 8), np.float32)
    weights[0, 0, 1, 5] = 0.9
    own, matched = link_scores(weights, [0, 1], [5])
    np.testing.assert_allclose(own[0, 0], [0.9, 0])
    np.testing.assert_array_equal(matched[0, 0], [0, 0])
    own, _ = link_scores(weights, [5], [1])
    np.testing.assert_allclose(own[0, 0], [0, 0.9])


def test_a_head_that_looks_so_far_ahead_whatever_it_reads_gains_nothing():
    weights = np.eye(9, k=3, dtype=np.float32)[None, None]
    own, matched = link_scores(weights, [1], [4])
    np.testing.assert_array_equal(own, matched)
    assert own[0, 0].tolist() == [1, 0]


def test_every_element_word_is_paired_with_every_target_word():
    """The released code stops at the shorter of the two."""
    for element, target in np.ndindex(3, 2):
        weights = np.zeros((1, 1, 9, 9), np.float32)
        weights[0, 0, 5 + element, 1 + target] = 0.5
        own, _ = link_scores(weights, [5, 6, 7], [1, 2])
        assert own[0, 0].tolist() == [0.5, 0]


def test_pairs_that_fit_nowhere_else_have_no_baseline():
    own, matched = link_scores(maps(6, 0), [0], [5])
    assert np.isfinite(own).all()
    assert np.isnan(matched).all()
    facts, heads = tables([([frame(6, [5], ([0], True), name=name)], maps(6, 0)) for name in "ab"])
    assert set(heads.name) == {*DIRECTIONS, *(f"paper.{name}" for name in DIRECTIONS)}
    assert not facts.name.str.contains("best|above").any()


def test_a_planted_link_is_found_and_one_in_the_other_direction_is_not():
    """Two frames in each of sixty sentences; head 2-3 looks from the element to the target, wherever they are."""
    rng, corpus = np.random.default_rng(1), []
    for number in range(60):
        element, target = (int(at) for at in rng.choice(12, 2, replace=False))
        weights = 0.05 * maps(12, number)
        weights[1, 2, element, target] = 0.9
        corpus.append(([frame(12, [target], ([element], True), name=f"s{number}")], weights))
    facts, heads = tables(corpus)
    for direction, above in zip(DIRECTIONS, (1, 0), strict=True):
        assert row(facts, f"{direction}.above").value == above
    assert [row(facts, f"element_to_target.best.{axis}").value for axis in ("layer", "head")] == [2, 3]
    assert row(facts, "element_to_target.best.gain").low > 0.8
    assert row(heads, "element_to_target", layer=2, head=3).value == pytest.approx(0.9)
    assert row(heads, "target_to_element", layer=2, head=3).value < 0.06


@pytest.mark.parametrize(
    ("one", "everything", "paper"),
    [
        (frame(12, [6], ([2, 3], True)), (2, 3), (2, 3)),
        (frame(13, [6], ([2, 3], True)), (2, 3), ()),
        (frame(12, [6], ([1, 2, 3, 4], True)), (1, 2, 3, 4), ()),
        (frame(12, [6], ([2], True), ([8, 9, 10, 11], False)), (2,), ()),
        (frame(12, [6], ([5], True), ([2], True)), (2, 5), (2,)),
        (frame(12, [6], ([4], True), ([7], True)), (4, 7), (4,)),
        (frame(12, [6], ([7, 8], True)), (7, 8), ()),
        (frame(12, [6], ([5, 6, 7], True)), (5, 7), ()),
        (frame(12, [6], ([6], True)), (), ()),
        (frame(12, [6], ([2], False)), (), ()),
        (frame(12, [3, 9], ([6], True), ([8], True)), (6, 8), (6,)),
        (frame(12, [6]), (), ()),
        (frame(12, [6], ([2, 3], True), ([3], True)), (2, 3), (2, 3)),
    ],
)
def test_filters(one, everything, paper):
    assert Filters().linked(one) == everything
    assert PAPER.linked(one) == paper


def test_inputs_are_sentences_with_their_frames_and_too_few_are_refused(encoder):
    maker = PairMaker(encoder("bert").tokenizer, 20)
    kept = [frame(6, [2], ([4], True), name=name, number=at) for name in "ab" for at in (1, 2)]
    left_out = [frame(40, [2], ([4], True), name="long"), frame(6, [2], ([2], True), name="c")]
    corpus = Corpus("some", FRAMES, "", (*left_out, *kept))
    inputs = frame_inputs(corpus, maker)
    assert counts_of(corpus, inputs) == {"sentences": 2, "words": 12, "frames": 4}
    assert inputs["a"][0] == tuple(kept[:2])
    with pytest.raises(CorpusError, match=r"at least two sentences of some .* found 1 among 2 with such an element"):
        frame_inputs(Corpus("some", FRAMES, "", (left_out[0], *kept[:2])), maker)


def test_an_encoder_reads_every_sentence_once(encoder, anatomy):
    bert = encoder("bert")
    corpus = [frames for frames, _ in random_sentences(12)]
    annotated = Corpus("some", FRAMES, "", tuple(one for each in corpus for one in each))
    inputs, report = frame_inputs(annotated, PairMaker(bert.tokenizer, 64)), Telling()
    found = survey(bert, annotated, seed=SEED, max_tokens=64, report=report).tables
    tokens = sum(len(item.input) for _, item in inputs.values())
    assert report.stood(f"{bert.id} on some")[-1] == OF_WORDS * (tokens + tokens // LEAST)
    assert OF_WORDS * tokens in report.stood(f"{bert.id} on some")
    heads = found["head_facts"]
    assert set(heads.groupby("name").size()) == {anatomy("bert").layers * anatomy("bert").heads}
    assert heads.value[~heads.name.str.contains("gain")].between(0, 1).all()
    assert row(found["facts"], "frames").value == counts_of(annotated, inputs)["frames"]


def test_maps_of_another_size_are_refused():
    with pytest.raises(ValueError, match="expected weights of 6 x 6 words for 's'"):
        FrameScores().add([frame(6, [2], ([4], True))], maps(5, 0))
