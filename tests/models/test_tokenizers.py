"""A tokenizer that cannot be made is refused by what it lacks."""

import json
import sys
from pathlib import Path

import pytest

from generator.errors import ModelError
from tests.encoders import loaded

PIECES = "\n".join(("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b"))
PAIRS = {"vocab.json": json.dumps({"<unk>": 0, "a</w>": 1}), "merges.txt": "#version: 0.2\na b\n"}


def with_tokenizer(folder: Path, kind: str, files: dict[str, str], **settings: object) -> Path:
    """The folder with another tokenizer: its class, its files and its settings."""
    for path in folder.glob("tokenizer*"):
        path.unlink()
    for name, text in files.items():
        (folder / name).write_text(text)
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": kind} | settings))
    return folder


def refusal(folder: Path) -> str:
    with pytest.raises(ModelError) as refused:
        loaded(folder)
    message = str(refused.value)
    assert message.startswith("Expected ")
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("package", "kind", "files", "settings"),
    [
        ("sacremoses", "XLMTokenizer", PAIRS, {}),
        ("sacremoses", "FlaubertTokenizer", PAIRS, {}),
        ("rjieba", "RoFormerTokenizer", {"vocab.txt": PIECES}, {}),
        ("fugashi", "BertJapaneseTokenizer", {"vocab.txt": PIECES}, {"word_tokenizer_type": "mecab"}),
        ("sudachipy", "BertJapaneseTokenizer", {"vocab.txt": PIECES}, {"word_tokenizer_type": "sudachi"}),
        ("tiktoken", "TikTokenTokenizer", {"tokenizer.model": "YQ== 0\n"}, {}),
    ],
)
def test_a_package_that_a_tokenizer_needs_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, package: str, kind: str, files: dict[str, str], settings: object
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    message = refusal(with_tokenizer(folder, kind, files, **settings))
    assert message.startswith(f"Expected the package {package}, which the tokenizer or the weights in {folder} need")
    assert message.endswith(f"install it with: pip install {package}")


def test_the_dictionary_of_a_package_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fugashi", sys)  # that it can be imported is all that is asked of it here
    monkeypatch.setitem(sys.modules, "unidic_lite", None)
    settings = {"word_tokenizer_type": "mecab", "mecab_kwargs": {"mecab_dic": "unidic_lite"}}
    message = refusal(with_tokenizer(folder, "BertJapaneseTokenizer", {"vocab.txt": PIECES}, **settings))
    assert message.endswith("install it with: pip install unidic_lite")


def test_a_package_that_quantized_weights_need_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("transformers.quantizers.quantizer_bnb_8bit.is_bitsandbytes_available", lambda: False)
    config = folder / "config.json"
    asked = {"quantization_config": {"quant_method": "bitsandbytes", "load_in_8bit": True}}
    config.write_text(json.dumps(json.loads(config.read_text()) | asked))
    assert "install it with: pip install 'bitsandbytes>=" in refusal(folder)


@pytest.mark.parametrize(("kind", "name"), [("OwnTokenizer", "vocab.txt"), ("TokenizersBackend", "own.tiktoken")])
def test_files_of_which_no_tokenizer_is_made_are_named(folder: Path, kind: str, name: str) -> None:
    message = refusal(with_tokenizer(folder, kind, {name: PIECES}))
    assert name in message
    assert "save the tokenizer as tokenizer.json" in message


@pytest.mark.parametrize(
    ("kind", "here", "missing"),
    [
        ("PhobertTokenizer", "vocab.txt", "bpe.codes"),
        ("BertweetTokenizer", "bpe.codes", "vocab.txt"),
        ("RobertaTokenizer", "vocab.json", "merges.txt"),
    ],
)
def test_a_file_that_the_class_of_the_tokenizer_reads_and_that_is_not_there_is_named(
    folder: Path, kind: str, here: str, missing: str
) -> None:
    text = json.dumps(dict(zip(("<s>", "<pad>", "</s>", "<unk>", "<mask>", "a"), range(6), strict=True)))
    message = refusal(with_tokenizer(folder, kind, {here: text if here.endswith("json") else "a 1\n"}))
    assert message.startswith(f"Expected {missing} in {folder}, which the tokenizer")


@pytest.mark.parametrize("kind", ["TapasTokenizer", "LayoutLMv2Tokenizer"])
def test_a_tokenizer_of_tables_or_pages_is_refused(folder: Path, kind: str) -> None:
    message = refusal(with_tokenizer(folder, kind, {"vocab.txt": PIECES}))
    assert f"that reads text, found {kind}" in message
    assert message.endswith("choose an encoder of text.")
