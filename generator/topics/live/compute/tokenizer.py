"""What the tokenizer in the browser needs to know: it reads WordPiece vocabularies as BERT's do, and no other."""

import json
from typing import Any

from generator.errors import ModelError

EXPECTED = {"normalizer": "BertNormalizer", "pre_tokenizer": "BertPreTokenizer", "model": "WordPiece"}
"""Part of a tokenizer -> the kind that the browser knows."""


def tokenizer_of(name: str, tokenizer: Any) -> dict[str, Any]:
    """The settings and the vocabulary of a model's tokenizer. Raises ModelError for one of another kind."""
    found = json.loads(tokenizer.backend_tokenizer.to_str())
    for part, kind in EXPECTED.items():
        there = (found[part] or {}).get("type", "none")
        if there != kind:
            raise _refused(name, f"{there} as its {part.replace('_', '-')}")
    normalizer, model = found["normalizer"], found["model"]
    added = found["added_tokens"]
    changed = [one["content"] for one in added if any(one[key] for key in ("single_word", "lstrip", "rstrip"))]
    if changed or not all(one["special"] for one in added):
        raise _refused(name, "added tokens other than special ones")
    lowercase, accents = normalizer["lowercase"], normalizer["strip_accents"]
    vocabulary = sorted(model["vocab"], key=model["vocab"].__getitem__)
    if [model["vocab"][piece] for piece in vocabulary] != list(range(len(vocabulary))):
        raise _refused(name, "a vocabulary with gaps")
    return {
        "clean": normalizer["clean_text"],
        "chinese": normalizer["handle_chinese_chars"],
        "accents": lowercase if accents is None else accents,
        "lowercase": lowercase,
        "prefix": model["continuing_subword_prefix"],
        "longest": model["max_input_chars_per_word"],
        "unknown": model["unk_token"],
        "added": {one["content"]: one["id"] for one in added},
        "begin": tokenizer.cls_token_id,
        "end": tokenizer.sep_token_id,
        "mask": tokenizer.mask_token_id,
        "vocabulary": vocabulary,
    }


def _refused(name: str, found: str) -> ModelError:
    return ModelError(
        f"Expected a WordPiece tokenizer of BERT's kind, which a reader's browser can run, found {found} in {name}; "
        "take `live` away from it in the settings."
    )
