"""An encoder inside another model or folder is observed: that of DPR, T5 and sentence-transformers."""

import json
import shutil
from pathlib import Path

import pytest
import torch
import transformers
from huggingface_hub.utils import filter_repo_objects

from generator.attention.anatomy import examine
from generator.errors import ModelError
from generator.models.source import locate
from generator.models.twin import random_twin, untrained_twin
from tests.encoders import LAYERS, loaded, tokenizer_of, write

SIZE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}


def same(first, second):
    """Whether two encoders have the same weights."""
    left, right = first.model.state_dict(), second.model.state_dict()
    return left.keys() == right.keys() and all(torch.equal(left[name], right[name]) for name in left)


@pytest.mark.parametrize("kind", ["DPRQuestionEncoder", "DPRContextEncoder", "DPRReader"])
@pytest.mark.parametrize("width", [0, 16])
def test_the_bert_within_dpr_is_observed(tmp_path, kind, width):
    tokenizer = tokenizer_of("bert")
    config = transformers.DPRConfig(
        vocab_size=len(tokenizer), max_position_embeddings=128, projection_dim=width, **SIZE
    )
    torch.manual_seed(0)
    model = getattr(transformers, kind)(config)
    model.save_pretrained(tmp_path / "dpr")
    tokenizer.save_pretrained(tmp_path / "dpr")
    inside = model
    while inside.base_model is not inside:
        inside = inside.base_model
    one = loaded(tmp_path / "dpr")
    found = examine(one)
    assert (found.layers, found.heads) == (2, 4)
    assert all(torch.equal(one.model.state_dict()[name], weight) for name, weight in inside.state_dict().items())
    for twin in (random_twin(one, 0), untrained_twin(one, 0)):
        assert twin.model.state_dict().keys() == one.model.state_dict().keys()


def test_t5_is_read_without_its_decoder(tmp_path):
    whole = loaded(write("t5", tmp_path / "whole"))
    alone = transformers.T5EncoderModel.from_pretrained(tmp_path / "whole")
    shutil.copytree(tmp_path / "whole", tmp_path / "alone")
    alone.save_pretrained(tmp_path / "alone")
    found = loaded(tmp_path / "alone")
    assert same(found, whole)
    assert examine(found).layers == LAYERS
    assert random_twin(found, 0).model.state_dict().keys() == found.model.state_dict().keys()


@pytest.fixture
def folder_of(checkpoint, tmp_path):
    """Makes a folder of sentence-transformers with the encoder at this path."""

    def make(path: str, kind: str = "sentence_transformers.models.Transformer") -> Path:
        root = tmp_path / "sentences"
        shutil.copytree(checkpoint("bert"), root / path, dirs_exist_ok=True)
        modules = [{"idx": 0, "name": "0", "path": path, "type": kind}]
        modules += [{"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}]
        (root / "modules.json").write_text(json.dumps(modules))
        return root

    return make


@pytest.mark.parametrize("path", ["0_Transformer", "0_BERT", "encoder", ""])
def test_the_encoder_of_sentence_transformers_is_read_where_its_list_says(folder_of, encoder, path):
    root = folder_of(path)
    if path:
        (root / "config.json").write_text('{"__version__": "1.0.0"}')
    one = loaded(root)
    assert (one.id, one.family) == ("sentences", "bert")
    assert same(one, encoder("bert"))
    assert locate(str(root)).folder == (root / path if path else root)


@pytest.mark.parametrize("path", ["../elsewhere", "/tmp", "0_WordEmbeddings"])
def test_a_path_that_leads_nowhere_or_outside_is_refused_by_name(folder_of, path):
    root = folder_of("0_Transformer")
    (root / "modules.json").write_text(json.dumps([{"idx": 0, "path": path, "type": "x"}]))
    with pytest.raises(ModelError, match=r"modules\.json") as refused:
        loaded(root)
    assert path in str(refused.value)


def test_the_hub_is_asked_for_the_folder_that_the_list_names_and_for_nothing_below_it(folder_of, tmp_path, monkeypatch):
    root = folder_of("0_Transformer")
    (root / "0_Transformer" / "onnx").mkdir()
    (root / "0_Transformer" / "onnx" / "model.safetensors").write_bytes(b"")
    cached, asked = tmp_path / "cache" / ("0" * 40), []

    def fetch(model_id, revision, allow_patterns, ignore_patterns):
        asked.append((model_id, revision))
        names = [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]
        for name in filter_repo_objects(names, allow_patterns=allow_patterns, ignore_patterns=ignore_patterns):
            (cached / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, cached / name)
        return str(cached)

    monkeypatch.setattr("huggingface_hub.snapshot_download", fetch)
    source = locate("some/one")
    assert (source.folder, source.revision) == (cached / "0_Transformer", "0" * 40)
    assert asked == [("some/one", None), ("some/one", "0" * 40)]
    assert {path.name for path in source.folder.iterdir()} == {
        path.name for path in (root / "0_Transformer").iterdir() if path.is_file()
    }
    assert loaded("some/one").family == "bert"


@pytest.mark.parametrize("text", ["{", "[]", "[1]", '{"a": 1}', '[{"path": 3}]'])
def test_a_list_that_names_no_path_is_passed_over(folder_of, text):
    root = folder_of("")
    (root / "modules.json").write_text(text)
    assert loaded(root).family == "bert"


def test_sentence_pieces_without_their_packages_name_them(tmp_path, monkeypatch):
    folder = write("deberta-v2", tmp_path / "model")
    for path in folder.glob("tokenizer*"):
        path.unlink()
    (folder / "spm.model").write_bytes(b"\x0a\x0e\x0a\x05<unk>")
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "DebertaV2Tokenizer"}')
    monkeypatch.setattr("generator.models.load.lacking_readers", lambda: ["sentencepiece"])
    with pytest.raises(
        ModelError, match=r"read spm\.model of .*, found no sentencepiece; install them with: pip install"
    ):
        loaded(folder)
    monkeypatch.setattr("generator.models.load.lacking_readers", list)
    with pytest.raises(ModelError) as refused:
        loaded(folder)
    assert "which read spm.model" not in str(refused.value)
