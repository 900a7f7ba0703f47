"""Light and dark are two readings of one palette, readable in both, and the only source of colours."""

import re
from dataclasses import fields
from itertools import combinations, pairwise
from typing import Any

import pytest

from generator.charts.growth import SERIES as GROWTH
from generator.charts.theme import (
    COUNTED,
    DARK,
    DIRECTIONS,
    LIGHT,
    PATTERNS,
    ROLES,
    SCHEMES,
    SYSTEMS,
    Palette,
    codes,
    css,
    signals,
    vega_config,
)
from generator.measures.patterns import PATTERNS as CLASSED
from generator.pages.heads.summary import kinds as every_kind
from generator.site.loaded import ASSETS
from generator.topics.learning.charts.series import CONTEXT_SERIES
from generator.topics.tokens.page.roles import MARKS
from tests.charts.contrast import DRAWN, READABLE, SIGHT, apart, colour, contrast, luminance

HEX = re.compile(r"#[0-9a-f]{6}")
BOTH = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
STYLE = (ASSETS / "fieldguide.css").read_text(encoding="utf-8")


def colours(value: Any) -> set[str]:
    """Every colour in nested settings."""
    return set(HEX.findall(repr(value)))


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "rgb(255, 255, 255)") == pytest.approx(21)
    assert contrast("#808080", "#808080") == 1
    assert contrast("#777777", "#ffffff") < READABLE < contrast("#767676", "#ffffff")


def test_light_and_dark_have_the_same_names() -> None:
    assert set(LIGHT.kinds) == set(DARK.kinds) == set(every_kind())
    assert [*LIGHT.patterns] == [*DARK.patterns] == [*CLASSED]
    assert set(LIGHT.roles) == set(DARK.roles) == set(MARKS)
    assert len(LIGHT.ramp) == len(DARK.ramp)
    assert set(signals(LIGHT)) == set(signals(DARK))
    assert set(SCHEMES) == {"default", "slate"}


@BOTH
def test_every_colour_is_written_in_full(palette: Palette) -> None:
    values = [value for field in fields(palette) if isinstance(value := getattr(palette, field.name), str)]
    assert all(HEX.fullmatch(value) for value in [*values, *palette.ramp, *palette.kinds.values()])


@BOTH
@pytest.mark.parametrize("name", ["ink", "muted", "accent"])
def test_text_reads_on_the_page(palette: Palette, name: str) -> None:
    assert contrast(getattr(palette, name), palette.page) >= READABLE


@BOTH
def test_ramp_runs_one_way_from_the_page(palette: Palette) -> None:
    steps = [luminance(colour(step)) for step in palette.ramp]
    page = luminance(colour(palette.page))
    assert [abs(step - page) for step in steps] == sorted(abs(step - page) for step in steps)
    assert all(one != other for one, other in pairwise(steps))


@BOTH
def test_kinds_of_heads_differ_in_colour(palette: Palette) -> None:
    assert len(set(palette.kinds.values())) == len(palette.kinds)


@BOTH
def test_no_two_codes_share_a_colour(palette: Palette) -> None:
    """Kinds of heads, verdicts, layers, patterns, roles and norms: what is told apart in one table is no less apart
    from what another says.
    """
    tables = {name: [*colours.values()] for name, colours in codes(palette).items()}
    tables |= {"layer": [*palette.ramp], "norm": [palette.contrast]}
    for one, other in combinations(tables.values(), 2):
        assert all(apart(left, right) > 0.035 for left in one for right in other)


@BOTH
@pytest.mark.parametrize(("code", "least"), [("pattern", 0.09), ("role", 0.2)])
def test_colours_of_a_code_are_seen_on_the_page_and_told_apart_with_any_sight(
    palette: Palette, code: str, least: float
) -> None:
    """Patterns lie beside each other in a bar; points with a role lie anywhere."""
    shades = [*codes(palette)[code].values()]
    assert all(contrast(shade, palette.page) >= DRAWN for shade in shades)
    for sight in SIGHT:
        assert all(apart(one, other, sight) > least for one, other in combinations(shades, 2))


@BOTH
def test_norms_are_seen_beside_weights_and_tokens_with_any_sight(palette: Palette) -> None:
    assert contrast(palette.contrast, palette.page) >= DRAWN
    for sight in SIGHT:
        assert all(apart(palette.contrast, one, sight) > 0.09 for one in (palette.accent, palette.muted))


def test_what_is_no_head_takes_no_colour_of_a_kind_or_verdict() -> None:
    for series in (PATTERNS, ROLES, COUNTED, DIRECTIONS, SYSTEMS, CONTEXT_SERIES):
        assert not [name for name in series.values() if name.startswith(("kind_", "verdict_"))]
    assert not [name for name, _ in GROWTH.values() if name.startswith(("kind_", "verdict_"))]


@BOTH
def test_charts_take_every_colour_from_the_palette(palette: Palette) -> None:
    known = colours([getattr(palette, field.name) for field in fields(palette)])
    assert colours(vega_config(palette)) <= known
    assert colours(signals(palette)) <= known


def test_style_sheet_names_no_colour() -> None:
    assert not re.findall(r"#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(", STYLE)


def test_styles_use_only_colours_that_both_schemes_define() -> None:
    used = set(re.findall(r"var\((--fg-[\w-]+)", css() + STYLE))
    blocks = re.findall(r'data-md-color-scheme="\w+"\] \{(.*?)\}', css(), re.DOTALL)
    assert len(blocks) == len(SCHEMES)
    for block in blocks:
        assert used <= set(re.findall(r"(--fg-[\w-]+):", block))


def test_every_kind_of_head_has_a_class_of_its_colour() -> None:
    for kind in every_kind():
        assert f".fg-kind-{kind} {{ background-color: var(--fg-kind-{kind}); }}" in css()
