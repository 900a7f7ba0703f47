"""Links of frames: loops over pairs and places in float64, heads made by hand, and readers' sentences end to end."""

import numpy as np
import pytest

from generator.corpora.document import Corpus
from generator.corpora.frames import PAPER, Element, Filters, FrameSentence
from generator.corpora.kinds import CorpusKind
from generator.corpora.pairs import PairMaker
from generator.errors import CorpusError
from generator.numbers.resampling import DRAWS, bootstrap_ratio
from generator.results.tables import FACTS, HEAD_FACTS
from generator.studies.frames.frames import DIRECTIONS, FrameScores, link_scores
from generator.studies.frames.sentences import counts_of, frame_inputs
from generator.studies.halves import reported
from tests.studies.surveyed import Telling, survey

MODEL, CORPUS, SEED = "some/model", "some frames", 4
LAYERS, HEADS = 2, 3
ROUNDING = 1e-9


def frame(words, target, *elements, name="s", number=1):
    """A frame of a sentence of so many words; elements are (places, core)."""
    parts = tuple(Element(f"E{at}", core, tuple(places)) for at, (places, core) in enumerate(elements))
    return FrameSentence(f"{name}/{number}", ("w",) * words, tuple(target), parts, name)


def maps(words, seed, layers=LAYERS, heads=HEADS):
    rows = np.random.default_rng(seed).dirichlet(np.full(words + 2, 0.3), (layers, heads, words))
    return rows[..., :-2].astype(np.float32)


def random_sentences(count=40):
    rng = np.random.default_rng(9)
    for number in range(count):
        words = int(rng.integers(4, 16))
        frames = []
        for at in range(rng.integers(1, 4)):
            target = sorted(rng.choice(words, rng.integers(1, 3), replace=False))
            spans = []
            for _ in range(rng.integers(1, 3)):
                start = int(rng.integers(words))
                spans.append((range(start, min(words, start + int(rng.integers(1, 5)))), bool(rng.random() < 0.8)))
            frames.append(frame(words, map(int, target), *spans, name=f"s{number}", number=at))
        yield frames, maps(words, number)


@pytest.fixture(scope="module")
def corpus():
    """Sentences of one to three frames, with their maps."""
    return list(random_sentences())


def tables(corpus, seed=SEED):
    scores = FrameScores()
    for frames, weights in corpus:
        scores.add(frames, weights)
    return scores.tables(MODEL, CORPUS, seed)


@pytest.fixture(scope="module")
def found(corpus):
    return tables(corpus)


def slow_elements(one, paper):
    """Words of core elements that count, by the words of the module's head alone."""
    if paper and (len(one.words) > 12 or max(len(part.positions) for part in one.elements) > 3):
        return []
    words = []
    for part in one.elements:
        outside = [word for word in part.positions if word not in one.target]
        gaps = [abs(word - target) for word in outside for target in one.target]
        if part.core and outside and (not paper or min(gaps) >= 2):
            words += outside
    return words


def slow_strongest(weights, elements, target, direction):
    best = 0.0
    for element in elements:
        for other in target:
            query, key = (element, other) if direction == "element_to_target" else (other, element)
            best = max(best, float(weights[query, key]))
    return best


def slow_pair(weights, elements, target, direction):
    """The score, and the mean over all other places where the pairs fit; None where there is no other."""
    own = slow_strongest(weights, elements, target, direction)
    others = []
    for move in range(-len(weights), len(weights) + 1):
        moved = [word + move for word in (*elements, *target)]
        if move and min(moved) >= 0 and max(moved) < len(weights):
            others.append(slow_strongest(weights, moved[: len(elements)], moved[len(elements) :], direction))
    return own, sum(others) / len(others) if others else None


