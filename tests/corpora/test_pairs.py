"""Documents become pairs of paragraphs, dressed exactly as the tokenizer itself would dress them."""

from collections import Counter

import pytest

from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Document, PairMaker
from tests.attention.observations import DOCUMENTS
from tests.encoders import FAMILIES, SENTENCES, WITHOUT_BEGIN

A, B = SENTENCES[4], SENTENCES[9]
LONG = " ".join(SENTENCES)
DOUBLE_SEPARATOR = ("roberta", "xlm-roberta", "mpnet")
"""Families that put two separators between the parts and one after them."""
SPECIAL = (TokenClass.BEGIN, TokenClass.SEPARATOR)

families = pytest.mark.parametrize("family", FAMILIES)


def _separators(family):
    return 3 if family in DOUBLE_SEPARATOR else 2


def _plain(tokenizer, text):
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])


def _parts(item):
    """The tokens of the text itself, those of the first segment and those of the second."""
    text = [
        (token, segment)
        for token, segment, kind in zip(item.input_ids, item.segment_ids, item.classes, strict=True)
        if kind not in SPECIAL
    ]
    return [token for token, segment in text if not segment], [token for token, segment in text if segment]


def _holds(text, part):
    return any(text[at : at + len(part)] == part for at in range(len(text) - len(part) + 1))


@families
def test_a_pair_is_what_the_tokenizer_makes_of_two_texts(encoder, family):
    tokenizer = encoder(family).tokenizer
    expected = tokenizer(A, B)
    (item,) = PairMaker(tokenizer, 128).inputs(Document("d", (A, B)))
    assert list(item.input_ids) == expected["input_ids"]
    if "token_type_ids" in expected:
        assert list(item.segment_ids) == expected["token_type_ids"]


def test_the_families_whose_models_take_segment_ids_have_tokenizers_that_make_them(encoder):
    with_segments = [family for family in FAMILIES if encoder(family).segments]
    assert with_segments == ["bert", "electra", "albert"]
    assert all("token_type_ids" in encoder(family).tokenizer(A, B) for family in with_segments)


@families
def test_a_sentence_is_what_the_tokenizer_makes_of_one_text(encoder, family):
    tokenizer = encoder(family).tokenizer
    item = PairMaker(tokenizer, 128).sentence("s", A)
    assert list(item.input_ids) == tokenizer(A)["input_ids"]
    assert set(item.segment_ids) == {0}


@families
def test_one_begin_token_where_the_family_has_one_and_every_separator_are_classed(encoder, family):
    (item,) = PairMaker(encoder(family).tokenizer, 128).inputs(Document("d", (A, B)))
    counts = Counter(item.classes)
    assert counts[TokenClass.BEGIN] == (family not in WITHOUT_BEGIN)
    assert item.classes[0] == (TokenClass.OTHER if family in WITHOUT_BEGIN else TokenClass.BEGIN)
    assert counts[TokenClass.SEPARATOR] == _separators(family)
    assert item.classes[-1] == TokenClass.SEPARATOR


@families
def test_the_second_segment_starts_after_the_first_separator(encoder, family):
    (item,) = PairMaker(encoder(family).tokenizer, 128).inputs(Document("d", (A, B)))
    first = item.classes.index(TokenClass.SEPARATOR)
    assert item.segment_ids == (0,) * (first + 1) + (1,) * (len(item) - first - 1)


@families
@pytest.mark.parametrize("budget", [16, 33, 64, 128])
def test_no_input_is_longer_than_asked_for_and_a_full_one_is_exactly_that_long(encoder, family, budget):
    maker = PairMaker(encoder(family).tokenizer, budget)
    lengths = [len(item) for document in DOCUMENTS for item in maker.inputs(document)]
    assert max(lengths) <= budget
    (full,) = maker.inputs(Document("full", (LONG[:250], LONG[:200])))[:1]
    assert len(full) == budget
    assert len(maker.sentence("s", LONG)) <= budget


