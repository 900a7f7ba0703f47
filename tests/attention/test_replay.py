"""Reading again from the first disabled head up gives what a full forward pass gives, and costs less."""

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode
from transformers import BertForMaskedLM, BertForSequenceClassification

from generator.attention.anatomy import examine
from generator.attention.batches import collate
from generator.attention.changed.disable import WAYS, Disabled
from generator.attention.changed.replay import Replayer
from generator.errors import ModelError
from generator.models.classifier import load_classifier
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from tests.attention.observations import inputs_of
from tests.attention.test_disable import SEEN, batch_of
from tests.encoders import GAIN, HEADS, LAYERS, loaded, write

CPU = torch.device("cpu")
PLACES = (
    [(0, 1)],
    [(1, head) for head in range(HEADS)],
    [(2, 3)],
    [(2, 0), (1, 2)],
    [],
)
EXACT = {"rtol": 1e-6, "atol": 1e-6}


def assert_replays(replayer, batch):
    """In any order, and as often as it is asked."""
    reading = replayer.read(batch)
    torch.testing.assert_close(reading.output, replayer.full(batch), **EXACT)
    for way in WAYS:
        for places in (*PLACES, *PLACES[::-1]):
            disabled = Disabled.of(way, places)
            expected = replayer.full(batch, disabled)
            torch.testing.assert_close(reading.without(disabled), expected, **EXACT)
            assert bool(places) == bool((expected - reading.output).abs().max() > 1e-3)


@pytest.mark.parametrize("family", SEEN)
def test_reading_again_gives_what_a_full_forward_pass_gives(encoder, anatomy, family):
    replayer = Replayer(encoder(family), anatomy(family))
    assert len(replayer.blocks) == (1 if family == "albert" else LAYERS)
    assert_replays(replayer, batch_of(encoder(family)))


def with_a_head(checkpoint, encoder, folder, kind):
    """Save the tiny BERT under a head with random weights."""
    torch.manual_seed(0)
    model = kind(encoder("bert").model.config)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            weight.copy_(GAIN * torch.randn_like(weight) + ("norm" in name.lower() and name.endswith("weight")))
    model.save_pretrained(folder)
    encoder("bert").tokenizer.save_pretrained(folder)
    return locate(str(folder))


def test_under_a_classifier(checkpoint, encoder, tmp_path):
    found = load_classifier(with_a_head(checkpoint, encoder, tmp_path, BertForSequenceClassification), CPU)
    replayer = Replayer(found.encoder, examine(found.body))
    assert len(replayer.blocks) == LAYERS
    assert_replays(replayer, batch_of(found.encoder))


def test_under_a_masked_lm_head(checkpoint, encoder, tmp_path):
    found = load_masked_lm(with_a_head(checkpoint, encoder, tmp_path, BertForMaskedLM), CPU)
    replayer = Replayer(found.encoder, examine(found.encoder))
    assert len(replayer.blocks) == LAYERS
    assert_replays(replayer, batch_of(found.encoder))


class Remembering(nn.Module):
    """A layer that also adds what the layers before it left in a place of their own."""

    def __init__(self, layer, memory, first):
        super().__init__()
        self.inner, self.memory, self.first = layer, memory, first

    def forward(self, hidden, *args, **kwargs):
        found = self.inner(hidden, *args, **kwargs)
        states = found[0] if isinstance(found, tuple) else found
        past = 0 if self.first else self.memory[0]
        self.memory[0] = past + states
        states = states + 0.5 * past
        return (states, *found[1:]) if isinstance(found, tuple) else states


def test_a_model_whose_layers_pass_more_than_they_return_is_read_in_full(checkpoint):
    encoder = loaded(checkpoint("bert"))
    memory, layers = [None], encoder.model.encoder.layer
    encoder.model.encoder.layer = nn.ModuleList(Remembering(layer, memory, not at) for at, layer in enumerate(layers))
    replayer = Replayer(encoder, examine(encoder))
    assert replayer.blocks == ()
    assert_replays(replayer, batch_of(encoder))


def test_the_model_is_left_as_it_was_even_after_an_error(encoder, anatomy):
    replayer = Replayer(encoder("bert"), anatomy("bert"))
    reading = replayer.read(batch_of(encoder("bert")))
    reading.without(Disabled.of("zero", [(1, 1)]))
    too_long = collate([inputs_of(encoder("bert"))[-1]] * 2, 0)
    too_long.input_ids[:] = 10**6
    with pytest.raises(IndexError):
        replayer.read(too_long)
    assert not any("forward" in vars(module) for module in encoder("bert").model.modules())


def test_a_forward_pass_of_another_number_of_layers_is_refused(checkpoint):
    encoder = loaded(checkpoint("bert"))
    anatomy = examine(encoder)
    replayer = Replayer(encoder, anatomy)
    del encoder.model.encoder.layer[2]
    with pytest.raises(ModelError, match=f"{LAYERS} times in a forward pass, found {LAYERS - 1}"):
        replayer.full(batch_of(encoder))


def test_a_sweep_costs_at_most_1_in_1_6_of_as_many_full_forward_passes(tmp_path):
    """In multiplications and additions, for the shape of the embedded encoder made small: 6 layers of 12 heads."""
    size = {"num_hidden_layers": 6, "num_attention_heads": 12, "hidden_size": 24, "intermediate_size": 96}
    encoder = loaded(write("bert", tmp_path / "model", **size))
    replayer = Replayer(encoder, examine(encoder))
    batch = batch_of(encoder)
    tried = [Disabled.of("uniform", [(layer, 0)]) for layer in range(6)]
    of_layer = 12 + 1  # every head and the layer, each as expensive as the first
    with FlopCounterMode(display=False) as once:
        reading = replayer.read(batch)
    with FlopCounterMode(display=False) as again:
        for disabled in tried:
            reading.without(disabled)
    with FlopCounterMode(display=False) as full:
        replayer.full(batch)
    ours = once.get_total_flops() + of_layer * again.get_total_flops()
    naive = (1 + of_layer * len(tried)) * full.get_total_flops()
    assert ours < naive / 1.6
