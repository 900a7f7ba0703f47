"""The title of a head's map of a sentence: what a word really looks at most, and no trifle beside it."""

import numpy as np
import pytest

from generator.pages.heads.atlas import Example
from generator.pages.heads.sentences import _seen

TOKENS = ["[CLS]", "old", "clock", ",", "[SEP]"]
COMMA, SEPARATOR = 3, 4


@pytest.mark.parametrize(
    ("old", "clock", "told"),
    [
        ((0.1, 0.0, 0.6, 0.2, 0.1), (0.1, 0.3, 0.2, 0.2, 0.2), "“old” gives “clock” 60 %"),
        ((0.0, 0.0, 0.1, 0.7, 0.2), (0.1, 0.4, 0.1, 0.2, 0.2), "“clock” gives “old” 40 %"),
        ((0.0, 0.0, 0.1, 0.7, 0.2), (0.0, 0.1, 0.0, 0.0, 0.9), "“clock” gives “[SEP]” 90 %"),
        ((0.0, 0.1, 0.2, 0.7, 0.0), (0.0, 0.1, 0.2, 0.6, 0.1), "“old” gives “,” 70 %"),
        ((0.1, 0.8, 0.1, 0.0, 0.0), (0.1, 0.4, 0.1, 0.2, 0.2), "“old” gives itself 80 %"),
    ],
)
def test_the_title_names_what_a_word_looks_at_most(old: tuple[float], clock: tuple[float], told: str) -> None:
    weights = np.eye(len(TOKENS))
    weights[1], weights[2] = old, clock
    assert _seen("3-1", Example("Old clock,", TOKENS, weights)) == f"In head 3-1, {told} of its attention"


def test_a_sentence_without_words_has_a_plain_title() -> None:
    assert _seen("3-1", Example(",", ["[CLS]", ",", "[SEP]"], np.eye(3))) == "Attention of head 3-1"