@families
@pytest.mark.parametrize("max_tokens", [16, 128])
def test_a_sentence_fills_an_input_with_no_more_special_tokens_than_one_text_has(encoder, family, max_tokens):
    tokenizer = encoder(family).tokenizer
    maker, room = PairMaker(tokenizer, max_tokens), max_tokens - len(tokenizer("")["input_ids"])
    assert max_tokens - room == (1 if family in WITHOUT_BEGIN else 2)
    word = next(form for form in LONG.split() if len(_plain(tokenizer, f" {form}")) == 1)
    full = maker.words("s", [word] * room)
    assert full is not None, "126 pieces fit into 128 tokens of BERT"
    assert len(full.input) == max_tokens
    assert maker.words("s", [word] * (room + 1)) is None
    assert maker.fitting([word] * room) == maker.fitting([word] * (room + 1)) == room
    whole = _plain(tokenizer, " ".join([LONG] * 3))
    cut = maker.sentence("s", " ".join([LONG] * 3))
    assert (len(cut), _parts(cut)[0]) == (max_tokens, whole[:room])
    assert cut == maker.pair("s", " ".join([LONG] * 3), None)


@families
def test_the_longer_part_is_trimmed_and_the_shorter_one_kept_whole(encoder, family):
    tokenizer = encoder(family).tokenizer
    special = _separators(family) + (family not in WITHOUT_BEGIN)
    short, long = _plain(tokenizer, "rock,"), _plain(tokenizer, SENTENCES[0] + " " + SENTENCES[1])
    budget = len(long) + special
    for texts in (("rock,", SENTENCES[0] + " " + SENTENCES[1]), (SENTENCES[0] + " " + SENTENCES[1], "rock,")):
        (item,) = PairMaker(tokenizer, budget).inputs(Document("d", texts))
        kept, trimmed = sorted(_parts(item), key=len)
        assert kept == short
        assert len(trimmed) == len(long) - len(short)
        assert _holds(long, trimmed)


def test_two_long_parts_are_trimmed_to_equal_length(encoder):
    (item,) = PairMaker(encoder("bert").tokenizer, 50).inputs(Document("d", (SENTENCES[0], SENTENCES[1])))
    a, b = _parts(item)
    assert abs(len(a) - len(b)) <= 1


def test_tokens_are_trimmed_from_both_ends(encoder):
    tokenizer = encoder("bert").tokenizer
    text = SENTENCES[0] + " " + SENTENCES[1]
    whole = _plain(tokenizer, text)
    (item,) = PairMaker(tokenizer, len(whole) - 10).inputs(Document("d", ("rock", text)))
    _, trimmed = _parts(item)
    assert trimmed[0] != whole[0]
    assert trimmed[-1] != whole[-1]


@pytest.mark.parametrize("paragraphs", [(), (A,)], ids=["no paragraph", "one paragraph"])
def test_a_document_without_a_second_paragraph_gives_no_input(encoder, paragraphs):
    assert PairMaker(encoder("bert").tokenizer, 64).inputs(Document("d", paragraphs)) == []


def test_paragraphs_are_packed_until_the_budget_is_full_and_divided_between_paragraphs(encoder):
    tokenizer = encoder("bert").tokenizer
    paragraphs = ("the sea froze", "rock", "the boats stayed", "a letter")
    (item,) = PairMaker(tokenizer, 128).inputs(Document("d", paragraphs))
    a, b = _parts(item)
    assert a + b == _plain(tokenizer, " ".join(paragraphs))
    assert len(a) in {len(_plain(tokenizer, " ".join(paragraphs[:count]))) for count in (1, 2, 3)}


def test_every_boundary_between_paragraphs_is_drawn_by_some_seed(encoder):
    tokenizer = encoder("bert").tokenizer
    paragraphs = ("the", "sea", "froze", "over")
    document = Document("d", paragraphs)
    drawn = [_parts(PairMaker(tokenizer, 64, seed).inputs(document)[0])[0] for seed in range(40)]
    assert {tuple(a) for a in drawn} == {tuple(_plain(tokenizer, " ".join(paragraphs[:k]))) for k in (1, 2, 3)}


@families
def test_long_paragraphs_are_split_into_parts_numbered_in_reading_order(encoder, family):
    tokenizer = encoder(family).tokenizer
    items = PairMaker(tokenizer, 64).inputs(Document("d", (LONG, LONG)))
    assert [item.part for item in items] == list(range(1, len(items) + 1))
    assert len(items) > 2
    whole = _plain(tokenizer, LONG) + _plain(tokenizer, LONG)
    assert all(_holds(whole, part) for item in items for part in _parts(item))


