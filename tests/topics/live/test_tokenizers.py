"""In Chromium: tokenizers of each kind that a model may have split texts as the tokenizers library does."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Page
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast

from generator.errors import ModelError
from generator.numbers.pieces import readable
from generator.topics.live.compute.tokenizer import tokenizer_of
from tests.topics.live.sentences import sentences

MASK = "<mask>"
BYTES = sorted(pre_tokenizers.ByteLevel.alphabet())
TEXTS = (
    *sentences(),
    "a  <mask>\t, <MASK>b<mask> <s>",
    "\u3000<mask>",
    "  two  spaces \n\n  and lines ",
    "it's we'LL 12½",
)
MOST = 512
READ = """
async (settings) => {
  const { Tokenizer } = await import("./tokenizer.js"), made = new Tokenizer(settings);
  return (texts, most) => JSON.stringify(texts.map((text) => {
    const read = made.read(text, most);
    return { ...read, ...made.shown(read) };
  }));
}
"""


def word_pieces(**settings: Any) -> Tokenizer:
    """A vocabulary of pieces of the sentences themselves, so that most words are split, in every script."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="<unk>"))
    tokenizer.normalizer = normalizers.BertNormalizer(**settings)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return trained(tokenizer, trainers.WordPieceTrainer(vocab_size=900, special_tokens=["<s>", "</s>", "<unk>"]))


def byte_pairs(alphabet: Sequence[str] = BYTES, **settings: Any) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(**settings)
    special = ["<s>", "</s>", "<unk>"]
    return trained(
        tokenizer, trainers.BpeTrainer(vocab_size=1500, special_tokens=special, initial_alphabet=[*alphabet])
    )


def trained(tokenizer: Tokenizer, trainer: Any) -> Tokenizer:
    trainer.show_progress = False
    tokenizer.train_from_iterator(TEXTS[::2], trainer)
    return ended(tokenizer)


def ended(tokenizer: Tokenizer) -> Tokenizer:
    """With a token at each end of a sentence."""
    ends = [(token, tokenizer.token_to_id(token)) for token in ("<s>", "</s>")]
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=ends)
    return tokenizer


def named(tokenizer: Tokenizer, **mask: bool) -> PreTrainedTokenizerFast:
    """As transformers loads it; `mask` says what the mask token takes with it."""
    roles = {"cls_token": "<s>", "sep_token": "</s>", "unk_token": "<unk>"}
    token = AddedToken(MASK, special=True, **mask)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, mask_token=token, **roles)


TOKENIZERS: dict[str, Callable[[], PreTrainedTokenizerFast]] = {
    "RoBERTa": lambda: named(byte_pairs(add_prefix_space=False), lstrip=True, normalized=False),
    "spaced": lambda: named(byte_pairs(add_prefix_space=True), rstrip=True, normalized=False),
    "MPNet": lambda: named(word_pieces(), lstrip=True, normalized=True),
    "cased": lambda: named(word_pieces(lowercase=False, strip_accents=False), normalized=False),
    "accents": lambda: named(word_pieces(lowercase=True, strip_accents=False), normalized=False),
    "unclean": lambda: named(word_pieces(clean_text=False, handle_chinese_chars=False), normalized=False),
}


def split(drawings: Page, settings: dict[str, Any], texts: tuple[str, ...], most: int = MOST) -> list[dict[str, Any]]:
    """What the tokenizer of the browser makes of texts."""
    made = drawings.evaluate_handle(READ, settings)
    found: list[dict[str, Any]] = json.loads(
        drawings.evaluate("([read, texts, most]) => read(texts, most)", [made, list(texts), most])
    )
    return found


@pytest.mark.browser
@pytest.mark.parametrize("name", TOKENIZERS)
def test_pieces_are_those_of_the_library(drawings: Page, name: str) -> None:
    tokenizer = TOKENIZERS[name]()
    found = split(drawings, tokenizer_of(name, tokenizer), TEXTS)
    expected = [tokenizer(text, truncation=True, max_length=MOST)["input_ids"] for text in TEXTS]
    wrong = [
        (text, one["ids"], true) for text, one, true in zip(TEXTS, found, expected, strict=True) if one["ids"] != true
    ]
    assert wrong == []


