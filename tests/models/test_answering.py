"""A checkpoint with a trained head for answers is loaded with it; any other has none."""

import json
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForQuestionAnswering, BertForMaskedLM, T5ForQuestionAnswering

from generator.errors import ModelError
from generator.models.answering import load_answering
from generator.models.source import locate

CPU = torch.device("cpu")
IDS, SEGMENTS = torch.tensor([[2, 7, 8, 3, 9, 9, 3]]), torch.tensor([[0, 0, 0, 0, 1, 1, 1]])


@pytest.fixture
def folder(checkpoint, tmp_path):
    """Gives a copy of a family's tiny encoder with a random head for answers on it."""

    def saved(family="bert"):
        place = shutil.copytree(checkpoint(family), tmp_path / family)
        torch.manual_seed(1)
        AutoModelForQuestionAnswering.from_config(AutoConfig.from_pretrained(place)).save_pretrained(place)
        return place

    return saved


def answering(place):
    return load_answering(locate(str(place)), CPU)


def configure(place, **changes):
    """Write another config.json."""
    path = place / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def keep(place, kept):
    """Leave weights out."""
    tensors = {name: tensor for name, tensor in load_file(place / "model.safetensors").items() if kept(name)}
    save_file(tensors, place / "model.safetensors", metadata={"format": "pt"})


@pytest.mark.parametrize("family", ["bert", "roberta", "distilbert", "electra", "albert", "modernbert", "deberta-v2"])
def test_the_head_gives_what_transformers_gives(folder, family):
    place = folder(family)
    found = answering(place)
    plain = AutoModelForQuestionAnswering.from_pretrained(place).eval()
    options = {"token_type_ids": SEGMENTS} if found.encoder.segments else {}
    assert found.encoder.segments == (family in {"bert", "electra", "albert"})
    with torch.no_grad():
        expected = plain(input_ids=IDS, **options)
    start, end = found.logits(IDS, SEGMENTS)
    assert start.shape == end.shape == IDS.shape
    torch.testing.assert_close(start, expected.start_logits, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(end, expected.end_logits, atol=1e-5, rtol=1e-4)
    assert not torch.allclose(start, end, atol=1e-2)
    assert not any(weight.requires_grad for weight in found.encoder.model.parameters())


def test_segments_are_told_to_a_model_that_takes_them(folder):
    found = answering(folder())
    assert not torch.allclose(found.logits(IDS, SEGMENTS)[0], found.logits(IDS, torch.zeros_like(IDS))[0])


@pytest.mark.parametrize("family", ["bert", "roberta", "modernbert", "t5", "eurobert"])
def test_a_plain_encoder_has_no_such_head(checkpoint, family):
    assert answering(checkpoint(family)) is None


def test_another_head_is_none(checkpoint, tmp_path):
    place = shutil.copytree(checkpoint("bert"), tmp_path / "bert")
    BertForMaskedLM(AutoConfig.from_pretrained(place)).save_pretrained(place)
    assert answering(place) is None


def test_a_head_that_is_named_but_has_no_weights_is_none(checkpoint, tmp_path):
    """What AutoModelForQuestionAnswering makes of a base model without a word: its head stands at random."""
    place = shutil.copytree(checkpoint("bert"), tmp_path / "bert")
    configure(place, architectures=["BertForQuestionAnswering"])
    assert AutoModelForQuestionAnswering.from_pretrained(place).qa_outputs.weight.shape[0] == 2
    assert answering(place) is None


@pytest.mark.parametrize("lost", ["qa_outputs.weight", "qa_outputs.bias"])
def test_half_a_head_is_none(folder, lost):
    place = folder()
    keep(place, lambda name: name != lost)
    assert answering(place) is None


def test_a_head_with_another_number_of_outputs_is_none(folder):
    place = folder()
    configure(place, id2label={"0": "a", "1": "b", "2": "c"}, label2id={"a": 0, "b": 1, "c": 2})
    assert answering(place) is None


def test_a_model_with_a_decoder_is_none(checkpoint, tmp_path):
    place = shutil.copytree(checkpoint("t5"), tmp_path / "t5")
    torch.manual_seed(0)
    T5ForQuestionAnswering(AutoConfig.from_pretrained(place)).save_pretrained(place)
    assert answering(place) is None


def test_weights_that_leave_a_layer_at_random_are_refused(folder):
    place = folder()
    keep(place, lambda name: "layer.1." not in name)
    with pytest.raises(ModelError, match=r"every part of the model in .*found none for bert\.encoder\.layer\.1"):
        answering(place)
