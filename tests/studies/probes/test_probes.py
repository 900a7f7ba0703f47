"""Probes find what is planted in a map, and no more; their scores equal loops over pairs of words."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

from generator.attention.words import WordMaps
from generator.errors import CorpusError
from generator.studies.halves import reported
from generator.studies.probes.data import ProbeExample, batches, control_heads
from generator.studies.probes.probes import LEADS, probe_facts
from generator.studies.probes.training import AttentionProbe, DistanceProbe, correct, learn
from generator.studies.probes.word_vectors import LARGEST, Reduction, look_up, read_vectors

CPU = torch.device("cpu")
LAYERS, HEADS, DIM = 2, 3, 6
MAPS = LAYERS * HEADS
PLANTED = {"tree": (1, 2), "transposed": (1, 2), "tree everywhere": ...}
"""0-based layer and head that know the tree, or all of them."""
MOST = 5000
"""Sentences shown to a probe: enough, and soon over."""
VOCABULARY = [f"word{number}" for number in range(12)]
VECTORS = dict(zip(VOCABULARY, np.random.default_rng(7).normal(size=(12, DIM)), strict=True))


def tree(rng, words):
    """Each word's head is the next word half of the time, or else any word nearer to the root; 1-based, 0 = root."""
    order = rng.permutation(words)
    depth = {word: at for at, word in enumerate(order)}
    heads = []
    for word in range(words):
        above = [other for other in range(words) if depth[other] < depth[word]]
        follows = word + 1 in above and rng.random() < 0.5
        heads.append((word + 1 if follows else int(rng.choice(above))) + 1 if above else 0)
    return np.array(heads)


def random_rows(rng, words):
    """`[layer, head, word, word + 2]`: attention to the words, the begin token and the separator."""
    logits = rng.normal(size=(LAYERS, HEADS, words, words + 2))
    return np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)


def planted_rows(heads, transposed):
    """A head that attends to the gold head, or from it; the root attends to the begin token."""
    words = len(heads)
    rows = np.full((words, words + 2), 0.1 / (words + 2))
    for word, head in enumerate(heads):
        if head == 0:
            rows[word, words] += 2
        elif transposed:
            rows[head - 1, word] += 2
        else:
            rows[word, head - 1] += 2
    return rows / rows.sum(-1, keepdims=True)


def as_maps(rows):
    rows = rows.astype(np.float32)
    return WordMaps(rows[..., :-2], rows[..., -2], rows[..., -1])


def example(number, plant=None):
    rng = np.random.default_rng(number)
    words = int(rng.integers(3, 10))
    heads, rows = tree(rng, words), random_rows(rng, words)
    if plant is not None:
        rows[PLANTED[plant]] = planted_rows(heads, plant == "transposed")
    types = tuple(rng.choice(VOCABULARY, size=words))
    scored = rng.random(words) > 0.2
    return ProbeExample(f"s{number}", as_maps(rows), heads, scored, types, np.stack([VECTORS[kind] for kind in types]))


def examples(count, plant=None):
    return [example(number, plant) for number in range(count)]


def batch_list(found, seed=0):
    reduction = Reduction.of(np.concatenate([one.vectors for one in found]))
    return list(batches(found, reduction, seed, CPU))


def share_found(found, probe=None, task="heads"):
    """Of scored words, by an attention-only probe that learnt from the first two thirds."""
    probe = probe or AttentionProbe(MAPS, 0)
    ready = batch_list(found)
    third = len(ready) // 3
    learn(probe, ready[: 2 * third], ready[2 * third : 2 * third + 1], task, seed=0, most=MOST)
    hits, words = 0, 0
    for batch in ready[2 * third + 1 :]:
        hits += int(correct(probe, batch, task).sum())
        words += int(batch.scored.sum())
    return hits / words


@pytest.fixture(scope="module")
def facts():
    """Twins hold the tree, the model's own maps hold nothing."""
    return probe_facts(examples(40), examples(40, "tree everywhere"), "m", "c", seed=3, device=CPU)


def value(facts, name, column="value"):
    return facts.set_index("name").loc[name, column]


@pytest.mark.parametrize("plant", ["tree", "transposed"])
def test_a_planted_head_is_found_in_either_direction(plant):
    assert share_found(examples(90, plant)) > 0.97


def test_a_probe_without_reversed_maps_misses_a_head_that_attends_to_its_dependents():
    """Guards the test above: nothing but `u_k` sees a transposed head."""
    probe = AttentionProbe(MAPS, 0)
    with torch.no_grad():
        probe.bias[:MAPS] = 100.0
    ready = batch_list(examples(40, "transposed"))
    hits = sum(int(correct(probe, batch, "heads").sum()) for batch in ready)
    assert hits < 0.7 * sum(int(batch.scored.sum()) for batch in ready)


@pytest.mark.parametrize("token", ["begin", "separator"])
def test_the_root_is_found_by_its_attention_to_a_special_token(token):
    """Only roots are scored; every word spreads the rest of its attention evenly."""
    found = []
    for one in examples(90):
        words, root = len(one.heads), one.heads == 0
        mass = np.broadcast_to(np.where(root, 0.8, 0.1), (LAYERS, HEADS, words)).astype(np.float32)
        weights = np.broadcast_to((1 - mass[..., None]) / words, (LAYERS, HEADS, words, words)).astype(np.float32)
        masses = {"begin": np.zeros_like(mass), "separator": np.zeros_like(mass)} | {token: mass}
        found.append(replace(one, maps=WordMaps(weights, **masses), scored=root))
    assert share_found(found) > 0.97
    assert share_found([replace(one, scored=one.heads > 0) for one in found]) < 0.7


