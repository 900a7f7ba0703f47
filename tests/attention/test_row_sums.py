"""Sums over queries: blocks add up, nothing handed in is changed, and norms need no hidden-sized vectors."""

import numpy as np
import pytest
import torch

from generator.attention import softmax
from generator.attention.batches import token_table
from generator.attention.softmax import weigh_rows
from generator.attention.sums.formulas import primitives
from generator.attention.sums.rows import OfLayer, RowSums, attend_observed, value_norms
from tests import slow
from tests.measures.maps import measured, pair, random_map

CPU = torch.device("cpu")
N, HEADS, DIM, HIDDEN = 30, 3, 5, 16
ITEM = pair(N, marks=(4, 9))
TOKENS = token_table(ITEM, CPU)


def _states(seed: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    query, key, value = (torch.randn(1, HEADS, N, DIM, generator=generator) for _ in range(3))
    return query, key, value


def _columns(sums: RowSums, gram: torch.Tensor | None = None) -> dict[str, np.ndarray]:
    return measured(primitives([sums.finish(gram)], TOKENS).numpy()[0], ITEM)


@pytest.mark.parametrize("size", [1, 7, 29, 30])
def test_blocks_of_queries_add_up_to_the_whole(size):
    weights = torch.tensor(np.stack([random_map(N, head) for head in range(HEADS)])[None], dtype=torch.float32)
    _, _, value = _states(0)
    gram = torch.eye(DIM).expand(HEADS, -1, -1)
    whole, parts = RowSums(TOKENS), RowSums(TOKENS)
    output = whole.add(weights, value, 0)
    pieces = [parts.add(weights[..., at : at + size, :], value, at) for at in range(0, N, size)]
    torch.testing.assert_close(torch.cat(pieces, -2), output)
    gaps = slow.difference(_columns(parts, gram), _columns(whole, gram))
    assert max(gaps.values()) < 1e-6


def test_attention_that_is_observed_equals_the_library_s_and_leaves_its_inputs_alone():
    query, key, value = _states(1)
    bias = torch.zeros(1, 1, N, N).masked_fill(torch.ones(N, N).tril(-6).bool(), torch.finfo(torch.float32).min)
    before = [tensor.clone() for tensor in (query, key, value, bias)]
    sums = RowSums(TOKENS)
    kept = []
    output = torch.empty_like(value)
    list(attend_observed(query, key, value, bias, 0.3, sums, lambda weights, _first: kept.append(weights), output))
    expected = torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=bias, scale=0.3)
    torch.testing.assert_close(output, expected)
    torch.testing.assert_close(kept[0].sum(-1), torch.ones(1, HEADS, N))
    for tensor, was in zip((query, key, value, bias), before, strict=True):
        assert torch.equal(tensor, was)


def test_the_entropy_taken_from_scores_equals_the_entropy_taken_from_weights():
    query, key, value = _states(2)
    query[0, 0] *= 100  # rows that are almost one-hot
    from_scores = RowSums(TOKENS)
    kept = []
    see, output = lambda weights, _first: kept.append(weights), torch.empty_like(value)
    list(attend_observed(query, key, value, None, 1.0, from_scores, see, output))
    from_weights = RowSums(TOKENS)
    from_weights.add(kept[0], value, 0)
    found, expected = _columns(from_scores), _columns(from_weights)
    assert max(slow.difference(found, expected).values()) < 5e-6


@pytest.mark.parametrize("smoothing", [0.0, 1e-3])
@pytest.mark.parametrize("hidden", [0, 20], ids=["all keys", "few keys"])
def test_compiled_code_adds_up_what_operations_on_whole_maps_do(monkeypatch, hidden, smoothing):
    """In two blocks, with rows that are almost one-hot and rows whose first keys are hidden."""
    query, key, value = _states(5)
    query[0, 0] *= 100
    bias = torch.zeros(1, 1, N, N)
    bias[..., 5:, :hidden] = torch.finfo(torch.float32).min
    found = []
    for compiles in (True, False):
        monkeypatch.setattr(softmax, "COMPILES", compiles)
        sums = RowSums(TOKENS, smoothing)
        for start, stop in ((0, 17), (17, N)):
            weights, known = weigh_rows(query[..., start:stop, :], key, bias[..., start:stop, :], 1.0)
            sums.add(weights, value, start, known)
        found.append(sums.finish(None))
    for name, compiled, plain in zip(OfLayer._fields, *found, strict=True):
        torch.testing.assert_close(compiled, plain, rtol=1e-5, atol=2e-6, equal_nan=True, msg=name)


def test_the_norm_of_a_transformed_value_equals_the_length_of_the_vector_formed_in_full():
    _, _, value = _states(3)
    generator = torch.Generator().manual_seed(4)
    output = torch.randn(HIDDEN, HEADS * DIM, generator=generator)
    own = output.view(HIDDEN, HEADS, DIM)
    found = value_norms(value, torch.einsum("ohd,ohe->hde", own, own))
    for head in range(HEADS):
        vectors = value[0, head].double() @ output[:, head * DIM : (head + 1) * DIM].double().T
        np.testing.assert_allclose(found[0, head], vectors.norm(dim=-1), rtol=1e-5)


def test_norms_are_undefined_without_an_output_projection():
    sums = RowSums(TOKENS)
    sums.add(torch.full((1, HEADS, N, N), 1 / N), torch.zeros(1, HEADS, N, 0), 0)
    assert primitives([sums.finish(None)], TOKENS).norm.isnan().all()


def test_nothing_observed_is_a_mistake_of_ours():
    with pytest.raises(AssertionError, match="no queries"):
        RowSums(TOKENS).finish(None)
