"""What is said of a head without a name: that it leans to something, or why it does not."""

import pytest

from generator.claims.gate import maps
from generator.claims.gate.maps import Measured
from generator.claims.gate.statement import Asks, Check, Statement, given
from generator.numbers.number import Number, exact
from generator.numbers.simultaneous import widened
from generator.pages.heads.aside import Aside, Reason
from generator.pages.heads.naming.names import of_maps
from generator.pages.heads.summary import MOST, Summary, summarise
from generator.pages.heads.summary import kinds as every_kind
from tests.pages.heads.test_summary import COLUMNS, EPSILON, UNIFORM, N, numbers, summary

MARKS = "periods and commas"


def elsewhere(*rows: tuple[str, str, float]) -> tuple[tuple[str, dict[str, object]], ...]:
    """Rows of what treebanks say: the treebank, what gets attention in it, and how much."""
    return tuple(
        (maps.ELSEWHERE, {"corpus": corpus, "name": f"{name}.outside"} | exact(share, N)._asdict())
        for corpus, name, share in rows
    )


def refused(
    one: Measured, *rows: tuple[str, str, float], asks: Asks = "elsewhere", only: str = " in text"
) -> Statement:
    """The lean of a head that something speaks against."""
    (lean,) = maps.leans(one, COLUMNS)
    return lean._replace(checks=(Check(asks, False, ""),), rows=elsewhere(*rows), only=only)


def test_a_head_that_would_lean_but_for_another_text_says_so() -> None:
    """As all-mpnet-base-v2 6-11, which gives periods and commas 38 %, but in sentences </s> more."""
    one = Measured((1, 1), numbers(punctuation=0.38, separator=0.09), UNIFORM, 1)
    said = (("ewt", "punctuation", 0.2), ("ewt", "twin", 0.1), ("ewt", "punctuation", 0.2), ("ewt", "sep", 0.3))
    moved = summarise(one, (), lean=refused(one, *said))
    assert moved.title == "prefers periods and commas in running text and [SEP] in single sentences"
    assert moved.badge[0] == f"Supported: sentences give [SEP] more, {N} documents"
    assert moved.text == (
        "In running text 38 % of its attention goes to periods and commas and 9 % to [SEP]; in single sentences 30 % "
        "goes to [SEP] and 20 % to periods and commas."
    )
    assert moved.looks == ("attention.punctuation", "attention.sep"), "both are drawn"
    both = summarise(one, (), lean=refused(one, *said, ("gum", "punctuation", 0.18), ("gum", "cls", 0.35)))
    assert both.title == "prefers periods and commas in running text and [SEP] and [CLS] in single sentences"
    assert both.text.endswith(
        "in single sentences 35 % goes to [CLS] and 18 % to periods and commas, or 30 % to [SEP] and 20 %."
    )


@pytest.mark.parametrize(
    ("asks", "sure"),
    [
        ("premise", "Undecided: few documents"),
        (
            "range",
            f"Undecided: 38 % to 38 % to {MARKS}, in an interval for all heads at once; a third would be a lean",
        ),
        ("null", "Undecided: uniform attention may give periods and commas as much"),
        ("elsewhere", "Undecided: over a third to periods and commas, but not surely the most in every text"),
    ],
)
def test_the_badge_says_what_a_lean_asks_for_in_vain(asks: Asks, sure: str) -> None:
    one = Measured((1, 1), numbers(punctuation=0.38, separator=0.09), UNIFORM, 1)
    seen = summarise(one, (), lean=refused(one, asks=asks, only=""))
    assert (seen.title, seen.badge[0]) == (
        "has no clear job: a mix of periods and commas and other tokens",
        f"{sure}, {N} documents",
    )


def leaning(looked: bool = True, aside: Aside | None = None, **shares: float) -> Summary:
    """The summary of a head with these shares, of which the gate gives the leans, too."""
    one = Measured((1, 1), numbers(**shares), UNIFORM, 1)
    return summarise(
        one,
        given((*of_maps(one, COLUMNS), *maps.leans(one, COLUMNS), *maps.pairs(one, COLUMNS))),
        (),
        None,
        aside,
        looked=looked,
    )


def test_a_head_without_a_name_says_what_it_leans_to_and_has_no_specialty_all_the_same() -> None:
    above, at = leaning(punctuation=maps.LEANING + EPSILON), leaning(punctuation=maps.LEANING)
    assert (above.title, above.leans) == ("leans to periods and commas", True)
    assert (at.title, at.leans) == ("has no clear job: a mix of periods and commas and other tokens", False)
    assert above.kind == at.kind == "none", "a lean is no name, and nothing counts it"
    assert above.called == at.called == every_kind()["none"]
    told = leaning(punctuation=0.46, begin=0.2)
    assert told.text == (
        "46 % of its attention goes to periods and commas, where uniform attention would give 1 %, and 20 % to [CLS]."
    )
    assert leaning(punctuation=MOST + EPSILON).title == "looks at periods and commas", "a name goes before a lean"
    assert leaning(looked=False, punctuation=0.46).title == "leans to periods and commas"
    assert above.badge[0] == f"Supported: surely over a third, {N} documents"
    pair = leaning(begin=0.3, separator=0.25)
    assert pair.badge[0] == f"Supported: surely over half together, {N} documents"
    assert (pair.title, pair.kind, pair.leans) == ("leans to [CLS] and to [SEP]", "none", True)
    assert pair.text == (
        "30 % of its attention goes to [CLS] and 25 % to [SEP]: together more than half, where uniform attention would "
        "give 2 %."
    )
    assert pair.looks == ("attention.cls", "attention.sep")
    other = Aside("objects", "finds some", "Finds some.", Reason("few", "they are few"), 30)
    assert leaning(aside=other, punctuation=0.46).title == "finds some"


@pytest.mark.parametrize(
    ("high", "sure"),
    [
        (maps.LEANING - EPSILON, "Supported: no special token, mark or neighbour gets a third ([CLS] at most 33 %)"),
        (
            maps.LEANING,
            "Undecided: 10 % to 33 % to [CLS], in an interval for all heads at once; a third would be a lean",
        ),
    ],
)
def test_without_a_lean_the_badge_says_whether_a_target_may_get_a_third(high: float, sure: str) -> None:
    assert pytest.approx(1 / 3) == maps.LEANING, "the badge says a third"
    values = numbers(begin=0.2) | {"attention.cls": Number(0.2, 0.1, high, N)}
    assert summary(values).badge[0] == f"{sure}, {N} documents"


def test_the_ends_that_the_badge_tells_allow_for_all_heads() -> None:
    values = numbers(begin=0.2) | {"attention.cls": Number(0.3, 0.28, 0.32, N)}
    sure = widened(values["attention.cls"], 144)
    low, high = (f"{100 * end:.0f} %" for end in (sure.low, sure.high))
    assert summary(values, heads=144).badge[0].startswith(f"Undecided: {low} to {high} to [CLS], in an interval")
