"""What the tokenizer in the browser needs to know: word pieces as BERT has, or pairs of bytes as RoBERTa."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from generator.corpora.classes import CLASS_OF, TokenClass
from generator.errors import ModelError
from generator.numbers.pieces import BYTES


@dataclass(frozen=True)
class Kind:
    """A kind of tokenizer that the browser knows."""

    expected: Mapping[str, Mapping[str, Any]]
    """Part of the tokenizer -> the settings that it must have."""
    settings: Callable[[Mapping[str, Any]], dict[str, Any]]
    """What else the browser needs, from the tokenizer as its library writes it."""


def _word_pieces(found: Mapping[str, Any]) -> dict[str, Any]:
    normalizer, model = found["normalizer"], found["model"]
    lowercase, accents = normalizer["lowercase"], normalizer["strip_accents"]
    return {
        "clean": normalizer["clean_text"],
        "chinese": normalizer["handle_chinese_chars"],
        # As the library does: where nothing is said, accents go if capital letters do.
        "accents": lowercase if accents is None else accents,
        "lowercase": lowercase,
        "prefix": model["continuing_subword_prefix"],
        "longest": model["max_input_chars_per_word"],
        "unknown": model["unk_token"],
    }


def _byte_pairs(found: Mapping[str, Any]) -> dict[str, Any]:
    pairs = found["model"]["merges"]
    return {"spaced": found["pre_tokenizer"]["add_prefix_space"], "merges": [" ".join(pair) for pair in pairs]}


WORD_PIECES = Kind(
    {
        "model": {"type": "WordPiece"},
        "normalizer": {"type": "BertNormalizer"},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
    },
    _word_pieces,
)
BYTE_PAIRS = Kind(
    {
        "model": {"type": "BPE", "byte_fallback": False, "ignore_merges": False}
        | dict.fromkeys(("dropout", "continuing_subword_prefix", "end_of_word_suffix")),
        "normalizer": {"type": None},
        "pre_tokenizer": {"type": "ByteLevel", "use_regex": True},
    },
    _byte_pairs,
)
KINDS = {"WordPiece": WORD_PIECES, "BPE": BYTE_PAIRS}
"""By the type of the tokenizer's model, as its library calls it."""


def tokenizer_of(name: str, tokenizer: Any) -> dict[str, Any]:
    """The settings and the vocabulary of a model's tokenizer. Raises ModelError for one of another kind."""
    found = json.loads(tokenizer.backend_tokenizer.to_str())
    called, added = found["model"]["type"], found["added_tokens"]
    kind, ends = KINDS.get(called, WORD_PIECES), tokenizer("")["input_ids"]
    ids = found["model"]["vocab"] if called in KINDS else {}
    ids |= {token["content"]: token["id"] for token in added}
    vocabulary = sorted(ids, key=ids.__getitem__)
    wrong = _otherwise(found, kind)
    if len(ends) != 2:
        wrong.append(f"{len(ends)} tokens around a sentence")
    if any(token["single_word"] or not token["special"] for token in added):
        wrong.append("added tokens other than special ones")
    if [ids[piece] for piece in vocabulary] != list(range(len(vocabulary))):
        wrong.append("a vocabulary with gaps")
    if kind is BYTE_PAIRS and not ids.keys() >= BYTES.keys():
        wrong.append("a vocabulary without some bytes")
    if wrong:
        raise ModelError(
            "Expected a tokenizer with BERT's word pieces or RoBERTa's pairs of bytes, which a reader's browser can "
            f"run, found {wrong[0]} in {name}; take `live` away from it in the settings."
        )
    return {
        "kind": called,
        "added": [{key: token[key] for key in ("content", "lstrip", "rstrip", "normalized")} for token in added],
        "begin": ends[0],
        "end": ends[1],
        "mask": tokenizer.mask_token_id,
        "punctuation": _punctuation(tokenizer, len(vocabulary)),
        "vocabulary": vocabulary,
        **kind.settings(found),
    }


def _otherwise(found: Mapping[str, Any], kind: Kind) -> list[str]:
    """What the tokenizer has otherwise than its kind, in words."""
    wrong = []
    for part, settings in kind.expected.items():
        there, called = found[part] or {"type": None}, part.replace("_", "-")
        if there["type"] != settings["type"]:
            wrong.append(f"{there['type'] or 'none'} as its {called}")
        else:
            unlike = [key for key, value in settings.items() if there[key] != value]
            wrong += [f"{key} = {there[key]} in its {called}" for key in unlike]
    return wrong


def _punctuation(tokenizer: Any, size: int) -> list[int]:
    """The ids that measures count as periods and commas."""
    return [at for at in range(size) if CLASS_OF.get(tokenizer.decode([at]).strip()) is TokenClass.PUNCTUATION]
