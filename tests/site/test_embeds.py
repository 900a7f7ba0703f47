"""In Chromium: any figure or table can be shown on another site, in a frame or as a picture, light and dark."""

import json
import re
from html import unescape
from urllib.parse import parse_qs, unquote, urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page

from generator import __version__
from generator.charts.theme import DARK, LIGHT
from tests.site.browser import UNFOLD, Visit, until
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
OPEN = "document.querySelectorAll('article details, main details').forEach(one => { one.open = true; })"
CODES = """() => [...document.querySelectorAll(".fg-menu")].filter(menu => !menu.closest("figure")).map(menu => {
  [...menu.querySelectorAll("button")].find(one => one.textContent === "Embed").click();
  const part = menu.previousElementSibling;
  const rows = [...part.querySelectorAll("tr"), ...(part.rows || [])].map(row => row.textContent);
  return [menu.querySelector("pre").textContent, rows];
})"""
SIZE = re.compile(r'width="\d+" height="\d+"')


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
    page.locator(f"#{figure}").evaluate(UNFOLD)
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
    assert not [file for file in files if not file.startswith(f"{visit.address}assets/")], (
        "icon and style are this page's own"
    )
    shown.locator(".fg-charts").hover()
    page.locator(f"#{figure}[data-drawn={'slate' if dark else 'default'}]").wait_for()
    assert source(page) == f"{visit.address}{FIGURES[figure]}#{figure}"


def embedded(page: Page) -> list[tuple[str, list[str]]]:
    """The code in the menu of each table of a page, and the table's rows."""
    page.locator(".fg-menu").first.wait_for(state="attached")
    page.evaluate(OPEN)
    until(page, "[...document.querySelectorAll('.fg-menu')].every(one => one.querySelector('pre'))")
    return page.evaluate(CODES)


def source(page: Page) -> str:
    """Where the line below what a frame shows leads; the line also names the version."""
    line = page.locator("main > p:last-child")
    assert line.evaluate("one => one.getBoundingClientRect().bottom <= innerHeight"), "in view below a long table, too"
    assert line.inner_text().endswith(f"Fieldguide, version {__version__}")
    return line.locator("a").evaluate("one => one.href")


@pytest.mark.parametrize("place", [HEAD, "claims/", "claims/c04/", "data/", "reproduce/"])
def test_the_code_of_a_table_shows_it_alone_elsewhere(visit: Visit, place: str) -> None:
    """Also where several stand at one anchor, on a hand-written page, and for the matrix of claims."""
    page = visit.go(place)
    found = embedded(page)
    assert len({code for code, _ in found}) == len(found) > 0
    for at, (code, rows) in enumerate(found):
        (address, label) = re.findall(r'<iframe src="([^"]*)" title="([^"]+)"', code)[0]
        asked, dark = parse_qs(urlsplit(address).query), at % 2 == 1
        assert asked["page"] == [place]
        page.goto(address + "&scheme=dark" * dark)
        page.locator("main .fg-menu").wait_for()
        assert page.locator("main > .fg-title").inner_text() == unescape(label)
        ((again, shown),) = embedded(page)
        assert (shown, again) == (rows, code.replace(SIZE.findall(code)[0], SIZE.findall(again)[0]))
        assert unquote(source(page)) == f"{visit.address}{place}#{asked['table'][0]}"
        corner = page.locator("body").evaluate("one => getComputedStyle(one).backgroundColor")
        palette = DARK if dark else LIGHT
        assert corner == f"rgb{tuple(bytes.fromhex(palette.page[1:]))}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "a wide table scrolls in itself"


def test_a_frame_of_the_matrix_says_which_model_is_which(visit: Visit) -> None:
    page = visit.page
    page.goto(f"{visit.address}embed/?page=claims/&table=matrix")
    page.locator("main .fg-menu").wait_for()
    legend = page.locator("main > ul").inner_text()
    numbers = (
        page.locator("thead").first.locator("abbr").evaluate_all("all => all.map(one => [one.textContent, one.title])")
    )
    assert len(numbers) == 2
    assert all(f"{number} {model}" in legend for number, model in numbers)


def test_a_frame_without_scripts_has_a_link(browser: Browser, site: Site) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.address}embed/?page={HEAD}&table=numbers")
    with context.expect_page() as opened:
        page.locator("main a").click()
    assert opened.value.url == site.address
    context.close()


@pytest.mark.parametrize(
    "asked",
    [
        "page=nowhere/&figure=atlas",
        f"page={MODEL}&figure=top",
        "page=//example.org/",
        f"page={MODEL}&table=nowhere",
        f"page={HEAD}&table=numbers&at=99",
    ],
)
def test_a_frame_for_what_is_not_there_leads_to_the_site(visit: Visit, asked: str) -> None:
    page = visit.page
    page.goto(f"{visit.address}embed/?{asked}", wait_until="networkidle")
    visit.problems[:] = [problem for problem in visit.problems if "404" not in problem]
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
    assert visit.page.locator("main > figure").get_attribute("id") == "classes"
