"""Pictures that Vega draws for a site, and the charts compiled for them; a folder keeps both, so each is made once."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import vl_convert
from markupsafe import escape

from generator.cache import Cache
from generator.charts import ROWS
from generator.charts.theme import DARK, LIGHT, SCHEMES, Palette, signals, vega_config
from generator.topics import PROGRAM

SPOKEN = re.compile(r' (?:aria-[a-z]+|role|class|pointer-events|xlink:href|xmlns:xlink|version)="[^"]*"')
"""Attributes that a still picture does not need: it has one name for all its marks, and no links."""
EMPTY = re.compile(r'</?a\b[^>]*>|<path d="M0,0h0v0h0Z"[^>]*/>|<g\b[^>]*?(?:/|></g)>')
GRADIENT = re.compile(r'(id="|url\(#)(gradient_\d+)')
"""Matches where a gradient is named; Vega counts gradients over all pictures of a process."""
HEX = re.compile(r"#[0-9a-f]{6}")
DARKER = {light: signals(DARK)[name] for name, light in signals(LIGHT).items()} | {LIGHT.line: DARK.line}
"""A colour of the light scheme -> that of the dark one."""
SIZE = re.compile(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"')


class StaticPicture(NamedTuple):
    """A picture as SVG, and its size in pixels."""

    svg: str
    width: int
    height: int


class StaticPictures:
    """Draws pictures, and keeps them and the charts that were compiled for them in a folder."""

    def __init__(self, folder: Path) -> None:
        self.cache = Cache(folder)
        self._charts: dict[str, dict[str, Any]] = {}
        """Kind -> chart, without data."""

    def draw(
        self, kind: str, rows: Sequence[Mapping[str, Any]], settings: Mapping[str, Any], label: str, width: int
    ) -> dict[str, StaticPicture]:
        """Colour scheme -> the picture of a chart, `width` pixels wide; other arguments are as in `compile.chart`."""
        chart = self._compiled(kind)
        light = self._drawn(filled(chart, rows, settings, width, LIGHT), label)
        if "heatmap" in json.dumps(chart["scales"]):  # exchanging the palette's colours misses those between them
            dark = self._drawn(filled(chart, rows, settings, width, DARK), label)
        else:
            dark = darkened(light)
        return {scheme: static_picture(svg) for scheme, svg in zip(SCHEMES, (light, dark), strict=True)}

    def _compiled(self, kind: str) -> dict[str, Any]:
        """A chart as Vega draws it, without data."""

        def compile_chart() -> bytes:
            from generator.charts.compile import compiled  # noqa: PLC0415 - loads Altair

            return json.dumps(compiled(kind)).encode()

        if kind not in self._charts:
            self._charts[kind] = json.loads(self._kept(kind, compile_chart))
        return self._charts[kind]

    def _drawn(self, spec: dict[str, Any], label: str) -> str:
        asked = json.dumps([label, spec], sort_keys=True, separators=(",", ":"))
        return self._kept(asked, lambda: _bare(vl_convert.vega_to_svg(spec), label).encode()).decode()

    def png(self, svg: str) -> bytes:
        """A picture as PNG, in its own size."""
        return self._kept(svg, lambda: vl_convert.svg_to_png(svg, scale=1))

    def _kept(self, asked: str, draw: Callable[[], bytes]) -> bytes:
        return self.cache.get(f"{_makers()} {asked}", draw)


@cache
def _makers() -> str:
    """Checksum of all that decides how charts are compiled and drawn: their code, and the versions of libraries."""
    files = (
        path
        for folder in PROGRAM
        for path in sorted(folder.rglob("*.py"))
        if "charts" in path.relative_to(folder).with_suffix("").parts
    )
    libraries = (metadata.version(name).encode() for name in ("altair", "vl-convert-python"))
    return hashlib.sha256(b"\0".join([*libraries, *(file.read_bytes() for file in files)])).hexdigest()


def darkened(svg: str) -> str:
    """A picture in the colours of the dark scheme; it has none between those of the ramp."""
    return HEX.sub(lambda found: DARKER.get(found[0], found[0]), svg)


def static_picture(svg: str) -> StaticPicture:
    """A picture with its size."""
    width, height = map(round, size_of(svg))
    return StaticPicture(svg, width, height)


def size_of(svg: str) -> tuple[float, float]:
    """Width and height of a picture in pixels, as Vega or a writer of pictures put them."""
    ends = SIZE.match(svg)
    assert ends
    return float(ends[1]), float(ends[2])


def filled(
    chart: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    settings: Mapping[str, Any],
    width: int,
    palette: Palette,
) -> dict[str, Any]:
    """The Vega specification of a compiled chart with its data and colours, `width` pixels wide."""
    facts = {**signals(palette), **settings}
    spec: dict[str, Any] = {**chart, "config": vega_config(palette)}
    spec["signals"] = [
        {"name": "width", "value": width}
        if signal["name"] == "width"
        else {**signal, **({"value": facts[signal["name"]]} if signal["name"] in facts else {})}
        for signal in spec["signals"]
    ]
    spec["data"] = [{**source, **({"values": list(rows)} if source["name"] == ROWS else {})} for source in spec["data"]]
    return spec


def _bare(svg: str, label: str) -> str:
    """The picture with `label` as its name, without the names of its marks, which are two thirds of its size, and with
    gradients counted from 0.
    """
    before, bare = "", SPOKEN.sub("", svg)
    # A group becomes empty when what it held is removed, so once over the text is not enough.
    while bare != before:
        before, bare = bare, EMPTY.sub("", bare)
    # So a picture is the same whatever else its process has drawn.
    gradients = list(dict.fromkeys(name for _, name in GRADIENT.findall(bare)))
    bare = GRADIENT.sub(lambda found: f"{found[1]}gradient_{gradients.index(found[2])}", bare)
    return re.sub(r"^<svg[^>]*>", lambda found: f'{found[0][:-1]} role="img"><title>{escape(label)}</title>', bare)
