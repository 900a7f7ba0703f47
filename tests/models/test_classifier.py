"""A checkpoint with a classification head is loaded with it, observed through its body, or refused."""

from copy import deepcopy
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForSequenceClassification, BertForMaskedLM, BertForSequenceClassification

from generator.attention.anatomy import examine
from generator.errors import ModelError
from generator.models.classifier import load_classifier
from generator.models.source import locate
from tests.encoders import loaded


@pytest.fixture
def classifier(folder, encoder) -> Path:
    """The tiny BERT with a random classification head of three classes, as it is saved after fine-tuning."""
    torch.manual_seed(0)
    config = type(encoder("bert").model.config)(**encoder("bert").model.config.to_dict() | {"num_labels": 3})
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def test_a_classifier_is_loaded_with_its_head_and_can_be_observed_through_its_body(classifier):
    found = load_classifier(locate(str(classifier)), torch.device("cpu"))
    plain = AutoModelForSequenceClassification.from_pretrained(classifier).eval()
    ids = torch.tensor([[2, 7, 8, 3]])
    assert found.outputs == 3
    assert torch.allclose(found.encoder.model(ids)[0], plain(ids)[0].detach(), atol=1e-5)
    assert not any(weight.requires_grad for weight in found.encoder.model.parameters())
    assert not found.encoder.model.training
    assert found.body.model(ids)[0].shape == (1, 4, found.encoder.model.config.hidden_size)
    anatomy = examine(found.body)
    assert not anatomy.sites
    with pytest.raises(RuntimeError, match="outside observing"):
        found.encoder.model(ids)


def test_the_folder_of_a_classifier_is_read_as_a_plain_encoder_too(classifier):
    plain, found = loaded(classifier), load_classifier(locate(str(classifier)), torch.device("cpu"))
    ids = torch.tensor([[2, 7, 8, 3]])
    assert torch.equal(plain.model(ids)[0], found.body.model(ids)[0])
    assert (plain.positions, plain.segments) == (found.encoder.positions, found.encoder.segments)


def test_a_folder_without_a_classification_head_is_no_classifier(folder, checkpoint, encoder):
    config = deepcopy(encoder("bert").model.config)  # saving changes it
    for damage in (lambda: None, lambda: BertForMaskedLM(config).save_pretrained(folder)):
        damage()
        with pytest.raises(
            ModelError, match=r"a classification head in .*found no weights for .*; fine-tune"
        ) as refusal:
            load_classifier(locate(str(folder)), torch.device("cpu"))
        assert "\n" not in str(refusal.value)
    with pytest.raises(ModelError, match="found a model with a decoder"):
        load_classifier(locate(str(checkpoint("t5"))), torch.device("cpu"))


def test_a_classifier_without_a_layer_s_weights_is_refused(classifier):
    tensors = load_file(classifier / "model.safetensors")
    kept = {name: tensor for name, tensor in tensors.items() if "layer.1." not in name}
    save_file(kept, classifier / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelError, match=r"every part of the model in .*found none for bert\.encoder\.layer\.1"):
        load_classifier(locate(str(classifier)), torch.device("cpu"))
