"""A tokenizer of whole words, as published BERT checkpoints frame them, for encoders that are made in a test."""

from collections.abc import Iterable, Mapping

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

ROLES = ("pad", "unk", "cls", "sep", "mask")


def whole_words(
    roles: Mapping[str, str],
    words: Iterable[str],
    split: pre_tokenizers.PreTokenizer,
    replaced: Mapping[str, str] | None = None,
) -> PreTrainedTokenizerFast:
    """`split` says what a word is, `replaced` which words are read as others."""
    vocabulary = {word: number for number, word in enumerate(dict.fromkeys([*(roles[r] for r in ROLES), *words]))}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token=roles["unk"]))
    made.normalizer = normalizers.Sequence([normalizers.Replace(*pair) for pair in (replaced or {}).items()])
    made.pre_tokenizer = split
    ends = [{"id": role, "ids": [vocabulary[roles[role]]], "tokens": [roles[role]]} for role in ("cls", "sep")]
    made.post_processor = processors.TemplateProcessing(
        single=["cls", "$A", "sep"], pair=["cls", "$A", "sep", "$B:1", "sep:1"], special_tokens=ends
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        model_max_length=128,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        **{f"{role}_token": word for role, word in roles.items()},
    )