def test_random_maps_tell_no_more_than_chance(facts):
    assert value(facts, "attention") < value(facts, "right-branching") + 0.05
    assert value(facts, "attention+words") < value(facts, "right-branching") + 0.1


def test_the_maps_of_the_twin_are_those_of_the_twin(facts):
    assert 0.9 < value(facts, "random attention+words") <= 1


def test_selectivity_is_the_score_less_that_of_the_control_task(facts):
    for name in ("attention", "attention+words", "distances+words", "random attention+words"):
        difference = value(facts, name) - value(facts, f"{name}.control")
        assert value(facts, f"{name}.selectivity") == pytest.approx(difference, abs=1e-12)


def test_probes_are_compared_on_the_same_sentences(facts):
    for one, other in LEADS:
        name = f"{one}.minus.{other}"
        assert value(facts, name) == pytest.approx(value(facts, one) - value(facts, other), abs=1e-12)
        end_to_end = sum(value(facts, probe, "high") - value(facts, probe, "low") for probe in (one, other))
        assert value(facts, name, "high") - value(facts, name, "low") < end_to_end


def test_every_number_is_a_fact_with_an_interval(facts):
    assert list(facts.columns) == ["model", "corpus", "study", "name", "layer", "value", "low", "high", "n"]
    assert set(facts["study"]) == {"probe"}
    assert set(facts["layer"]) == {0}
    assert not facts["name"].duplicated().any()
    assert (facts["low"] <= facts["value"]).all()
    assert (facts["value"] <= facts["high"]).all()
    assert (facts["n"] == reported([f"s{number}" for number in range(40)], 3).sum()).all()


def test_right_branching_and_the_words_it_is_scored_on_equal_a_loop(facts):
    found = examples(40)
    hits, words = 0, 0
    for one, reports in zip(found, reported([one.id for one in found], 3), strict=True):
        for at, head in enumerate(one.heads, start=1):
            if reports and one.scored[at - 1]:
                words += 1
                hits += head == (at + 1 if at < len(one.heads) else 0)
    assert value(facts, "right-branching") == pytest.approx(hits / words, abs=1e-12)


def test_the_order_of_sentences_changes_no_number(facts):
    order = np.random.default_rng(0).permutation(40)
    found, twins = examples(40), examples(40, "tree everywhere")
    again = probe_facts([found[at] for at in order], twins, "m", "c", seed=3, device=CPU)
    pd.testing.assert_frame_equal(again, facts, check_exact=True)


def test_another_seed_draws_other_halves(facts):
    again = probe_facts(examples(40), None, "m", "c", seed=4, device=CPU)
    assert value(again, "right-branching") != value(facts, "right-branching")
    assert not again["name"].str.startswith("random").any()


def test_sentences_to_learn_from_can_be_named():
    found = examples(30)
    facts = probe_facts(found, None, "m", "c", 0, CPU, teaching={one.id for one in found[:18]})
    assert (facts["n"] == 12).all()


def test_too_few_sentences_are_refused_with_their_numbers():
    with pytest.raises(CorpusError, match=r"at least 5 sentences of tiny .* found 4 and 2; choose a larger treebank"):
        probe_facts(examples(6), None, "m", "tiny", 0, CPU, teaching={"s0", "s1", "s2", "s3"})


def random_probe(probe):
    """The probe with every parameter drawn at random."""
    draw = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in probe.parameters():
            parameter.normal_(generator=draw)
    return {name: parameter.detach().double().numpy() for name, parameter in probe.named_parameters()}


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
    dim = batch.vectors.shape[-1]
    probe = AttentionProbe(MAPS, dim * with_words)
    drawn = random_probe(probe)
    dense = np.concatenate([drawn["of_candidate"], drawn["of_dependent"]])
    scores = probe(batch).detach().double().numpy()
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


def test_the_score_of_distances_equals_a_loop_over_pairs_with_the_eight_features_of_the_paper():
    batch, sentences = padded_batch()
    probe = DistanceProbe(batch.vectors.shape[-1], seed=0)
    drawn = random_probe(probe)
    dense = np.concatenate([drawn[name] for name in ("of_candidate", "of_dependent", "of_distance", "of_root")])
    scores = probe(batch).detach().double().numpy()
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
    scores = AttentionProbe(MAPS, 4)(replace(batch, vectors=batch.vectors[..., :4])).softmax(-1).detach()
    for row, (one, _) in enumerate(sentences):
        words = len(one.heads)
        assert scores[row, :words, : words + 1].numpy() == pytest.approx(1 / (words + 1))


def test_in_the_control_task_a_type_behaves_alike_everywhere():
    behaviours = {}
    for one in examples(40):
        heads, words = control_heads(one.types, seed=0), len(one.types)
        for at, (kind, head) in enumerate(zip(one.types, heads, strict=True), start=1):
            assert 1 <= head <= words
            allowed = {name for name, place in (("self", at), ("first", 1), ("last", words)) if place == head}
            behaviours[kind] = behaviours.get(kind, allowed) & allowed
    assert all(behaviours.values())
    assert set().union(*behaviours.values()) == {"self", "first", "last"}


def test_another_seed_draws_other_behaviours():
    assert not np.array_equal(control_heads(VOCABULARY, 0), control_heads(VOCABULARY, 1))


def test_a_probe_that_sees_word_types_solves_the_control_task_and_one_that_does_not_fails():
    found = sorted(examples(120), key=lambda one: one.id)
    dim = Reduction.of(np.concatenate([one.vectors for one in found])).axes.shape[1]
    assert share_found(found, DistanceProbe(dim, seed=0), "control") > 0.8
    assert share_found(found, AttentionProbe(MAPS, 0), "control") < 0.5


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
