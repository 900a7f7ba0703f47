"""The four classes of token that the special-token measures tell apart.

Clark et al. 2019, section 3.2, follow attention to [CLS], to [SEP] and to periods and commas; every other
token is the fourth class, so that each token has exactly one.
"""

from collections.abc import Mapping
from enum import IntEnum


class TokenClass(IntEnum):
    """The class of one token; the values index the class axis of every primitive."""

    BEGIN = 0
    """The token put before the text: [CLS], <s>."""
    SEPARATOR = 1
    """Any other token the tokenizer adds: [SEP], </s>."""
    PUNCTUATION = 2
    """A token of the text that is exactly "." or ","."""
    OTHER = 3
    """All other tokens of the text."""


CLASSES = len(TokenClass)
ADDED = (TokenClass.BEGIN, TokenClass.SEPARATOR)
"""The classes of tokens that a tokenizer adds to the text, if it adds any."""
CLASS_OF: Mapping[str, TokenClass] = {
    **dict.fromkeys(
        ("[CLS]", "<s>", "<cls>", "[BOS]", "<bos>", "<|startoftext|>", "<|begin_of_text|>"), TokenClass.BEGIN
    ),
    **dict.fromkeys(
        ("[SEP]", "</s>", "<sep>", "[EOS]", "<eos>", "<|endoftext|>", "<|end_of_text|>"), TokenClass.SEPARATOR
    ),
    **dict.fromkeys((".", ","), TokenClass.PUNCTUATION),
}
"""Token -> its class, for text that was tokenized elsewhere; all other tokens are of the fourth class."""
