"""A checkpoint is used whole, or refused by what would be left out."""

import json
from copy import deepcopy

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    MODEL_FOR_PRETRAINING_MAPPING_NAMES,
    MODEL_FOR_QUESTION_ANSWERING_MAPPING_NAMES,
    MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES,
)

from generator.errors import ModelError
from generator.models.accounts import HEADS, POOLER
from generator.models.load import load_as
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from tests.encoders import loaded, write

QUERY = "encoder.layer.0.attention.self.query"
NORM = "encoder.layer.1.output.LayerNorm"
NO_LAYERS = {"esm", "funnel", "perceiver", "squeezebert"}
"""Families of which no such model is made: sizes have no defaults, or a model has no encoder below its head."""


def changed(folder, change):
    """Change the tensors of a folder, by name."""
    path = folder / "model.safetensors"
    tensors = load_file(path)
    change(tensors)
    save_file({name: tensor.contiguous().clone() for name, tensor in tensors.items()}, path, metadata={"format": "pt"})


def settings(folder, **more):
    """Add settings to a folder."""
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | more))


def below(folder, name, place="named"):
    """Put a file into a folder below."""
    (folder / place).mkdir(parents=True)
    (folder / place / name).write_text("{}")


def beside(file, tensor):
    """Puts a file of weights beside those of the model."""
    return lambda folder: save_file({tensor: torch.ones(4)}, folder / f"{file}.safetensors")


def pointer(folder, name):
    """Leave of a file what Git LFS leaves."""
    (folder / name).write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")


def refusal(folder):
    with pytest.raises(ModelError) as refused:
        loaded(folder)
    message = str(refused.value)
    assert message.startswith("Expected ")
    assert str(folder) in message
    assert "\n" not in message
    return message


