"""A written page tells how attention forms in models whose training is stored."""

from pathlib import Path

from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, plain
from generator.topics.learning.page.data import step_text
from generator.topics.learning.page.written import half_formed
from tests.topics.learning.page.courses import STEPS, Course


def test_a_written_page_tells_of_every_training(atlas: Atlas, tmp_path: Path) -> None:
    """The numbers are those of `forming`, which has a test of its own."""
    made = Course().everything(("attention.next", "entropy.all"))
    made.forms("attention.next", 1, 2)
    grown = made.store(tmp_path)
    step = step_text(STEPS[2])
    half = half_formed([atlas, grown, grown], "findings/learning-curve/")
    clause = f"n Tiny, head 1-2 was half-way to looking at the next token by step {step}"
    assert plain(half) == f"I{clause}; i{clause}."
    assert {Link("Tiny", "../../models/tiny/curve/"), Link("1-2", "../../models/tiny/heads/1-2/")} <= {*half}
    assert half_formed([atlas], "") == ""
