"""Whether a tokenizer knows a text, at the line between."""

from collections.abc import Callable

import pytest

from generator.corpora.pairs import PairMaker
from generator.errors import ModelError
from generator.models.encoder import Encoder
from generator.survey.known import check_known

UNKNOWN, KNOWN = "一", "a"


def test_a_share_of_unknown_tokens_hard_by_the_line_does_not_read_as_if_it_lay_on_it(
    encoder: Callable[[str], Encoder],
) -> None:
    tiny = encoder("bert")
    maker = PairMaker(tiny.tokenizer, 128)
    inputs = [maker.sentence("known", KNOWN)] * 999 + [maker.sentence("unknown", UNKNOWN)] * 1000
    check_known(tiny, "mixed", [*inputs, inputs[0]])
    with pytest.raises(ModelError, match=r"to know most of mixed, found 50\.03 % of its tokens unknown;"):
        check_known(tiny, "mixed", inputs)
