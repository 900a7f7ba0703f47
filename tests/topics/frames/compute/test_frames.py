"""Links of frames: loops over pairs and places in float64, and which heads are above chance."""

import numpy as np
import pytest

from generator.numbers.resampling import DRAWS, bootstrap_ratio
from generator.studies.halves import reported
from generator.topics.frames.records import DIRECTIONS
from tests.studies.stored import ROUNDING, SEED, fit_the_store, row, same, same_tables
from tests.topics.frames.compute.random_frames import HEADS, LAYERS, random_sentences, tables


@pytest.fixture(scope="module")
def corpus():
    """Sentences of one to three frames, with their maps."""
    return list(random_sentences())


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
            slow_pair(weights[layer, head], elements, frame.target, direction)
            for frame in frames
            if (elements := slow_elements(frame, paper))
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


@pytest.mark.parametrize("paper", [False, True])
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_every_head_scores_what_loops_over_pairs_and_places_say(corpus, found, paper, direction):
    prefix = "paper." * paper + direction
    for layer, head in np.ndindex(LAYERS, HEADS):
        rows = slow_rows(corpus, paper, direction, layer, head)
        frames, score, able, matched, gain = np.array(list(rows.values())).T
        place = {"layer": layer + 1, "head": head + 1}
        same(row(found[1], prefix, **place), bootstrap_ratio(score, frames, SEED))
        kept = able > 0
        same(row(found[1], f"{prefix}.matched", **place), bootstrap_ratio(matched[kept], able[kept], SEED))
        same(row(found[1], f"{prefix}.gain", **place), bootstrap_ratio(gain[kept], able[kept], SEED))


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
    largest = sorted(max(abs(draw - value) / error) for draw in draws)
    width = np.quantile(largest, 0.95) * error
    names = [("paper." * paper + direction) for direction in DIRECTIONS]
    got = [
        row(found[1], f"{name}.gain.family", layer=layer + 1, head=head + 1)
        for name in names
        for layer, head in np.ndindex(LAYERS, HEADS)
    ]
    np.testing.assert_allclose([row.low for row in got], value - width, atol=ROUNDING)
    np.testing.assert_allclose([row.high for row in got], value + width, atol=ROUNDING)
    for at, name in enumerate(names):
        heads = LAYERS * HEADS
        expected = sum((value - width)[at * heads : (at + 1) * heads] > 0)
        assert row(found[0], f"{name}.above").value == expected
        for one in got[at * heads : (at + 1) * heads]:
            gain = row(found[1], f"{name}.gain", layer=one.layer, head=one.head)
            assert (one.value, one.n) == (gain.value, gain.n)


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
    same(row(found[0], f"{direction}.best.gain"), bootstrap_ratio(held[:, 2], held[:, 0], SEED))
    place = tuple(row(found[0], f"{direction}.best.{axis}").value - 1 for axis in ("layer", "head"))
    assert place == best


@pytest.mark.parametrize("name", ["element_to_target", "target_to_element", "paper.element_to_target"])
def test_the_percentile_is_that_of_the_heads_scores(found, name):
    scores = found[1][found[1].name == name]
    found = row(found[0], f"{name}.percentile99")
    assert found.value == pytest.approx(np.percentile(scores.value, 99))
    assert found.low <= found.high
    assert found.n == scores.n.iloc[0]


def test_frames_are_counted(corpus, found):
    for paper in (False, True):
        rows = slow_rows(corpus, paper, DIRECTIONS[0], 0, 0)
        counted = row(found[0], "paper." * paper + "frames")
        assert (counted.value, counted.n, counted.layer) == (sum(each[0] for each in rows.values()), len(rows), 0)


def test_tables_fit_the_store_and_do_not_depend_on_the_order(corpus, found):
    fit_the_store(found, "frames")
    same_tables(found, tables([(frames[::-1], weights) for frames, weights in corpus[::-1]]))
