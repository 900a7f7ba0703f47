"""The sentence on how many strong arrows of a head are links of its relation."""

import numpy as np
import pytest

from generator.corpora.relation_names import DIRECTIONS
from generator.numbers.number import Number
from generator.pages.heads.naming.specialty import Specialty
from generator.pages.inline import inline, plain
from generator.pages.studies.seen import HALF
from generator.topics.relations.page.pick import of_arrows

RELATION = "obj"


def finds(direction: str) -> Specialty:
    """A head's specialty: this relation in this direction."""
    bare = Specialty("relation", "", "", "", "", None, (0, 0.0), ())  # type: ignore[arg-type]
    return bare._replace(relation=RELATION, direction=direction)


def of_head(*numbers: tuple[float, float, float], n: int = 4326) -> str:
    """What is said of a head whose share of right arrows, share at the offset and lead are these."""
    return plain(of_arrows(finds(DIRECTIONS[0])._replace(arrows=tuple(Number(*number, n) for number in numbers)), ""))


def test_the_sentence_says_how_many_strong_arrows_are_of_the_relation_beside_the_best_offset():
    ends = (0.06, 0.054, 0.067), (0.027, 0.02, 0.03)
    told = (
        "It does more than that: 4,326 times it gives one word over half of what words get; 6.0 % (5.4 to 6.7) of "
        "these are links of direct objects"
    )
    assert of_head(*ends, (0.033, 0.02, 0.04)) == f"{told}; at the best fixed offset, 2.7 % would be."
    assert of_head(*ends, (0.033, -0.02, 0.04)) == f"{told}, not surely more than 2.7 % at the best fixed offset."


@pytest.mark.parametrize(
    ("high", "begins"), [(HALF - 1e-6, "It does more than that: "), (HALF, "The other way round: ")]
)
def test_a_head_does_more_if_surely_most_of_its_strong_arrows_are_something_else(high: float, begins: str) -> None:
    assert of_head((0.4, 0.3, high), (0.1, 0.1, 0.1), (0.3, 0.2, 0.4)).startswith(begins)


def test_there_is_no_sentence_without_strong_arrows_or_if_they_were_not_counted():
    none = (np.nan,) * 3
    assert of_head(none, none, none, n=0) == ""
    assert of_head() == ""
    assert of_arrows(None, "") == ""


def test_a_hostile_relation_is_shown_as_text():
    hostile = finds(DIRECTIONS[0])._replace(relation="<b>{0}</b>", arrows=(Number(0.5, 0.4, 0.6, 9),) * 3)
    assert "links of &lt;b&gt;{0}&lt;/b&gt;; at" in inline(of_arrows(hostile, ""))