def slow_rows(corpus, paper, direction, layer, head):
    """Per sentence, by name: frames, their score; movable frames, what matches, gain. Sentences that count alone."""
    rows = {}
    for frames, weights in sorted(corpus, key=lambda item: item[0][0].sentence):
        pairs = [
            slow_pair(weights[layer, head], elements, one.target, direction)
            for one in frames
            if (elements := slow_elements(one, paper))
        ]
        able = [(own, matched) for own, matched in pairs if matched is not None]
        if pairs:
            rows[frames[0].sentence] = (
                len(pairs),
                sum(own for own, _ in pairs),
                len(able),
                sum(matched for _, matched in able),
                sum(own - matched for own, matched in able),
            )
    return rows


def row_of(table, name, **place):
    for column, value in place.items():
        table = table[table[column] == value]
    (row,) = table[table.name == name].itertuples()
    return row


def same(row, estimate):
    got = np.array([row.value, row.low, row.high, row.n], float)
    np.testing.assert_allclose(got, [float(field) for field in estimate], atol=ROUNDING)


@pytest.mark.parametrize("paper", [False, True])
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_every_head_scores_what_loops_over_pairs_and_places_say(corpus, found, paper, direction):
    prefix = "paper." * paper + direction
    for layer, head in np.ndindex(LAYERS, HEADS):
        rows = slow_rows(corpus, paper, direction, layer, head)
        frames, score, able, matched, gain = np.array(list(rows.values())).T
        place = {"layer": layer + 1, "head": head + 1}
        same(row_of(found[1], prefix, **place), bootstrap_ratio(score, frames, SEED))
        kept = able > 0
        same(row_of(found[1], f"{prefix}.matched", **place), bootstrap_ratio(matched[kept], able[kept], SEED))
        same(row_of(found[1], f"{prefix}.gain", **place), bootstrap_ratio(gain[kept], able[kept], SEED))


@pytest.mark.parametrize("paper", [False, True])
def test_simultaneous_intervals_are_those_of_loops_over_draws(corpus, found, paper):
    """Of both directions and all heads together, and `above` counts those above 0."""
    gains, able = [], None
    for direction in DIRECTIONS:
        for layer, head in np.ndindex(LAYERS, HEADS):
            rows = [row for row in slow_rows(corpus, paper, direction, layer, head).values() if row[2]]
            gains.append([row[4] for row in rows])
            able = np.array([row[2] for row in rows])
    gains = np.array(gains)
    rng, sentences = np.random.default_rng(SEED), len(able)
    draws = []
    for counts in rng.multinomial(sentences, np.full(sentences, 1 / sentences), size=DRAWS):
        draws.append([sum(counts * gain) / sum(counts * able) for gain in gains])
    draws, value = np.array(draws), gains.sum(1) / able.sum()
    error = draws.std(0)
    largest = sorted(max(abs(one - value) / error) for one in draws)
    width = np.quantile(largest, 0.95) * error
    names = [("paper." * paper + direction) for direction in DIRECTIONS]
    got = [
        row_of(found[1], f"{name}.gain.family", layer=layer + 1, head=head + 1)
        for name in names
        for layer, head in np.ndindex(LAYERS, HEADS)
    ]
    np.testing.assert_allclose([row.low for row in got], value - width, atol=ROUNDING)
    np.testing.assert_allclose([row.high for row in got], value + width, atol=ROUNDING)
    for at, name in enumerate(names):
        heads = LAYERS * HEADS
        expected = sum((value - width)[at * heads : (at + 1) * heads] > 0)
        assert row_of(found[0], f"{name}.above").value == expected
        for row in got[at * heads : (at + 1) * heads]:
            gain = row_of(found[1], f"{name}.gain", layer=row.layer, head=row.head)
            assert (row.value, row.n) == (gain.value, gain.n)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_best_head_is_chosen_on_one_half_and_reported_on_the_other(corpus, found, direction):
    by_head = {
        (layer, head): {
            name: row[2:] for name, row in slow_rows(corpus, False, direction, layer, head).items() if row[2]
        }
        for layer, head in np.ndindex(LAYERS, HEADS)
    }
    names = list(by_head[0, 0])
    shown = dict(zip(names, reported(names, SEED), strict=True))
    assert 0 < sum(shown.values()) < len(shown)
    gain = {place: sum(row[2] for name, row in rows.items() if not shown[name]) for place, rows in by_head.items()}
    best = max(gain, key=gain.get)
    held = np.array([row for name, row in by_head[best].items() if shown[name]])
    same(row_of(found[0], f"{direction}.best.gain"), bootstrap_ratio(held[:, 2], held[:, 0], SEED))
    place = tuple(row_of(found[0], f"{direction}.best.{axis}").value - 1 for axis in ("layer", "head"))
    assert place == best


