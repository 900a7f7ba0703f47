"""A written page tells how attention forms in models whose training is stored."""

from pathlib import Path

from generator.pages.curve.data import step_text
from generator.pages.curve.written import all_formed, half_formed
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, plain
from tests.pages.curve.courses import STEPS, Course


def test_a_written_page_tells_of_every_training(atlas: Atlas, tmp_path: Path) -> None:
    """The numbers are those of `forming`, which has a test of its own."""
    made = Course().everything(("attention.next", "entropy.all"))
    assert list(all_formed([atlas], "findings/learning-curve/")) == []
    made.forms("attention.next", 1, 2)
    grown = made.store(tmp_path)
    ((told, link),) = all_formed([atlas, grown], "findings/learning-curve/")
    assert plain(told).startswith(
        "In Tiny, head 1-2 came to look at the next token: from 10 % to 90 % of its attention"
    )
    assert link.href == "../../models/tiny/curve/"
    assert Link("1-2", "../../models/tiny/heads/1-2/") in told
    step = step_text(STEPS[2])
    half = half_formed([atlas, grown, grown], "findings/learning-curve/")
    clause = f"n Tiny, head 1-2 was half-way to looking at the next token by step {step}"
    assert plain(half) == f"I{clause}; i{clause}."
    assert {Link("Tiny", link.href), Link("1-2", "../../models/tiny/heads/1-2/")} <= {*half}
    assert half_formed([atlas], "") == ""
