"""A head's sentence and kind follow from its numbers by rules: each is reached, and turns at its boundary."""

import math
from collections.abc import Mapping

import pytest

from generator.pages.heads.summary import (
    BROAD,
    KINDS,
    MOST,
    NEARLY_ALL,
    NOTABLE,
    SILENT,
    TARGETS,
    Summary,
    Target,
    summarise,
)

EPSILON = 1e-6
UNIFORM = {target.column: 0.01 for target in TARGETS} | {"entropy.all": 4.0}
EACH_TARGET = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.kind)


def of(entropy: float = 1.0, **shares: float) -> Summary:
    """The summary of a head that gives these kinds of target these shares, and nothing to the others."""
    values = {target.column: shares.get(target.kind, 0.0) for target in TARGETS}
    return summarise(values | {"entropy.all": entropy}, UNIFORM)


def with_norm(target: Target, share: float, norm: float) -> str:
    """The sentence of a head whose target has this share and this contribution."""
    values = {other.column: 0.0 for other in TARGETS} | {"entropy.all": 1.0, target.column: share}
    return summarise(values | ({target.norm: norm} if target.norm else {}), UNIFORM).text


def test_every_kind_is_reached() -> None:
    reached = {of(**{target.kind: 0.9}).kind for target in TARGETS} | {of(entropy=3.9).kind, of().kind}
    assert reached == set(KINDS)


@EACH_TARGET
def test_head_is_named_after_a_target_that_takes_more_than_half(target: Target) -> None:
    above, at = of(**{target.kind: MOST + EPSILON}), of(**{target.kind: MOST})
    assert (above.kind, above.first, above.share) == (target.kind, target.kind, MOST + EPSILON)
    assert above.text.startswith(
        f"Looks mostly at {target.words} ({MOST + EPSILON} of its attention; uniform would give 0.01)."
    )
    assert (at.kind, at.first) == ("mixed", target.kind)


@EACH_TARGET
def test_almost_only_begins_above_two_thirds(target: Target) -> None:
    assert "Looks almost only at" in of(**{target.kind: NEARLY_ALL + EPSILON}).text
    assert "Looks mostly at" in of(**{target.kind: NEARLY_ALL}).text


def test_largest_of_two_targets_names_the_head() -> None:
    assert of(begin=0.6, separator=0.7).kind == "separator"
    assert of(begin=0.7, separator=0.6).kind == "begin"


def test_head_is_broad_from_four_fifths_of_the_uniform_entropy() -> None:
    most = UNIFORM["entropy.all"]
    above = of(entropy=BROAD * most + EPSILON)
    assert (above.kind, above.first) == ("broad", "broad")
    assert above.share == pytest.approx(BROAD)
    assert above.text == "Looks almost everywhere: entropy 3.2 of the 4 nats of uniform attention."
    assert of(entropy=BROAD * most).kind == "mixed"


def test_share_of_a_broad_head_is_at_most_one() -> None:
    assert of(entropy=UNIFORM["entropy.all"] * 1.01).share == 1


def test_target_wins_over_breadth() -> None:
    assert of(entropy=3.9, begin=0.6).kind == "begin"


def test_mixed_head_names_its_two_largest_targets() -> None:
    seen = of(begin=0.2, previous=0.4, next=0.3)
    assert (seen.kind, seen.first, seen.share) == ("mixed", "previous", 0.4)
    assert "0.4 goes to the previous token and 0.3 goes to the next token (entropy 1 of 4 nats)" in seen.text
    assert "begin" not in seen.text


def test_mixed_head_names_no_target_below_the_line() -> None:
    assert "0.15 goes to the next token" in of(next=NOTABLE).text
    below = of(next=NOTABLE - EPSILON)
    assert (below.kind, below.first) == ("mixed", "mixed")
    assert "goes to" not in below.text


@EACH_TARGET
def test_looked_at_more_than_used_is_said_from_half_of_the_weight_down(target: Target) -> None:
    share = 0.8
    said = " Counted by norm, that is only 0.4 of what it writes."
    assert with_norm(target, share, SILENT * share - EPSILON).endswith(said) == bool(target.norm)
    assert "Counted by norm" not in with_norm(target, share, SILENT * share)


@EACH_TARGET
def test_undefined_norm_is_passed_over(target: Target) -> None:
    assert "norm" not in with_norm(target, 0.8, math.nan)


@pytest.mark.parametrize("missing", [{"begin"}, {"begin", "separator"}], ids=["begin", "both"])
def test_undefined_targets_are_never_named(missing: set[str]) -> None:
    """A tokenizer without special tokens leaves their measures undefined."""
    values: Mapping[str, float] = {t.column: math.nan if t.kind in missing else 0.3 for t in TARGETS}
    seen = summarise(values | {"entropy.all": 1.0}, UNIFORM)
    assert seen.kind == "mixed"
    assert seen.first not in missing
    assert "nan" not in seen.text
    assert not math.isnan(seen.share)
