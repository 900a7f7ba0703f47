"""Published numbers beside the written picture of profiles over layers stand where Vega draws them."""

import pytest

from generator.charts.still.layers import profiles
from generator.charts.still.picture import BESIDE
from generator.charts.theme import QUANTITIES, SCHEMES, Palette
from tests.charts.still.drawn import Vega
from tests.charts.still.strokes import parsed, plot_of, written
from tests.charts.still.test_layers import keyed, numbers, phases


@pytest.mark.parametrize("palette", SCHEMES.values(), ids=SCHEMES)
def test_published_numbers_are_rings_where_vega_draws_them(palette: Palette) -> None:
    """One lies between two layers, and one above all curves, so that the axis has to reach it."""
    quantity = list(QUANTITIES)[1]
    rows = phases(numbers("quantity", [quantity], 1))
    blank = dict.fromkeys(rows[0]) | {"quantity": quantity, "found": 0, "expected": 0}
    rings = [blank | {"layer": layer, "value": value, "printed": 1} for layer, value in ((1.5, 0.1), (3, 0.77))]
    settings, every = {"depth": 4} | keyed(rows), [*rows, *rings]
    svg, vega = profiles(every, settings, "layers", BESIDE, palette), Vega("profiles", every, settings, palette)
    theirs = [one for one in vega.items("symbol", "mark") if one["fill"] == palette.page]
    ours = [*parsed(svg).iter("circle")]
    assert len(ours) == len(theirs) == len(rings)
    for one, other in zip(ours, theirs, strict=True):
        assert (one.get("fill"), one.get("stroke")) == (other["fill"], other["stroke"])
        assert float(one.get("cx", "")) / plot_of(svg)[0] == pytest.approx(other["x"] / vega.wide, abs=0.001)
        assert float(one.get("cy", "")) == pytest.approx(other["y"], abs=0.06)
        assert (2 * float(one.get("r", ""))) ** 2 == other["size"]
    assert len([style for style, _ in written(svg, palette) if style[0] == "symbol"]) == 3, "rings are not points, too"
