"""Where a model's files lie, and what the model is called."""

from fnmatch import fnmatch
from pathlib import Path

import pytest
from transformers import BertweetTokenizer

from generator.errors import ModelError
from generator.models.source import WANTED, locate
from tests.corpora.test_plain import classes
from tests.encoders import loaded


@pytest.mark.parametrize("name", [" ", "  \t"])
def test_a_name_of_spaces_is_refused(name: str) -> None:
    with pytest.raises(ModelError, match=r"Expected a name for 'small-bert', found nothing but spaces; name it"):
        locate("small-bert", name=name)


def test_a_model_without_a_name_is_called_by_its_id() -> None:
    assert locate("small-bert").title == "small-bert"
    assert locate("small-bert", name="x").title == "x"


def test_every_file_that_a_class_of_tokenizers_reads_is_fetched_and_compared() -> None:
    named = {name for kind in classes() for name in getattr(kind, "vocab_files_names", {}).values()}
    others = {"source.spm", "target.spm", "qwen.tiktoken", "vocab.bpe", "model.vocab"}
    assert {"bpe.codes", "prophetnet.tokenizer"} <= named
    assert not [name for name in named | others if not any(fnmatch(name, pattern) for pattern in WANTED)]


@pytest.mark.parametrize("name", ["bpe.codes", "source.spm", "vocab.txt", "merges.tiktoken", "sentencepiece.bpe.model"])
def test_another_file_of_the_tokenizer_is_another_checkpoint(folder: Path, name: str) -> None:
    (folder / name).write_text("t h 1")
    before = locate(str(folder)).identity
    (folder / name).write_text("t e 1")
    after = locate(str(folder)).identity
    assert after.weights == before.weights
    assert after.setup != before.setup


def test_a_file_of_the_tokenizer_that_nobody_compares_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in folder.glob("tokenizer*"):
        path.unlink()
    (folder / "vocab.txt").write_text("the 5\nold 1\n")
    (folder / "merges.odd").write_text("t h 1\n")
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "BertweetTokenizer"}')
    monkeypatch.setitem(BertweetTokenizer.vocab_files_names, "merges_file", "merges.odd")
    with pytest.raises(ModelError, match=r"the tokenizer in .* when they change, found merges\.odd; save"):
        loaded(folder)
