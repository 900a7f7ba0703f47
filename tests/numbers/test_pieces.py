"""Pieces of every kind of vocabulary are shown as people read them."""

import pytest
from tokenizers.pre_tokenizers import ByteLevel

from generator.numbers.pieces import BYTES, readable
from tests.encoders import SENTENCES, tokenizer_of

TEXT = "Der Leuchtturm - così “rot” wie čaj: 日本 & 12 °C, naïve ağaç."


@pytest.mark.parametrize(
    ("piece", "text"),
    [
        ("Ġhead", "head"),
        ("▁head", "head"),
        ("head", "head"),
        ("##ing", "##ing"),
        ("[CLS]", "[CLS]"),
        ("<s>", "<s>"),
        ("", ""),
        ("Ġ", "␣"),
        ("▁▁", "␣␣"),
        ("ĊĊ", "↵↵"),
        ("cafÃ©", "café"),
        ("ĠâĢľ", "“"),
        ("âĢ", "âĢ"),
        ("é", "é"),
        ("č", "č"),
        ("ağaç", "ağaç"),
        ("日本", "日本"),
    ],
)
def test_a_piece_is_shown_without_the_marks_of_its_vocabulary(piece: str, text: str):
    """A part of a character, and a letter of a language that is no byte, stay as they are."""
    assert readable(piece) == text


@pytest.mark.parametrize("family", ["roberta", "albert", "xlm-roberta", "bert"])
def test_the_pieces_of_real_tokenizers_make_up_the_words_that_they_were_cut_from(family: str):
    tokenizer = tokenizer_of(family)
    for sentence in SENTENCES:
        ids = tokenizer(sentence, add_special_tokens=False)["input_ids"]
        shown = "".join(readable(piece).removeprefix("##") for piece in tokenizer.convert_ids_to_tokens(ids))
        read = tokenizer.decode(ids).replace(" ", "")
        assert shown.replace("␣", "") == read
        assert not set("Ġ▁") & set(shown)


def test_every_byte_has_a_character_of_its_own_as_in_the_tokenizers_library():

    assert set(BYTES) == set(ByteLevel.alphabet())
    assert sorted(BYTES.values()) == list(range(256))
    for word in TEXT.split():
        ((written, _),) = ByteLevel(add_prefix_space=False, use_regex=False).pre_tokenize_str(word)
        assert readable(written) == word