@pytest.mark.browser
@pytest.mark.parametrize("name", ["RoBERTa", "MPNet"])
def test_pieces_are_shown_as_pages_show_them_and_words_whole(drawings: Page, name: str) -> None:
    tokenizer = TOKENIZERS[name]()
    for text, one in zip(TEXTS, split(drawings, tokenizer_of(name, tokenizer), TEXTS), strict=True):
        assert one["tokens"] == [readable(piece) for piece in tokenizer.convert_ids_to_tokens(one["ids"])], text
    said = "The committee rejected it, naïvely."
    (one,) = split(drawings, tokenizer_of(name, tokenizer), (said,))
    assert [*dict.fromkeys(one["words"])] == [-1, *range(len(one["names"]))]
    assert "".join(one["names"]) == (said.replace(" ", "") if name == "RoBERTa" else "thecommitteerejectedit,naively.")
    kinds = {token: kind for token, kind in zip(one["tokens"], one["classes"], strict=True) if kind}
    measures = {"cls": "<s>", "sep": "</s>"}
    assert kinds == {token: f"attention.{kind}" for kind, token in measures.items()} | dict.fromkeys(
        (",", "."), "attention.punctuation"
    )


@pytest.mark.browser
def test_what_acts_in_a_vocabulary_is_shown_as_its_code(drawings: Page) -> None:
    tokenizer = Tokenizer(
        models.WordPiece({"<unk>": 0, "<s>": 1, "</s>": 2, "a\u202eb": 3, "##\x1b": 4}, unk_token="<unk>")
    )
    tokenizer.normalizer = normalizers.BertNormalizer(clean_text=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    settings = tokenizer_of("Odd", named(ended(tokenizer), normalized=False))
    (one,) = split(drawings, settings, ("a\u202eb\x1b",))
    assert one["ids"] == [1, 3, 4, 2]
    assert one["tokens"][1:-1] == [r"a\u202eb", r"##\u001b"]
    assert one["names"] == [r"a\u202eb\u001b"]


@pytest.mark.browser
@pytest.mark.parametrize(("most", "cut"), [(7, True), (8, False)])
def test_a_long_text_is_cut_between_the_ends(drawings: Page, most: int, cut: bool) -> None:
    tokenizer = TOKENIZERS["cased"]()
    (one,) = split(drawings, tokenizer_of("cased", tokenizer), ("? " * 6,), most)
    assert (len(one["ids"]), one["cut"]) == (most, cut)
    assert one["ids"] == tokenizer("? " * 6, truncation=True, max_length=most)["input_ids"]


def told(change: Callable[[Tokenizer], None], make: Callable[[], Tokenizer] = byte_pairs) -> str:
    """Why a tokenizer is refused that was changed."""
    tokenizer = make()
    change(tokenizer)
    with pytest.raises(ModelError, match=r"Expected a tokenizer .* in Odd; take `live` away") as refused:
        tokenizer_of("Odd", named(tokenizer, normalized=False))
    return str(refused.value).partition("found ")[2].partition(" in Odd")[0]


def test_other_tokenizers_are_refused_by_name() -> None:
    unigram = Tokenizer(models.Unigram([("<unk>", 0.0), ("a", -1.0)], unk_id=0))
    assert told(lambda one: None, lambda: unigram) == "Unigram as its model"
    assert told(lambda one: setattr(one, "normalizer", normalizers.NFC())) == "NFC as its normalizer"
    whitespace = pre_tokenizers.Whitespace()
    assert told(lambda one: setattr(one, "pre_tokenizer", whitespace)) == "Whitespace as its pre-tokenizer"
    unlike = pre_tokenizers.ByteLevel(use_regex=False)
    assert told(lambda one: setattr(one, "pre_tokenizer", unlike)) == "use_regex = False in its pre-tokenizer"
    assert told(lambda one: setattr(one.model, "dropout", 0.1)) == "dropout = 0.1 in its model"
    assert told(lambda one: setattr(one, "normalizer", None), word_pieces) == "none as its normalizer"
    assert told(lambda one: one.add_tokens(["plain"])) == "added tokens other than special ones"
    bare = processors.TemplateProcessing(single="$A", special_tokens=[])
    assert told(lambda one: setattr(one, "post_processor", bare)) == "0 tokens around a sentence"
    assert told(lambda one: None, lambda: byte_pairs(())) == "a vocabulary without some bytes"