def put(name, value=None):
    return lambda folder: changed(
        folder, lambda tensors: tensors.update({name: torch.ones(4) if value is None else value})
    )


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda folder: settings(folder, position_embedding_type="relative_key"), ("position_embedding_type", "_key")),
        (lambda folder: settings(folder, position_embedding_type="relative_key_query"), ("position_embedding_type",)),
        (lambda folder: settings(folder, position_embedding_type="alibi"), ("position_embedding_type alibi",)),
        (lambda folder: settings(folder, pruned_heads={"0": [1]}), ("pruned_heads",)),
        (lambda folder: settings(folder, adapters={"adapters": {"sst": "houlsby"}}), ("adapters", "houlsby")),
        (lambda folder: (folder / "adapter_config.json").write_text("{}"), ("adapter_config.json", "merge")),
        (lambda folder: (folder / "pytorch_adapter.bin").write_bytes(b""), ("pytorch_adapter.bin", "merge")),
        (lambda folder: (folder / "pytorch_lora_weights.safetensors").write_bytes(b""), ("lora", "merge")),
        (lambda folder: below(folder, "adapter_config.json"), ("named/adapter_config.json", "merge", "move it away")),
        (lambda folder: below(folder, "adapter_model.safetensors"), ("named/adapter_model.safetensors", "merge")),
        (lambda folder: below(folder, "adapter_config.json", "adapters/sst"), ("adapters/sst/adapter_config.json",)),
        (beside("ia3", "layer.0.query.lora_A.weight"), ("ia3.safetensors", "lora_A", "merge")),
        (beside("delta", "soft_prompts.embedding.weight"), ("delta.safetensors", "soft_prompts", "merge")),
        (lambda folder: settings(folder, pre_layer_norm=True), ("pre_layer_norm True",)),
        (lambda folder: settings(folder, use_rotary=True), ("use_rotary True",)),
        (lambda folder: settings(folder, alibi_starting_size=512), ("alibi_starting_size 512",)),
        (lambda folder: settings(folder, transformers_weights="other.safetensors"), ("transformers_weights", "rename")),
        (
            lambda folder: settings(folder, architectures=["T5Stack"]) or put("of.it.weight")(folder),
            ("T5Stack", "part"),
        ),
        (lambda folder: pointer(folder, "model.safetensors"), ("model.safetensors", "git lfs pull")),
        (lambda folder: pointer(folder, "vocab.txt"), ("vocab.txt", "git lfs pull")),
        (put("encoder.layer.0.attention.pooler_gate.weight"), ("pooler_gate", "no place")),
        (put(f"{QUERY}.lora_A.default.weight"), ("lora_A", "merge")),
        (put("encoder.layer.0.output.adapters.x.adapter_down.0.weight"), ("adapters", "merge")),
        (put("prefix_encoder.embedding.weight"), ("prefix_encoder", "merge")),
        (put(f"{QUERY}.SCB"), ("SCB", "quantized")),
        (put(f"{QUERY}.weight_scale"), ("weight_scale", "quantized")),
        (put(f"{QUERY}.scale_weight"), ("scale_weight", "quantized")),
        (put("scaled_fp8"), ("scaled_fp8", "quantized")),
        (put(f"{QUERY}.weight", torch.ones(32, 32, dtype=torch.int8)), (f"{QUERY}.weight", "I8", "quantized")),
        (put("encoder.layer.0.attention.self.distance_embedding.weight"), ("distance_embedding", "no place")),
        (put("encoder.layer.3.attention.self.query.weight"), ("encoder.layer.3", "no place")),
        (put("embeddings.more.weight"), ("embeddings.more.weight", "no place")),
        (put("unheard_of.weight"), ("unheard_of.weight", "no place")),
        (put("bert.unheard_of.weight"), ("bert.unheard_of.weight", "no place")),
        (put(f"{NORM}.gamma", torch.full((32,), 7.0)), (f"{NORM}.gamma", f"{NORM}.weight", "one value")),
        (put(f"bert.{QUERY}.bias", torch.full((32,), 7.0)), (f"bert.{QUERY}.bias", "one value")),
    ],
)
def test_what_would_be_left_out_is_refused_by_name(folder, spoil, words):
    spoil(folder)
    message = refusal(folder)
    assert all(word in message for word in words), message


@pytest.mark.parametrize(
    "add",
    [
        lambda folder: settings(folder, position_embedding_type="absolute", pruned_heads={}, adapters={"adapters": {}}),
        put("cls.predictions.bias"),
        put("bert.pooler.dense.more"),
        put("embeddings.position_ids", torch.arange(128)[None]),
        put("classifier.weight"),
    ],
)
def test_heads_poolers_buffers_and_settings_that_ask_for_nothing_are_passed_over(folder, add):
    add(folder)
    assert loaded(folder).family == "bert"


def test_old_names_of_layer_normalisation_are_read_beside_new_ones_of_the_same_value(folder):
    plain = loaded(folder).model.state_dict()

    def rename(tensors):
        tensors[f"{NORM}.gamma"] = tensors.pop(f"{NORM}.weight")
        tensors[f"{NORM}.beta"] = tensors[f"{NORM}.bias"]

    changed(folder, rename)
    found = loaded(folder).model.state_dict()
    assert all(torch.equal(found[name], one) for name, one in plain.items())


def test_a_family_that_reads_a_setting_keeps_it(tmp_path):
    config = transformers.EsmConfig(
        vocab_size=33, hidden_size=32, num_hidden_layers=1, num_attention_heads=4, intermediate_size=48,
        pad_token_id=1, mask_token_id=32, position_embedding_type="rotary", max_position_embeddings=64,
    )  # fmt: skip
    transformers.EsmModel(config).save_pretrained(tmp_path)
    letters = "LAGVSERTIDPKQNFYMHWCXBUZO.-"
    (tmp_path / "vocab.txt").write_text("\n".join(["<cls>", "<pad>", "<eos>", "<unk>", *letters, "<null_1>", "<mask>"]))
    (tmp_path / "tokenizer_config.json").write_text('{"tokenizer_class": "EsmTokenizer"}')
    assert loaded(tmp_path).family == "esm"
    settings(tmp_path, position_embedding_type="relative_key")
    assert "position_embedding_type relative_key" in refusal(tmp_path)