@pytest.mark.parametrize("name", ["element_to_target", "target_to_element", "paper.element_to_target"])
def test_the_percentile_is_that_of_the_heads_scores(found, name):
    scores = found[1][found[1].name == name]
    row = row_of(found[0], f"{name}.percentile99")
    assert row.value == pytest.approx(np.percentile(scores.value, 99))
    assert row.low <= row.high
    assert row.n == scores.n.iloc[0]


def test_frames_are_counted(corpus, found):
    for paper in (False, True):
        rows = slow_rows(corpus, paper, DIRECTIONS[0], 0, 0)
        row = row_of(found[0], "paper." * paper + "frames")
        assert (row.value, row.n, row.layer) == (sum(each[0] for each in rows.values()), len(rows), 0)


def test_tables_have_their_columns_and_do_not_depend_on_the_order(corpus, found):
    assert (list(found[0]), list(found[1])) == (FACTS.names, HEAD_FACTS.names)
    backwards = tables([(frames[::-1], weights) for frames, weights in corpus[::-1]])
    for one, other in zip(found, backwards, strict=True):
        assert one.equals(other)


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
        assert row_of(facts, f"{direction}.above").value == above
    assert [row_of(facts, f"element_to_target.best.{axis}").value for axis in ("layer", "head")] == [2, 3]
    assert row_of(facts, "element_to_target.best.gain").low > 0.8
    assert row_of(heads, "element_to_target", layer=2, head=3).value == pytest.approx(0.9)
    assert row_of(heads, "target_to_element", layer=2, head=3).value < 0.06


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
    inputs = frame_inputs(Corpus("some", CorpusKind.FRAMES, "", (*left_out, *kept)), maker)
    assert counts_of(inputs) == {"sentences": 2, "words": 12, "frames": 4}
    assert inputs["a"][0] == tuple(kept[:2])
    with pytest.raises(CorpusError, match=r"Expected two sentences of some .* found 1 among 2 with such an element"):
        frame_inputs(Corpus("some", CorpusKind.FRAMES, "", (left_out[0], *kept[:2])), maker)


def test_an_encoder_reads_every_sentence_once(encoder, anatomy):
    bert = encoder("bert")
    corpus = [frames for frames, _ in random_sentences(12)]
    annotated = Corpus("some", CorpusKind.FRAMES, "", tuple(one for each in corpus for one in each))
    inputs, report = frame_inputs(annotated, PairMaker(bert.tokenizer, 64)), Telling()
    found = survey(bert, annotated, seed=SEED, max_tokens=64, report=report).tables
    assert sum(report.told) == counts_of(inputs)["words"]
    heads = found["head_facts"]
    assert set(heads.groupby("name").size()) == {anatomy("bert").layers * anatomy("bert").heads}
    assert heads.value[~heads.name.str.contains("gain")].between(0, 1).all()
    assert row_of(found["facts"], "frames").value == counts_of(inputs)["frames"]


def test_maps_of_another_size_are_refused():
    with pytest.raises(ValueError, match="expected weights of 6 x 6 words for 's'"):
        FrameScores().add([frame(6, [2], ([4], True))], maps(5, 0))
