"""Which checkpoints have a masked-LM head, and that the head that is read is the one that was saved."""

import json
import shutil

import numpy as np
import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from generator.errors import ModelError
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from tests.attention.masked_lm import CLASSES, CPU
from tests.attention.observations import inputs_of
from tests.encoders import FAMILIES, tokenizer_of


@pytest.mark.parametrize("name", CLASSES)
def test_the_head_that_is_loaded_is_the_one_that_was_saved(head_folder, name):
    folder = head_folder(name)
    found = load_masked_lm(locate(str(folder)), CPU)
    plain = getattr(transformers, CLASSES[name]).from_pretrained(folder).eval()
    ids = torch.tensor([inputs_of(found.encoder)[0].input_ids])
    with torch.inference_mode():
        logits = found.encoder.model(ids)[0]
        expected = plain(ids)
    expected = expected.prediction_logits if name == "bert with two heads" else expected.logits
    np.testing.assert_allclose(logits.numpy(), expected.numpy(), atol=1e-4)
    assert not any(weight.requires_grad for weight in found.encoder.model.parameters())
    assert not found.encoder.model.training
    tokenizer = found.encoder.tokenizer
    assert tokenizer.convert_ids_to_tokens(found.mask) == tokenizer.mask_token
    assert set(found.pieces) == set(tokenizer.get_vocab().values()) - set(tokenizer.all_special_ids)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_checkpoint_of_the_encoder_alone_has_no_head(checkpoint, family):
    assert load_masked_lm(locate(str(checkpoint(family))), CPU) is None


def test_a_head_that_is_named_but_not_there_is_not_made_up(head_folder, tmp_path):
    folder = shutil.copytree(head_folder("bert"), tmp_path / "headless")
    weights = load_file(folder / "model.safetensors")
    kept = {name: tensor for name, tensor in weights.items() if not name.startswith("cls.predictions.transform")}
    assert len(kept) < len(weights)
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})
    assert load_masked_lm(locate(str(folder)), CPU) is None


@pytest.mark.parametrize("name", ["bert", "distilbert"])
def test_a_configuration_that_names_no_class_may_have_a_head(head_folder, checkpoint, tmp_path, name):
    for place, has_one in ((head_folder(name), True), (checkpoint(name), False)):
        folder = shutil.copytree(place, tmp_path / str(has_one))
        path = folder / "config.json"
        settings = json.loads(path.read_text())
        del settings["architectures"]
        path.write_text(json.dumps(settings))
        assert (load_masked_lm(locate(str(folder)), CPU) is not None) == has_one


def test_a_discriminator_has_no_masked_lm_head(tmp_path):
    tokenizer = tokenizer_of("electra")
    torch.manual_seed(0)
    config = FAMILIES["electra"].config(len(tokenizer))
    transformers.ElectraForPreTraining(config).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    assert load_masked_lm(locate(str(tmp_path)), CPU) is None


def test_without_a_mask_token_nothing_can_be_hidden(head_folder, tmp_path):
    folder = shutil.copytree(head_folder("bert"), tmp_path / "maskless")
    path = folder / "tokenizer_config.json"
    settings = json.loads(path.read_text())
    del settings["mask_token"]
    path.write_text(json.dumps(settings))
    assert load_masked_lm(locate(str(folder)), CPU) is None


def test_weights_of_another_size_are_refused_in_one_sentence(head_folder, tmp_path):
    folder = shutil.copytree(head_folder("bert"), tmp_path / "resized")
    weights = load_file(folder / "model.safetensors")
    key = "cls.predictions.transform.dense.weight"
    weights[key] = weights[key][:-1].clone()
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(
        ModelError,
        match=r"Expected weights of the shapes .*resized, found cls\S+ with 31 x 32 in place of 32 x 32; check",
    ):
        load_masked_lm(locate(str(folder)), CPU)
