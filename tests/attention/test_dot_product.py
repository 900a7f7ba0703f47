"""One attention and one set of masks: what a query sees, and that both ways of computing it agree with loops."""

import numpy as np
import pytest
import torch

from generator.attention.changed.disable import uniform_output
from generator.attention.dot_product import among_real, attend, attend_fused, visible, weigh

LENGTHS, HEADS, TOKENS, DIM, SCALE = (4, 2), 2, 4, 3, 0.7
"""Two documents, the second with two tokens of padding."""
LOW = torch.finfo(torch.float32).min
POSITIONS = torch.tensor([[[[-0.5 * abs(i - j) - 30 * (i < j) for j in range(TOKENS)] for i in range(TOKENS)]]])
"""A bias by distance, always below zero and far below it for later tokens: it weakens, and hides nothing."""
MASK = torch.tensor([[0.0 if at < length else LOW for at in range(TOKENS)] for length in LENGTHS])[:, None, None]


@pytest.fixture
def made():
    """Query, key and value."""
    return torch.randn(3, len(LENGTHS), HEADS, TOKENS, DIM, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("positions", [False, True], ids=["a mask alone", "a mask and a position bias"])
def test_weights_and_both_outputs_equal_loops_over_what_each_query_sees(made, positions):
    bias = MASK + POSITIONS if positions else MASK
    before = made.clone(), bias.clone()
    weights = weigh(*made[:2], bias, SCALE).weights
    outputs = [way(*made, bias, SCALE) for way in (attend, attend_fused)]
    for document, length in enumerate(LENGTHS):
        for head in range(HEADS):
            query, key, value = made[:, document, head].double().numpy()
            for i in range(TOKENS):
                added = POSITIONS[0, 0, i].numpy() if positions else np.zeros(TOKENS)
                logits = [SCALE * query[i] @ key[j] + added[j] for j in range(length)]
                expected = np.exp(logits) / np.exp(logits).sum()
                np.testing.assert_allclose(weights[document, head, i, :length], expected, atol=1e-6)
                assert (weights[document, head, i, length:] == 0).all()
                for output in outputs:
                    np.testing.assert_allclose(output[document, head, i], expected @ value[:length], atol=1e-5)
    assert torch.equal(made, before[0])
    assert torch.equal(bias, before[1])


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16], ids=str)
def test_a_mask_hides_and_a_position_bias_does_not(dtype):
    low = torch.finfo(dtype).min
    bias = torch.tensor([0.0, 4.0, -0.5, -60.0, low, low + 4, -torch.inf]).to(dtype)
    assert visible(bias).tolist() == [True] * 4 + [False] * 3


def test_a_uniform_head_sees_every_real_token_alike_whatever_the_position_bias(made):
    value, bias = made[2], (MASK + POSITIONS).repeat(1, HEADS, 1, 1)
    bias[:, 0, :, 0] = LOW  # the other head sees less
    output = uniform_output(value, bias, [1])
    for document, length in enumerate(LENGTHS):
        mean = value[document, 1, :length].mean(0)
        np.testing.assert_allclose(output[document, 0], mean.expand(TOKENS, -1), atol=1e-6)


def test_among_real_tokens_a_mask_of_padding_is_none_and_a_position_bias_is_cropped():
    second = slice(1, 2)
    assert among_real(None, second, LENGTHS[1]) is None
    assert among_real(MASK, second, LENGTHS[1]) is None
    kept = among_real(MASK + POSITIONS, second, LENGTHS[1])
    assert torch.equal(kept, POSITIONS[..., : LENGTHS[1], : LENGTHS[1]])
    padded = among_real(MASK, second, TOKENS)
    assert torch.equal(padded, MASK[second])
