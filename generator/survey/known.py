"""Checks that a tokenizer knows the words of a corpus: a model also loads with a tokenizer that is not its own."""

from collections import Counter
from collections.abc import Iterable

from generator.corpora.classes import ADDED
from generator.corpora.pairs import Input
from generator.errors import ModelError
from generator.models.encoder import Encoder
from generator.numbers.number import alone
from generator.numbers.writing import percent

NO_NUMBER = "It refuses a text that a tokenizer does not know."

MOST = 0.5
"""The largest share of unknown tokens: with more, the numbers would be about the unknown token."""


def check_known(encoder: Encoder, corpus: str, inputs: Iterable[Input]) -> None:
    """Raises ModelError if most tokens of a corpus are the unknown token; tokens that are mere blanks do not count."""
    tokenizer = encoder.tokenizer
    counts = Counter(
        token for item in inputs for token, kind in zip(item.input_ids, item.classes, strict=True) if kind not in ADDED
    )
    unknown = counts.pop(tokenizer.unk_token_id, 0)
    known = sum(count for token, count in counts.items() if tokenizer.decode([token]).strip())
    if unknown > MOST * (unknown + known):
        share = percent(alone(unknown / (unknown + known)), against=(MOST,))
        raise ModelError(
            f"Expected the tokenizer of {encoder.id} to know most of {corpus}, found {share} of its tokens "
            "unknown; give the tokenizer that belongs to the model, or a text that the model can read."
        )