def test_the_masked_lm_of_a_whole_checkpoint_passes_over_its_pooler_and_its_other_head(folder, encoder):
    config = deepcopy(encoder("bert").model.config)
    transformers.BertForPreTraining(config).save_pretrained(folder)
    assert load_masked_lm(locate(str(folder)), torch.device("cpu"))
    put("bert.encoder.layer.0.more")(folder)
    with pytest.raises(ModelError, match=r"BertForMaskedLM to use every weight.*layer\.0\.more"):
        load_masked_lm(locate(str(folder)), torch.device("cpu"))


def test_tensors_in_a_file_that_is_not_loaded_do_not_count(folder):
    save_file({"strange": torch.ones(2, dtype=torch.int8)}, folder / "other.safetensors")
    assert loaded(folder).family == "bert"


@pytest.mark.parametrize(
    "mapping",
    [
        MODEL_FOR_MASKED_LM_MAPPING_NAMES,
        MODEL_FOR_PRETRAINING_MAPPING_NAMES,
        MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES,
        MODEL_FOR_QUESTION_ANSWERING_MAPPING_NAMES,
    ],
    ids=["masked LM", "pre-training", "classes", "answers"],
)
def test_every_head_that_transformers_puts_on_an_encoder_is_known(mapping):
    unknown = set()
    for family in sorted(set(MODEL_FOR_MASKED_LM_MAPPING_NAMES) - NO_LAYERS):
        if isinstance(mapping.get(family), str):
            config = getattr(transformers, CONFIG_MAPPING_NAMES[family])()
            if "num_hidden_layers" not in config.attribute_map:
                config.num_hidden_layers = 1
            with torch.device("meta"):
                model = getattr(transformers, mapping[family])(config)
            base = f"{model.base_model_prefix}."
            heads = {name.partition(".")[0] for name in model.state_dict() if not name.startswith(base)}
            unknown |= {f"{family}: {name}" for name in heads - HEADS if POOLER not in name}
    assert not unknown


def test_the_weights_are_not_read_a_second_time(folder, monkeypatch):
    """Only the headers are, unless a tensor has an old name."""
    monkeypatch.setattr("generator.models.accounts._value", None)
    assert loaded(folder).family == "bert"


@pytest.mark.parametrize("elsewhere", ["sub/w.safetensors", "../w.safetensors", "w2.safetensors"])
def test_an_index_names_files_of_its_own_folder_alone(folder, elsewhere):
    """Another file, whose checksum is that of the model, lies where one would look."""
    whole = folder / "model.safetensors"
    target = folder / elsewhere
    target.parent.mkdir(exist_ok=True)
    whole.rename(target)
    save_file({"w": torch.ones(2)}, folder / "w.safetensors")
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"metadata": {}, "weight_map": dict.fromkeys(load_file(target), elsewhere)}))
    if target.parent == folder:
        assert loaded(folder).family == "bert"
    else:
        assert f"Expected the files that {index} names beside it" in refusal(folder)


def renamed(before):
    return lambda folder: changed(
        folder, lambda tensors: tensors.update({before + name: tensors.pop(name) for name in [*tensors]})
    )


@pytest.mark.parametrize("before", ["_orig_mod.", "module.", "base_model.model.", "module.bert."])
def test_the_name_that_a_wrapper_puts_before_all_others_is_told(folder, before):
    renamed(before)(folder)
    message = refusal(folder)
    assert f"found {before.removesuffix('bert.')!r} before {before}" in message
    assert "rename them without it" in message


