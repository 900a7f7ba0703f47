"""A pattern of its maps, or what a task loses without it, names a head from the threshold on and not before."""

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from generator.claims.gate.maps import FEWEST, NEAR, PATTERN, SPECIAL, Measured, patterns
from generator.claims.gate.statement import given
from generator.measures.patterns import PATTERNS
from generator.measures.position import OFFSET_COLUMNS
from generator.numbers.number import Number
from generator.numbers.simultaneous import widened
from generator.pages.heads.naming.patterns import pattern_trait
from generator.pages.heads.naming.trait import Trait
from generator.pages.heads.summary import TARGETS
from generator.topics.tasks.claims import needs as gate
from generator.topics.tasks.claims.needs import losses
from generator.topics.tasks.page.needed import needed
from generator.topics.tasks.page.words import NAMES
from tests.pages.heads.tiny import PLACES, atlas_of

EDGE = 1e-6
HALF = 0.5
HEADS = 12
NAMED = pytest.mark.parametrize("pattern", [name for name in PATTERNS if name != "heterogeneous"])
WORDS = {target.column: target.words for target in TARGETS}
LOOKED_AT = {name: Number(0.3, 0.2, 0.4, 40) for name in (*SPECIAL, *NEAR, *OFFSET_COLUMNS)}
TASK, OTHER = list(NAMES)[:2]
PLACE = (2, 3)


def of(pattern: str, share: Number, uniform: float = 0.0, heads: int = HEADS, **numbers: Number) -> Trait | None:
    """What names a head of which this share of maps has a pattern, and the others none; it looks at all tokens of which
    `numbers` do not say otherwise.
    """
    values = {f"pattern.{name}": Number(0.0, 0.0, 0.0, share.n) for name in PATTERNS}
    expected = dict.fromkeys(values, 0.0) | {f"pattern.{pattern}": uniform}
    expected |= dict.fromkeys(LOOKED_AT, 0.05)
    measured = values | LOOKED_AT | {f"pattern.{pattern}": share} | numbers
    one = Measured((1, 1), measured, expected, heads, Number(0.3, 0.3, 0.3, 40))
    return next((pattern_trait(said, one, WORDS) for said in given(patterns(one))), None)


def share_of(lower: float, heads: int, value: float = 0.8, n: int = 40) -> Number:
    """A share whose interval, widened for so many heads, ends at `lower`."""
    factor = 1 - widened(Number(1.0, 0.0, 1.0, n), heads).low
    return Number(value, value - (value - lower) / factor, 0.95, n)


@NAMED
def test_a_pattern_names_a_head_if_an_interval_for_all_heads_lies_above_one_half(pattern: str) -> None:
    found = of(pattern, share_of(HALF + EDGE, HEADS))
    assert found is not None
    assert (found.kind, found.share) == (PATTERN, 0.8)
    assert re.fullmatch(r".*(\. I|: i)n 80 % \(.*\) of inputs .*\d+ % .*; with uniform .*, in none.", found.text)
    share = "30 % of its attention goes to "
    assert found.text.startswith("Where an input holds two texts" if pattern == "block" else share)
    assert of(pattern, share_of(HALF - EDGE, HEADS)) is None


@NAMED
def test_the_more_heads_a_model_has_the_surer_a_pattern_must_be(pattern: str) -> None:
    share = share_of(HALF + EDGE, HEADS)
    assert of(pattern, share, heads=HEADS - 1)
    assert of(pattern, share, heads=HEADS + 1) is None


@NAMED
def test_a_pattern_that_uniform_attention_has_as_often_names_no_head(pattern: str) -> None:
    share = share_of(0.7, HEADS)
    found = of(pattern, share, uniform=0.7 - EDGE)
    assert found is not None
    assert found.text.endswith("; with uniform attention, in 70 %.")
    assert of(pattern, share, uniform=0.7 + EDGE) is None


def test_nothing_is_named_on_a_handful_of_documents_and_equal_maps_still_have_an_interval() -> None:
    least = FEWEST
    assert of("vertical", Number(1.0, 1.0, 1.0, least))
    assert of("vertical", Number(1.0, 1.0, 1.0, least - 1)) is None
    assert of("vertical", Number(1.0, 1.0, 1.0, least), uniform=0.8) is None, "one more map might have none"


def test_heterogeneous_maps_and_undefined_shares_name_no_head() -> None:
    assert of("heterogeneous", Number(1.0, 1.0, 1.0, 40)) is None
    assert of("vertical", Number(math.nan, math.nan, math.nan, 40)) is None


