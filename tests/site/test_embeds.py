"""In Chromium: any figure can be shown on another site, in a frame or as a picture, in light and in dark colours."""

import json
import re
from html import unescape
from urllib.request import urlopen

import pytest

from generator.charts.theme import DARK, LIGHT
from tests.site.browser import Visit
from tests.site.documents import Document
from tests.site.project import HEAD, MODEL, Site
from tests.site.test_downloads import opened

pytestmark = pytest.mark.browser
FIGURES = {"atlas": MODEL, "maps": HEAD}
"""One whose pictures are files beside the page, and one whose pictures are written into it."""
CORNER = """async ([address, width, height]) => {
  const picture = Object.assign(new Image(), { src: address, width, height });
  await picture.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(picture, 0, 0, width, height);
  const bytes = canvas.getContext("2d").getImageData(0, 0, width, height).data;
  return [[...bytes.slice(0, 3)], new Set(new Uint32Array(bytes.buffer)).size];
}"""
"""The colour of a picture's corner, and how many colours it has."""


def code(visit: Visit, figure: str, dark: bool) -> tuple[str, list[tuple[str, int, int]]]:
    """What a figure's menu gives for other sites: the address of the frame, and the pictures with their sizes."""
    menu = opened(visit, f"#{figure}")
    menu.get_by_label("in dark colours").set_checked(dark)
    menu.get_by_role("button", name="Embed").click()
    text = menu.locator(".fg-citation").inner_text()
    (frame,) = re.findall(r'<iframe src="([^"]*)" title="[^"]+"', text)
    pictures = re.findall(r'<img src="([^"]*)" alt="[^"]+" width="(\d+)" height="(\d+)">', text)
    return frame, [(address, int(width), int(height)) for address, width, height in pictures]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("figure", FIGURES)
def test_the_code_of_a_figure_shows_it_elsewhere(visit: Visit, figure: str, dark: bool) -> None:
    page = visit.go(FIGURES[figure])
    label = page.locator(f"#{figure} .fg-title").inner_text()
    frame, pictures = code(visit, figure, dark)
    assert len(pictures) == page.locator(f"#{figure} .fg-chart").count()
    palette = DARK if dark else LIGHT
    for picture in pictures:
        corner, colours = page.evaluate(CORNER, picture)
        assert "#" + bytes(corner).hex() == palette.page
        assert colours > 20, "something is drawn"
    page.goto(frame)
    shown = page.locator(f"main > figure#{figure}")
    assert shown.locator(".fg-title").inner_text() == label
    assert page.locator("figure").count() == 1
    files = page.locator("head > link:not([rel=canonical])").evaluate_all("all => all.map(one => one.href)")
    assert files
    assert not [one for one in files if not one.startswith(f"{visit.address}assets/")], (
        "icon and style are this page's own"
    )
    shown.locator(".fg-charts").hover()
    page.locator(f"#{figure}[data-drawn={'slate' if dark else 'default'}]").wait_for()
    assert page.locator("main > a").evaluate("one => one.href") == visit.address + FIGURES[figure]


@pytest.mark.parametrize("asked", ["page=nowhere/&figure=atlas", f"page={MODEL}&figure=top", "page=//example.org/"])
def test_a_frame_for_what_is_not_there_leads_to_the_site(visit: Visit, asked: str) -> None:
    page = visit.page
    page.goto(f"{visit.address}embed/?{asked}", wait_until="networkidle")
    visit.problems[:] = [one for one in visit.problems if "404" not in one]
    assert page.locator("main > p > a").evaluate("one => one.href") == visit.address


def test_a_page_with_figures_says_how_to_show_it_elsewhere(visit: Visit, site: Site) -> None:
    links = {
        name: [
            one.attributes["href"] for one in Document(html).find("link") if "oembed" in one.attributes.get("type", "")
        ]
        for name, html in site.pages().items()
    }
    with_figures = {name for name, html in site.pages().items() if 'class="fg-figure"' in html}
    assert {name for name, found in links.items() if found} == with_figures
    (address,) = links[f"{HEAD}index.html"]
    with urlopen(address) as answer:
        told = json.load(answer)
    assert (told["version"], told["type"]) == ("1.0", "rich")
    (frame,) = re.findall(r'src="([^"]*)"', told["html"])
    visit.page.goto(unescape(frame))
    assert visit.page.locator("main > figure").get_attribute("id") == "offsets"
