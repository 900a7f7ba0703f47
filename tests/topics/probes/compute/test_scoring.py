"""Scores of probes equal loops over pairs of words, and their word vectors are read and reduced."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from generator.errors import CorpusError
from generator.topics.probes.compute.attention_probe import AttentionProbe
from generator.topics.probes.compute.data import TASKS, Batch, batches
from generator.topics.probes.compute.distance_probe import DistanceProbe
from generator.topics.probes.compute.word_vectors import LARGEST, Reduction, look_up, read_vectors
from tests.topics.probes.compute.planted import CPU, HEADS, MAPS, examples


def random_probe(probe):
    """Draws every weight of the probe at random; for each task its parts."""
    probe.weights.normal_(generator=torch.Generator().manual_seed(1))
    parts = {name: part.double().numpy() for name, part in probe.parts(probe.weights).items()}
    return [{name: part[task] for name, part in parts.items()} for task in range(len(TASKS))]


def padded_batch():
    """Two sentences of different length, their reduced vectors in float64."""
    found = sorted(examples(2), key=lambda one: len(one.heads))
    assert len(found[0].heads) < len(found[1].heads)
    reduction = Reduction.of(np.concatenate([one.vectors for one in found]))
    (batch,) = batches(found, reduction, 0, CPU)
    return batch, [(one, reduction(one.vectors).astype(float)) for one in found]


def agree(scores, row, expected):
    """Scores of one sentence of a batch, whose padding is no candidate."""
    words = len(expected)
    np.testing.assert_allclose(scores[row, :words, : words + 1], expected, rtol=1e-5, atol=1e-5)
    assert (scores[row, :, words + 1 :] == -np.inf).all()


@pytest.mark.parametrize("with_words", [False, True])
def test_the_score_of_maps_equals_a_loop_over_pairs_and_maps(with_words):
    batch, sentences = padded_batch()
    probe = AttentionProbe(MAPS, batch.vectors.shape[-1] * with_words)
    tasks = random_probe(probe)
    for drawn, scores in zip(tasks, probe.scores(batch).double().numpy(), strict=True):
        dependent, candidate = drawn["of_words"].swapaxes(0, 1)
        dense = np.concatenate([np.roll(candidate, MAPS, axis=-1), dependent])
        for row, (one, vectors) in enumerate(sentences):
            words = len(one.heads)
            expected = np.zeros((words, words + 1))
            for j in range(words):
                for k in range(MAPS):
                    layer, head = divmod(k, HEADS)
                    attention = one.maps.weights[layer, head].astype(float)
                    begin, separator = one.maps.begin[layer, head, j], one.maps.separator[layer, head, j]
                    expected[j, 0] += drawn["bias"][k] * (drawn["root"][0] * begin + drawn["root"][1] * separator)
                    for i in range(words):
                        pair = np.concatenate([vectors[i], vectors[j]]) if with_words else np.zeros(0)
                        expected[j, i + 1] += (drawn["bias"][k] + pair @ dense[:, k]) * attention[j, i]
                        expected[j, i + 1] += (drawn["bias"][MAPS + k] + pair @ dense[:, MAPS + k]) * attention[i, j]
            agree(scores, row, expected)


def loss(probe, batch):
    """`[task]`, by a function of torch that ignores padding."""
    gold = batch.gold.where(batch.words > 0, -100)
    each = cross_entropy(probe.scores(batch).flatten(0, 2), gold.flatten(), reduction="none")
    return each.unflatten(0, gold.shape).sum((1, 2))


PROBES = {
    "maps": lambda _dim: AttentionProbe(MAPS, 0),
    "maps and words": lambda dim: AttentionProbe(MAPS, dim),
    "distances and words": lambda dim: DistanceProbe(dim, 0),
}


@pytest.mark.parametrize("made", PROBES.values(), ids=PROBES)
def test_the_loss_is_that_of_torch_and_falls_as_its_slope_says(made):
    """Every part of the weights is moved a little along directions drawn at random, in float64."""
    batch, _ = padded_batch()
    batch = Batch(**{name: part.double() if part.is_floating_point() else part for name, part in vars(batch).items()})
    probe = made(batch.vectors.shape[-1])
    random_probe(probe)
    at = probe.weights = probe.weights.double()
    torch.testing.assert_close(probe.losses(batch), loss(probe, batch))
    slopes = probe.parts(probe.slope(batch))
    draw = torch.Generator().manual_seed(2)
    for name, slope in slopes.items():
        for _ in range(20 * bool(slope.numel())):
            along = torch.zeros_like(at)
            part = probe.parts(along)[name]
            part.normal_(generator=draw)
            expected = (part * slope).flatten(1).sum(1)
            probe.weights = at + 1e-6 * along
            higher = loss(probe, batch)
            probe.weights = at - 1e-6 * along
            torch.testing.assert_close((higher - loss(probe, batch)) / 2e-6, expected, rtol=1e-5, atol=1e-6)


def test_the_score_of_distances_equals_a_loop_over_pairs_with_the_eight_features_of_the_paper():
    batch, sentences = padded_batch()
    probe = DistanceProbe(batch.vectors.shape[-1], seed=0)
    tasks = random_probe(probe)
    for drawn, scores in zip(tasks, probe.scores(batch).double().numpy(), strict=True):
        dense = np.concatenate([drawn[name] for name in ("of_candidate", "of_dependent", "of_distance", "of_root")])
        for row, (one, vectors) in enumerate(sentences):
            words = len(one.heads)
            expected = np.zeros((words, words + 1))
            for j in range(words):
                for i in range(-1, words):
                    if i < 0:
                        features = [0.0] * (len(dense) - 1) + [1.0]
                    else:
                        near = [float(i == j + offset) for offset in (0, -1, 1, -2, 2)]
                        distances = [max(i - j, 0) / words, max(j - i, 0) / words, *near]
                        features = [*vectors[i], *vectors[j], *distances, 0.0]
                    hidden = np.tanh(np.array(features) @ dense + drawn["bias"])
                    expected[j, i + 1] = hidden @ drawn["output"]
            agree(scores, row, expected)


def test_the_first_loss_of_an_untaught_probe_is_that_of_equal_candidates():
    """Weights start at 0, so every candidate and ROOT score alike, padding not at all."""
    batch, sentences = padded_batch()
    scores = AttentionProbe(MAPS, 4).scores(replace(batch, vectors=batch.vectors[..., :4])).softmax(-1)
    for row, (one, _) in enumerate(sentences):
        words = len(one.heads)
        assert scores[:, row, :words, : words + 1].numpy() == pytest.approx(1 / (words + 1))


def test_few_dimensions_keep_their_geometry_and_have_length_one():
    vectors = np.random.default_rng(0).normal(size=(50, 5)) * 3 + 2
    reduced = Reduction.of(vectors)(vectors).astype(float)
    assert np.mean((reduced**2).sum(-1)) == pytest.approx(1, rel=1e-5)
    before = np.linalg.norm(vectors[:, None] - vectors[None], axis=-1)
    after = np.linalg.norm(reduced[:, None] - reduced[None], axis=-1)
    np.testing.assert_allclose(after / after.max(), before / before.max(), atol=1e-5)


def test_many_dimensions_become_a_hundred_that_keep_the_most_variance():
    vectors = np.random.default_rng(0).normal(size=(300, 130)) * np.linspace(0.1, 2, 130)
    reduced = Reduction.of(vectors)(vectors).astype(float)
    variances = np.linalg.svd(vectors - vectors.mean(0), compute_uv=False) ** 2
    assert reduced.shape == (300, LARGEST)
    np.testing.assert_allclose((reduced**2).sum(0), 300 * variances[:LARGEST] / variances[:LARGEST].sum(), rtol=1e-4)


def test_equal_vectors_become_zero():
    assert not Reduction.of(np.ones((4, 3)))(np.ones((4, 3))).any()


def written(folder, text):
    path = folder / "vectors.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_vectors_are_read_and_looked_up(tmp_path):
    text = "the 0.5 -1 2e-1\nNew York 1 2 3\n\u2028 4 5 6\nthe 9 9 9\n"
    vectors = read_vectors(written(tmp_path, text))
    assert {word: list(map(float, row)) for word, row in vectors.items()} == {
        "the": pytest.approx([0.5, -1, 0.2]),
        "New York": [1, 2, 3],
        "\u2028": [4, 5, 6],
    }
    found = look_up(["The", "New York", "absent"], vectors)
    np.testing.assert_array_equal(found, [vectors["the"], vectors["New York"], np.zeros(3)])
    assert list(read_vectors(written(tmp_path, text), keep={"the", "absent"})) == ["the"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Expected vectors of the treebank's words in .*vectors.txt, found none"),
        ("400000 100\nthe 1 2\n", "line 1, found '400000 100'; give a file .* without a heading"),
        ("the 1 2 3\na 1 2\n", "Expected a word and 3 numbers in .*vectors.txt, line 2, found 2"),
        ("the 1 2 3\na 1 2 3 4\n", "Expected a word and 3 numbers in .*line 2, found 4"),
        ("the 1 2 3\n\n", "Expected a word and 3 numbers in .*line 2, found 0"),
        ("the 1 2 3\na 1 x 3\n", "Expected finite numbers after the word in .*line 2, found 'x'"),
        ("the 1 nan 3\n", "line 1, found 'nan'"),
        ("the 1 1e40 3\n", "line 1, found '1e40'"),
        (b"the 1 2 3\n\xff 1 2 3\n", "Expected UTF-8 text in .*vectors.txt"),
    ],
)
def test_a_malformed_file_of_vectors_is_refused_with_its_line(tmp_path, text, message):
    with pytest.raises(CorpusError, match=message):
        read_vectors(written(tmp_path, text))


def test_a_missing_file_of_vectors_is_refused(tmp_path):
    with pytest.raises(CorpusError, match=r"Expected word vectors at .*absent.txt, found: No such file"):
        read_vectors(tmp_path / "absent.txt")
