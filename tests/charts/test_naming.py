"""Names in charts cover no line, no point and no other name, and stay in the plot, however wide it is."""

from itertools import combinations

import numpy as np
import pytest

from generator.charts.naming.places import APART, AWAY, BROAD, SLIM, Side, Track, beside_lines, beside_points
from generator.charts.naming.signals import Spot, Upright, extremes, lines
from generator.charts.static.frame import width_of

TALL = 240
LONG = "norm of the transformed vector"


def curves(seed: int) -> dict[str, Track]:
    """Three curves of ten points."""
    rng = np.random.default_rng(seed)
    walks = np.clip(rng.uniform(0, TALL, (3, 1)) + rng.normal(0, 15, (3, 10)).cumsum(1), 0, TALL)
    names = ("[CLS]", LONG, "adjusted")
    return {name: [(at / 9, float(y)) for at, y in enumerate(walk)] for name, walk in zip(names, walks, strict=True)}


def box(name: str, track: Track, side: Side, wide: float) -> tuple[float, float, float, float]:
    """Left, right, upper and lower end of a name."""
    x, y = track[side.at][0] * wide + (0 if side.down else AWAY * side.aside), track[side.at][1] + side.down
    left = x - width_of(name) * {1: 0, 0: 0.5, -1: 1}[side.aside]
    return left, left + width_of(name), y - 5, y + 5


def heights(track: Track, left: float, right: float, wide: float) -> list[float]:
    """How far down a track lies, pixel by pixel, between two places."""
    if len(track) == 1:
        return [y for x, y in track if left <= x * wide <= right]
    across = np.arange(left, right)
    return [float(one) for one in np.interp(across, [x * wide for x, _ in track], [y for _, y in track])]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("widths", [SLIM, BROAD])
def test_names_beside_lines_cover_nothing_at_any_width(seed: int, widths: tuple[int, int]) -> None:
    tracks = curves(seed)
    found = beside_lines(tracks, widths, TALL)
    for wide in np.linspace(*widths, 9):
        boxes = {name: box(name, tracks[name], side, wide) for name, side in found.items()}
        for left, right, above, below in boxes.values():
            assert left >= 0
            assert right <= wide
            assert above >= 0
            assert below <= TALL
            assert not [y for track in tracks.values() for y in heights(track, left, right, wide) if above < y < below]
        for one, two in combinations(boxes.values(), 2):
            assert one[1] < two[0] or two[1] < one[0] or one[3] <= two[2] or two[3] <= one[2]


@pytest.mark.parametrize("seed", range(12))
def test_a_name_stands_nearest_to_its_own_line(seed: int) -> None:
    tracks = curves(seed)
    for name, side in beside_lines(tracks, BROAD, TALL).items():
        for wide in BROAD:
            left, right, above, below = box(name, tracks[name], side, wide)
            middle = (above + below) / 2
            away = {
                one: min(abs(y - middle) for y in heights(track, left, right, wide)) for one, track in tracks.items()
            }
            assert min(away, key=away.__getitem__) == name


def test_names_are_found_for_most_curves() -> None:
    assert sum(len(beside_lines(curves(seed), BROAD, TALL)) for seed in range(12)) > 24


def test_lines_have_all_a_name_or_a_legend() -> None:
    up = Upright(0, 1, TALL)
    apart = {name: [Spot(at, at / 4, height) for at in range(5)] for name, height in (("one", 0.2), ("two", 0.8))}
    told = lines(apart, up)
    assert told["named"] == told["named_slim"] == {"one": [4, -1, -APART], "two": [4, -1, -APART]}
    assert told["keys"] == told["keys_slim"] == [""]
    slim = lines({**apart, "W" * 40: [Spot(at, at / 4, 0.5) for at in range(5)]}, up)
    assert (slim["keys"], slim["keys_slim"]) == ([""], ["one", "two", "W" * 40])
    assert len(slim["named"]) == 3
    assert slim["named_slim"] == {}
    close = lines({**apart, "three": [Spot(at, at / 4, 0.2) for at in range(5)]}, up)
    assert close["named"] == {}
    assert close["keys"] == ["one", "two", "three"]


def test_a_curve_without_numbers_needs_a_legend() -> None:
    told = lines({"one": [Spot(1, 0.5, None)]}, Upright(0, 1, TALL))
    assert told["named"] == {}


def test_names_of_heads_are_few_and_of_those_that_lie_apart() -> None:
    heads = {f"{layer}-{head}": ((layer - 0.5) / 4, 0.1) for layer in range(1, 5) for head in range(1, 9)}
    heads |= {"1-1": (0.125, 0.99), "2-2": (0.375, 0.6), "3-3": (0.625, 0.5), "4-4": (0.875, 0.4), "4-5": (0.875, 0.15)}
    named = extremes(heads, Upright(0, 1, TALL))
    assert list(named) == ["1-1", "2-2", "3-3"]
    assert extremes(heads | {"1-1": (0.125, 0.11), "2-2": (0.375, 0.12)}, Upright(0, 1, TALL)) == {"3-3": 1, "4-4": 1}
    assert extremes(dict.fromkeys(heads, (0.5, 0.1)), Upright(0, 1, TALL)) == {}
    assert extremes({}, Upright(0, 1, TALL)) == {}


def test_the_name_of_a_head_covers_no_other_point() -> None:
    points = {"1-12": (0.02, 100.0), "2-1": (0.06, 101.0), "3-1": (0.1, 100.0), "12-12": (0.99, 100.0)}
    found = beside_points(points, TALL)
    assert "12-12" in found
    for name, side in found.items():
        for wide in (SLIM[0], BROAD[1]):
            left, right, above, below = box(name, [points[name]], side, wide)
            assert 0 <= left < right <= wide
            others = [(x * wide, y) for one, (x, y) in points.items() if one != name]
            assert not [1 for x, y in others if left < x < right and above < y < below]