def test_a_second_model_beside_the_first_is_no_wrapper(folder):
    changed(folder, lambda tensors: tensors.update({f"teacher.{name}": tensor for name, tensor in tensors.items()}))
    assert "no place" in refusal(folder)


def in_eight_bits(scales):
    """Matrices of layers in eight bits, with their scales or without."""

    def change(tensors):
        for name, one in [*tensors.items()]:
            if name.startswith("encoder.layer") and one.ndim == 2:
                scale = one.abs().max() / 448
                tensors[name] = (one / scale).to(torch.float8_e4m3fn)
                if scales:
                    tensors[f"{name}_scale_inv"] = scale.reshape(1, 1)

    return change


def test_weights_in_eight_bits_are_scaled_by_what_config_json_says(folder):
    plain = loaded(folder).model.state_dict()
    changed(folder, in_eight_bits(scales=True))
    settings(folder, quantization_config={"quant_method": "fp8", "weight_block_size": [128, 128]})
    found = loaded(folder).model
    assert {parameter.dtype for parameter in found.parameters()} == {torch.float32}
    for name, one in found.state_dict().items():
        assert torch.allclose(one, plain[name], rtol=2**-4, atol=0.01), name


def test_weights_in_eight_bits_without_the_scales_that_config_json_asks_for_are_refused(folder):
    changed(folder, in_eight_bits(scales=False))
    settings(folder, quantization_config={"quant_method": "fp8", "weight_block_size": [128, 128]})
    message = refusal(folder)
    assert "Expected scales for the quantized weights" in message
    assert "encoder.layer.0" in message


def test_what_a_tokenizer_reads_lies_in_the_folder(folder, tmp_path):
    """A path as its vocabulary would be followed anywhere."""
    elsewhere = tmp_path / "elsewhere.txt"
    elsewhere.write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n")
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"vocab": str(elsewhere)}))
    assert "found " in (said := refusal(folder))
    assert str(elsewhere) in said


def test_kinds_of_relative_attention_that_the_class_does_not_have_are_named(tmp_path):
    """`p2p` of DeBERTa is in no class of transformers; the two others are."""
    write("deberta-v2", tmp_path / "deberta")
    settings(tmp_path / "deberta", pos_att_type=["c2p", "p2c"])
    loaded(tmp_path / "deberta")
    settings(tmp_path / "deberta", pos_att_type=["c2p", "p2c", "p2p"])
    assert "pos_att_type" in refusal(tmp_path / "deberta")


def test_a_piece_whose_number_has_no_row_is_named(folder):
    path = folder / "tokenizer.json"
    told = json.loads(path.read_text())
    pieces = told["model"]["vocab"]
    last = max(pieces, key=pieces.get)
    pieces[last] += 500
    path.write_text(json.dumps(told))
    assert f"found {pieces[last]} for {last!r}" in refusal_of(folder)


def refusal_of(folder):
    """As `refusal`, for a sentence that names the model by its id."""
    with pytest.raises(ModelError) as refused:
        loaded(folder)
    return str(refused.value)


def test_the_encoder_of_a_pair_is_asked_for(tmp_path):
    pair = transformers.EncoderDecoderConfig.from_encoder_decoder_configs(
        *(transformers.BertConfig(vocab_size=9, hidden_size=8, num_attention_heads=2) for _ in range(2))
    )
    write("bert", tmp_path / "pair")
    (tmp_path / "pair" / "config.json").write_text(pair.to_json_string())
    assert "such as model.encoder" in refusal(tmp_path / "pair")


def test_an_encoder_without_a_masked_lm_is_not_told_to_be_a_pair(tmp_path):
    write("t5", tmp_path / "t5")
    with pytest.raises(ModelError, match="Expected a masked LM that transformers can load") as refused:
        load_as(transformers.AutoModelForMaskedLM, locate(str(tmp_path / "t5")), torch.device("cpu"), "a masked LM")
    assert "model.encoder" not in str(refused.value)
