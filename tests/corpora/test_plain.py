"""A text is tokenized as transformers does it, by every class of tokenizers, and special tokens in it are letters."""

import importlib
import inspect
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import transformers
from transformers import PreTrainedTokenizerBase

from generator.corpora.pairs import PairMaker
from generator.corpora.plain import OPTIONS, PlainText
from tests.encoders import SENTENCES

LETTERS = "LAGVSERTIDPKQNFYMHWCXBUZO.-"
ESM = ("<cls>", "<pad>", "<eos>", "<unk>", *LETTERS, "<null_1>", "<mask>")
PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ",", "the", "old", "lighthouse", "rock", "##s")
COUNTED = ("the 5", "old 1", "t@@ 3", "h@@ 2", "he 1", "e 1", "@@ 1")
ADDED = ("gene7", "<drug>", "#cat")
TEXTS = (*SENTENCES[:3], "The gene7 of the old <drug>s, #cat and gene7.", "MKTVRQLAGV", "a", " the", "", "Zoë 漢字 1.5")
WRITTEN = ("[SEP]", "[CLS]", "[MASK]", "[PAD]", "</s>", "<s>", "<pad>", "<mask>", "<eos>", "<cls>", "<|endoftext|>")
COMMAND = "<FILL_ME>"
"""A tokenizer of programs, for a decoder, does not read this but fills it in."""
MOST = 50
"""Fewer than so many classes are a fault of this test: there are some 70, and some need packages of their own."""
NEEDS = ImportError, NameError
"""Modules of transformers that need packages for other languages or for sound."""


def classes() -> Iterator[type]:
    """Every class of tokenizers that transformers has for a family of models."""
    for family in pkgutil.iter_modules(transformers.models.__path__):
        place = Path(next(iter(transformers.models.__path__))) / family.name
        for path in sorted(place.glob("tokenization_*.py")):
            try:
                module = importlib.import_module(f"transformers.models.{family.name}.{path.stem}")
            except NEEDS:
                continue
            for var in vars(module).values():
                if (
                    inspect.isclass(var)
                    and var.__module__ == module.__name__
                    and issubclass(var, PreTrainedTokenizerBase)
                ):
                    yield var


def made(kind: type, folder: Path) -> Any:
    """A tokenizer of this class with a few pieces; None if it needs a package or files of another kind."""
    numbers = {
        piece: at for at, piece in enumerate(("<s>", "<pad>", "</s>", "<unk>", "<mask>", *PIECES[5:], "the</w>"))
    }
    lines = {"EsmTokenizer": ESM, "BertweetTokenizer": COUNTED, "PhobertTokenizer": COUNTED}.get(kind.__name__, PIECES)
    (folder / "vocab.txt").write_text("\n".join(lines))
    (folder / "vocab.json").write_text(json.dumps(numbers))
    (folder / "merges.txt").write_text("#version: 0.2\nt h\nth e</w>\n")
    (folder / "bpe.codes").write_text("t h 1\nth e</w> 1\n")
    for name in ("emoji", "word_shape", "word_pronunciation"):
        (folder / f"{name}.json").write_text(json.dumps({"emoji": {}, "emoji_inv": {}} if name == "emoji" else numbers))
    files = getattr(kind, "vocab_files_names", {})
    named = {name: str(folder / file) for name, file in files.items() if (folder / file).is_file()}
    wanted = {name: path for name, path in named.items() if name in inspect.signature(kind.__init__).parameters}
    pairs = [(piece, -1.0) for piece in ("<s>", "<pad>", "</s>", "<unk>", "▁", "▁the", "▁old", *"abcdefg.,")]
    for arguments in (wanted, {"vocab": pairs, "unk_id": 3}, {"vocab": pairs}, {"vocab": numbers, "merges": []}, {}):
        try:
            tokenizer = kind(**arguments)
            ids = [one for text in (*TEXTS, "[ / ] < | >") for one in tokenizer(text, **OPTIONS)["input_ids"]]
        except Exception:  # noqa: BLE001 - what a class wants differs
            continue
        if None not in ids and (set(tokenizer.all_special_ids) - {tokenizer.unk_token_id}).isdisjoint(ids):
            return tokenizer
    return None


def test_ids_are_those_of_transformers_for_every_class_of_tokenizers(tmp_path):
    tried, python = set(), set()
    for kind in classes():
        tokenizer = made(kind, tmp_path)
        if tokenizer is None:
            continue
        tokenizer.add_tokens(list(ADDED))
        plain = PlainText(tokenizer)
        texts = [text for text in TEXTS if not any(token in text for token in tokenizer.all_special_tokens)]
        expected = [list(tokenizer(text, **OPTIONS)["input_ids"]) for text in texts]
        assert [plain.ids(text) for text in texts] == expected, kind
        assert plain.each(texts) == expected, kind
        special = set(tokenizer.all_special_ids) - {tokenizer.unk_token_id}
        for literal in {*WRITTEN, *tokenizer.all_special_tokens} - {COMMAND}:
            for text in (literal, f"the {literal} old", f"the{literal}old{literal}{literal}"):
                assert special.isdisjoint(plain.ids(text)), (kind, text)
                assert special.isdisjoint(plain.each([text, "the"])[0]), (kind, text)
        tried.add(kind.__name__)
        python |= set() if tokenizer.is_fast else {kind.__name__}
    assert {"BertTokenizer", "RobertaTokenizer", "T5Tokenizer", "XLMRobertaTokenizer"} <= tried - python
    assert {"EsmTokenizer", "ByT5Tokenizer", "CanineTokenizer", "BertTokenizerLegacy", "BertweetTokenizer"} <= python
    assert len(tried) > MOST


def test_a_sequence_in_one_run_of_letters_has_a_token_a_residue(tmp_path):
    """Tokenizers of proteins have no vocabulary but added tokens."""
    (tmp_path / "vocab.txt").write_text("\n".join(ESM))
    tokenizer = transformers.EsmTokenizer(str(tmp_path / "vocab.txt"))
    item = PairMaker(tokenizer, 64).sentence("p", "MKTVRQLAGV")
    assert tokenizer.convert_ids_to_tokens(list(item.input_ids)) == ["<cls>", *"MKTVRQLAGV", "<eos>"]
    inert = PairMaker(tokenizer, 64).sentence("p", "MK<cls>TV<eos>")
    assert tokenizer.convert_ids_to_tokens(list(inert.input_ids)) == [
        *("<cls>", "M", "K", "<unk>", "<unk>", "T", "V", "<unk>", "<unk>", "<eos>")
    ]