@pytest.mark.parametrize(
    ("pattern", "without", "title"),
    [
        ("vertical", (), "looks at [CLS] and [SEP]"),
        ("vertical", ("attention.sep",), "looks at [CLS]"),
        ("diagonal", (), "looks at neighbouring tokens"),
        ("diagonal", ("attention.self",), "looks at neighbouring tokens"),
        ("diagonal", ("attention.next",), "looks at the previous token and the token itself"),
        ("mixed", ("attention.cls", "attention.self", "attention.previous"), "looks at [SEP] and the next token"),
        ("block", (), "looks widely within its own text"),
    ],
)
def test_a_name_lists_the_tokens_at_which_the_head_looks(pattern: str, without: tuple[str, ...], title: str) -> None:
    found = of(pattern, Number(1.0, 1.0, 1.0, 40), **dict.fromkeys(without, Number(0.05, 0.04, 0.06, 40)))
    assert found is not None
    assert found.title == title


@pytest.mark.parametrize(
    ("share", "title"),
    [(0.29, "looks at [SEP] and the previous token"), (0.31, "looks at the previous token and [SEP]")],
)
def test_a_name_begins_with_the_tokens_that_get_more(share: float, title: str) -> None:
    rare = dict.fromkeys(("attention.cls", "attention.self", "attention.next"), Number(0.05, 0.04, 0.06, 40))
    more = {"attention.sep": Number(0.3, 0.29, 0.31, 40), "attention.previous": Number(share, 0.28, 0.32, 40)}
    found = of("mixed", Number(1.0, 1.0, 1.0, 40), **rare, **more)
    assert found is not None
    assert found.title == title


def test_a_special_token_that_there_is_not_is_not_told() -> None:
    found = of("vertical", Number(1.0, 1.0, 1.0, 40), **{"attention.cls": Number(math.nan, math.nan, math.nan, 0)})
    assert found is not None
    assert found.title == "looks at [SEP]"
    assert "[CLS]" not in found.text


def costs(place: Path, *changes: tuple[str, str, float], lead: float = 0.3, mean: float = 0.0, n: int = 50) -> Mapping:
    """What names heads, from (task, way, upper end of the change of PLACE); every other head changes nothing."""
    heads: list[dict[str, Any]] = []
    facts: list[dict[str, Any]] = []
    for task, way, high in changes:
        of_study = {"model": "Tiny", "corpus": task, "study": "disabling", "n": n}
        for layer, head in PLACES:
            low, value, end = (-0.3 + high, -0.15 + high, high) if (layer, head) == PLACE else (-0.01, 0.0, 0.01)
            row = {"name": f"{way}.family", "layer": layer, "head": head, "value": value, "low": low, "high": end}
            heads.append(of_study | row)
        for name, about in (("base.lead", lead), (f"{way}.mean", mean)):
            facts.append(of_study | {"name": name, "layer": 0, "value": about + 0.1, "low": about, "high": about + 0.2})
    said = given(losses(atlas_of(place, head_facts=heads, facts=facts).results))
    return {one.place: needed(one, len(PLACES)) for one in reversed(said)}


def test_a_loss_beyond_that_of_a_head_drawn_at_random_names_a_head(tmp_path: Path) -> None:
    found = costs(tmp_path / "a", (TASK, "uniform", -EDGE))
    assert list(found) == [PLACE]
    assert found[PLACE].kind == gate.COST
    assert found[PLACE].title == f"is needed for {NAMES[TASK]}"
    assert found[PLACE].text.startswith("Making its attention uniform costs 15 points (0.0001 to 30) of ")
    assert found[PLACE].text.endswith("; a head drawn at random gains 10 points (0 to 20).")
    assert found[PLACE].share == pytest.approx(0.15, abs=1e-5)
    assert costs(tmp_path / "b", (TASK, "uniform", EDGE)) == {}


def test_any_head_costs_something_on_a_task_of_which_every_head_does(tmp_path: Path) -> None:
    """The mean change over heads begins at -0.3, so a loss must surely be larger."""
    found = costs(tmp_path / "a", (TASK, "zero", -0.3 - EDGE), mean=-0.3)
    assert found[PLACE].text.endswith("; a head drawn at random costs 20 points (10 to 30).")
    assert costs(tmp_path / "b", (TASK, "zero", -0.3 + EDGE), mean=-0.3) == {}


def test_the_more_tasks_and_ways_are_tried_the_surer_a_loss_must_be(tmp_path: Path) -> None:
    small = (TASK, "uniform", -0.01)
    assert costs(tmp_path / "a", small)
    assert costs(tmp_path / "b", small, (OTHER, "uniform", 0.1), (OTHER, "zero", 0.1)) == {}
    assert costs(tmp_path / "c", small, (TASK, "zero", -0.1))[PLACE].text.startswith("Setting its output to zero")


def test_a_task_that_was_not_learned_or_has_few_examples_names_no_head(tmp_path: Path) -> None:
    change = (TASK, "uniform", -0.1)
    assert costs(tmp_path / "a", change, lead=EDGE)
    assert costs(tmp_path / "b", change, lead=0.0) == {}
    assert costs(tmp_path / "c", change, n=gate.FEWEST - 1) == {}