@pytest.mark.parametrize("family", ["bert", "roberta", "t5"])
@pytest.mark.parametrize("max_tokens", [63, 64, 128])
def test_a_long_text_is_split_into_several_inputs_and_no_word_of_it_is_lost(encoder, family, max_tokens):
    tokenizer = encoder(family).tokenizer
    text = " ".join([LONG] * 3)
    items = PairMaker(tokenizer, max_tokens).inputs(Document("d", (text, text)))
    read = Counter(token for item in items for part in _parts(item) for token in part)
    lost = 2 * len(_plain(tokenizer, text)) - read.total()
    assert lost < max_tokens, "more than the rest that does not fill another input"


@families
def test_the_same_seed_gives_the_same_inputs_whatever_else_is_read(encoder, family):
    tokenizer = encoder(family).tokenizer
    fresh = {document.id: PairMaker(tokenizer, 40, seed=3).inputs(document) for document in DOCUMENTS}
    maker = PairMaker(tokenizer, 40, seed=3)
    assert {document.id: maker.inputs(document) for document in reversed(DOCUMENTS)} == fresh


def test_another_seed_and_another_name_draw_anew(encoder):
    tokenizer = encoder("bert").tokenizer
    document = Document("d", SENTENCES)
    drawn = PairMaker(tokenizer, 64).inputs(document)
    assert PairMaker(tokenizer, 64, seed=1).inputs(document) != drawn
    renamed = PairMaker(tokenizer, 64).inputs(Document("e", SENTENCES))
    assert [item.input_ids for item in renamed] != [item.input_ids for item in drawn]


@families
def test_special_tokens_written_in_a_text_stay_text(encoder, family):
    tokenizer = encoder(family).tokenizer
    written = ["[SEP]", "[CLS]", "[MASK]", "[PAD]", "</s>", "<s>", "<pad>", "<mask>"]
    special = set(tokenizer.all_special_ids) - {tokenizer.unk_token_id}
    for text in written:
        (item,) = PairMaker(tokenizer, 128).inputs(Document("d", (f"a {text} rock", f"{text}the sea")))
        a, b = _parts(item)
        assert special.isdisjoint(a + b), text
        assert Counter(item.classes)[TokenClass.SEPARATOR] == _separators(family), text
        assert Counter(item.classes)[TokenClass.BEGIN] == (family not in WITHOUT_BEGIN), text


@families
def test_punctuation_is_exactly_periods_and_commas(encoder, family):
    tokenizer = encoder(family).tokenizer
    text = "rock, sea. Birds! froze? The; lamp: (old) door , roof . a-b 1.5 end"
    (item,) = PairMaker(tokenizer, 128).inputs(Document("d", (text, text)))
    pieces = tokenizer.convert_ids_to_tokens(list(item.input_ids))
    marked = {piece for piece, kind in zip(pieces, item.classes, strict=True) if kind == TokenClass.PUNCTUATION}
    others = {piece for piece, kind in zip(pieces, item.classes, strict=True) if kind == TokenClass.OTHER}
    assert {piece.strip("Ġ▁") for piece in marked} == {".", ","}
    assert {".", ","}.isdisjoint(piece.strip("Ġ▁") for piece in others)
    assert Counter(item.classes)[TokenClass.PUNCTUATION] == 2 * (text.count(".") + text.count(","))


@families
def test_a_labelled_pair_is_what_the_tokenizer_makes_of_it(encoder, family):
    tokenizer = encoder(family).tokenizer
    maker = PairMaker(tokenizer, 128)
    assert list(maker.pair("p", A, B).input_ids) == tokenizer(A, B)["input_ids"]
    assert list(maker.pair("p", A, None).input_ids) == tokenizer(A)["input_ids"]


@pytest.mark.parametrize(("first", "second"), [(LONG, B), (A, LONG), (LONG, LONG)], ids=["first", "second", "both"])
def test_a_labelled_pair_that_is_too_long_loses_the_end_of_its_longer_part(encoder, first, second):
    tokenizer = encoder("bert").tokenizer
    item = PairMaker(tokenizer, 32).pair("p", first, second)
    parts = _parts(item)
    whole = [_plain(tokenizer, text) for text in (first, second)]
    assert len(item) == 32
    assert all(text[: len(part)] == part for text, part in zip(whole, parts, strict=True))
    half = (32 - 3) / 2
    assert all(len(part) == len(text) for part, text in zip(parts, whole, strict=True) if len(text) < half)
    assert abs(len(parts[0]) - len(parts[1])) <= 1 or min(map(len, whole)) < half
