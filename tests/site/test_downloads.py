"""In Chromium: the menu of a figure gives its data as CSV, its charts as Vega-Lite, SVG and PNG; a table's its CSV."""

import csv
import io
import json
import re
import struct
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
import vl_convert
from playwright.sync_api import Locator

from generator import __version__
from generator.charts.theme import DARK, LIGHT
from generator.measures.position import FAR_COLUMNS, OFFSET_COLUMNS
from generator.pages.citing import BIBTEX, PLAIN, citation
from generator.pages.figures import CLASS_ROWS, SINGLE, SPECIAL
from generator.results.as_csv import inert
from tests.charts.contrast import READABLE, contrast
from tests.site import hostile
from tests.site.browser import UNFOLD, Visit
from tests.site.project import HEAD, HOSTILE_MODEL, MODEL, Site
from tests.site.test_choices import choose
from tests.site.test_figures import LAYER, NUMBER

pytestmark = pytest.mark.browser
CHARTS = {"atlas": ("grid", "curves"), "offsets": ("offsets",), "classes": ("classes",), "maps": ("map",)}
TABLE = "#numbers .fg-scroll"
Shown = tuple[Visit, str]


@pytest.fixture(params=CHARTS)
def shown(request: pytest.FixtureRequest, model: Visit, head: Visit) -> Shown:
    """Gives each figure's name with a tab that shows it."""
    return (model if request.param == "atlas" else head), request.param


def opened(visit: Visit, place: str) -> Locator:
    """The menu of a figure, or the one that follows a table, opened."""
    menu = visit.page.locator(f"{place} .fg-menu, {place} + .fg-menu").first
    menu.evaluate(UNFOLD)
    if not menu.evaluate("one => one.open"):
        menu.locator("summary").click()
    return menu


def download(visit: Visit, place: str, label: str) -> tuple[str, bytes]:
    """Click a button; returns the name the file is given, and its content."""
    button = opened(visit, place).get_by_role("button", name=label, exact=True)
    with visit.page.expect_download() as waiting:
        button.click()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def picture(visit: Visit, figure: str, kind: str, format: str) -> tuple[str, bytes]:  # noqa: A002 - as the button says
    """One chart of a figure in a format; the button names the chart only where there are several."""
    return download(visit, f"#{figure}", format + (f" ({kind})" if len(CHARTS[figure]) > 1 else ""))


def rows(visit: Visit, figure: str) -> list[dict[str, str]]:
    """The figure's CSV, parsed; every row says where it is from, and of which version."""
    content = download(visit, f"#{figure}", "CSV")[1].decode("utf-8")
    listed = list(csv.DictReader(io.StringIO(content, newline="")))
    assert {row.pop("version") for row in listed} == {__version__}
    assert {row.pop("source") for row in listed} == {f"{visit.page.url}#{figure}"}
    return listed


def drawn(specification: dict[str, Any]) -> str:
    """SVG of a specification, drawn without a browser."""
    return vl_convert.vegalite_to_svg({**specification, "width": 400})


def test_csv_of_the_grid_has_a_row_per_head_with_the_stored_numbers(model: Visit, site: Site) -> None:
    found = rows(model, "atlas")
    assert [(int(row["layer"]), int(row["head"])) for row in found] == site.plain.places
    for name in ("value", "low", "high"):
        stored = getattr(site.plain.estimates[SINGLE[0].name], name).ravel().tolist()
        assert [float(row[name]) for row in found] == stored, "not rounded"


def test_csv_of_the_offsets_and_classes_of_a_head_has_their_rows_with_the_stored_numbers(
    head: Visit, site: Site
) -> None:
    offsets, classes = rows(head, "offsets"), rows(head, "classes")
    assert [row["counted"] for row in classes] == ["weight", "norm", "tokens"] * 4
    names = FAR_COLUMNS[0], *OFFSET_COLUMNS[1:-1], FAR_COLUMNS[1], *(one.column for one in SPECIAL)
    assert len(offsets) == len(names)
    of_classes = [name for _, *both in CLASS_ROWS for name in both]
    measured = [row for row in classes if row["counted"] != "tokens"]
    for row, name in (*zip(offsets, names, strict=True), *zip(measured, of_classes, strict=True)):
        stored = site.plain.estimates[name]
        told = [float(getattr(stored, end)[1, 2]) for end in ("value", "low", "high")]
        assert [float(row[end]) for end in ("value", "low", "high")] == told, name
        assert "decimals" not in row


def test_csv_of_a_map_has_a_row_per_pair_of_tokens_of_the_chosen_sentence(visit: Visit, site: Site) -> None:
    visit.go(f"{HOSTILE_MODEL}heads/{LAYER}-{NUMBER}/")
    visit.figure("maps")
    choose(visit, "maps", 1)
    _, tokens, weights = site.atlases[hostile.NAME].examples[LAYER, NUMBER][1]
    found = rows(visit, "maps")
    assert [(row["query"], row["key"]) for row in found] == [(query, key) for query in tokens for key in tokens]
    assert [float(row["weight"]) for row in found] == [round(float(weight) * 1000) / 1000 for weight in weights.ravel()]
    assert {row["decimals"] for row in found} == {"3"}


def test_vega_lite_holds_the_rows_and_draws_elsewhere(shown: Shown) -> None:
    visit, figure = shown
    listed = rows(visit, figure)
    for kind in CHARTS[figure]:
        specification = json.loads(picture(visit, figure, kind, "Vega-Lite")[1])
        data = specification["datasets"][specification["data"]["name"]]
        told = [{name: "" if value is None else value for name, value in row.items()} for row in data]
        read = [
            {
                name: text == "true" if isinstance(row[name], bool) else type(row[name])(text)
                for name, text in line.items()
            }
            for row, line in zip(told, listed, strict=True)
        ]
        assert told == read
        marks = [one for one in ET.fromstring(drawn(specification)).iter() if one.get("role") == "graphics-symbol"]
        assert len(marks) == visit.page.locator(f"#{figure} [data-kind={kind}] [role=graphics-symbol]").count()


@pytest.mark.parametrize("page_dark", [False, True], ids=["on light", "on dark"])
@pytest.mark.parametrize("asked", [False, True], ids=["light", "dark"])
def test_what_is_saved_is_light_unless_dark_is_asked_for_whatever_the_reader_sees(
    visit: Visit, page_dark: bool, asked: bool
) -> None:
    """Its text must read on its own background wherever it is opened, and its bars keep their colours."""
    visit.go(HEAD)
    visit.figure("classes")
    if page_dark:
        visit.turn_dark()
    opened(visit, "#classes").get_by_label("in dark colours").set_checked(asked)
    palette = DARK if asked else LIGHT
    for svg in (
        drawn(json.loads(picture(visit, "classes", "classes", "Vega-Lite")[1])),
        picture(visit, "classes", "classes", "SVG")[1].decode(),
    ):
        assert set(re.findall(r'<text[^>]* fill="([^"]+)"', svg)) == {palette.ink}
        assert contrast(palette.ink, palette.page) >= READABLE
        assert {palette.page, palette.accent, palette.contrast} <= set(re.findall(r'fill="(#[0-9a-f]{6})"', svg))


@pytest.mark.parametrize(("place", "anchor"), [("#offsets", "offsets"), (TABLE, "numbers")], ids=["figure", "table"])
def test_figures_and_tables_are_cited_in_words_and_in_bibtex_with_version_and_address(
    visit: Visit, place: str, anchor: str
) -> None:
    page = visit.go(HEAD)
    menu = opened(visit, place)
    menu.get_by_role("button", name="Cite", exact=True).click()
    label = page.locator(place).first.evaluate(
        "one => one.querySelector('.fg-title')?.textContent || one.getAttribute('aria-label')"
    )
    title = f"{page.title().removesuffix(' - Fieldguide')}: {label}"
    assert anchor == "numbers" or "%" in title, "the page has a sign that LaTeX takes for something else"
    told = menu.locator(".fg-citation").inner_text()
    assert told == "\n\n".join(citation(form, title, f"{page.url}#{anchor}") for form in (PLAIN, BIBTEX))


def test_csv_of_a_table_has_its_numbers_its_intervals_apart_and_where_it_is_from(head: Visit, site: Site) -> None:
    name, content = download(head, TABLE, "CSV")
    listed = {row["measure"]: row for row in csv.DictReader(io.StringIO(content.decode("utf-8"), newline=""))}
    stored = site.plain.estimates["attention.previous"]
    row = listed["Attention to the previous token"]
    ends = (row["value"], row["95 % interval from"], row["95 % interval to"])
    measured = (float(getattr(stored, end)[1, 2]) for end in ("value", "low", "high"))
    assert [float(end) for end in ends] == [pytest.approx(end, abs=0.001) for end in measured]
    assert (row["source"], row["version"]) == (f"{head.page.url}#numbers", __version__)
    assert len(listed) == head.page.locator(f"{TABLE} tbody tr").count()
    assert name == "2-3-numbers.csv"


def test_svg_is_whole_in_itself_and_holds_the_marks(shown: Shown) -> None:
    visit, figure = shown
    for kind in CHARTS[figure]:
        name, content = picture(visit, figure, kind, "SVG")
        elements = list(ET.fromstring(content).iter())
        on_page = visit.page.locator(f"#{figure} [data-kind={kind}] [role=graphics-symbol]").count()
        assert name.endswith(f"-{kind}.svg")
        assert sum(element.get("role") == "graphics-symbol" for element in elements) == on_page > 0
        outside = [
            value for element in elements for value in element.attrib.values() if "url(" in value or "://" in value
        ]
        assert all(value.startswith("url(#") for value in outside)


def test_png_is_a_picture_of_twice_the_size(shown: Shown) -> None:
    visit, figure = shown
    for kind in CHARTS[figure]:
        name, content = picture(visit, figure, kind, "PNG")
        width = int(visit.page.locator(f"#{figure} [data-kind={kind}] svg").get_attribute("width") or 0)
        assert name.endswith(f"-{kind}.png")
        assert content.startswith(b"\x89PNG\r\n\x1a\n")
        assert struct.unpack(">I", content[16:20])[0] == pytest.approx(2 * width, abs=2)


def test_the_menu_of_a_figure_opens_its_table(model: Visit) -> None:
    """There is no second line for it."""
    figure = model.page.locator("#atlas")
    opened(model, "#atlas")
    button, table = figure.locator(".fg-menu button", has_text="Table"), figure.locator(".fg-table")
    assert not table.locator("> summary").is_visible()
    for shown in (True, False):
        assert button.get_attribute("aria-expanded") == str(not shown).lower()
        button.click()
        figure.locator(f".fg-menu button[aria-expanded={str(shown).lower()}]").wait_for()
        assert table.locator("table").is_visible() == shown


def test_names_of_files_tell_heads_and_measures_apart(visit: Visit) -> None:
    visit.go(MODEL)
    visit.figure("atlas")
    names = [download(visit, "#atlas", "CSV")[0]]
    choose(visit, "atlas", 1)
    names.append(download(visit, "#atlas", "CSV")[0])
    for place in (HEAD, f"{MODEL}heads/1-1/"):
        visit.go(place)
        visit.figure("offsets")
        names.append(download(visit, "#offsets", "CSV")[0])
    assert len(set(names)) == len(names)


def test_names_of_files_are_the_same_from_disk(from_disk: Visit, head: Visit) -> None:
    from_disk.go(f"{HEAD}index.html")
    from_disk.figure("offsets")
    assert download(from_disk, "#offsets", "CSV")[0] == download(head, "#offsets", "CSV")[0]


def test_a_table_of_a_hand_written_page_has_a_menu_with_its_rows_and_its_heading(visit: Visit) -> None:
    page = visit.go("reproduce/")
    page.locator("article table + .fg-menu, .md-typeset__scrollwrap + .fg-menu").first.wait_for()
    tables = page.locator("article table:not([class])")
    assert page.locator(".fg-menu").count() == page.locator("article table").count() == tables.count() > 0
    rows = tables.first.evaluate("one => [...one.rows].map(row => [...row.cells].map(cell => cell.textContent))")
    place = ".md-typeset__scrollwrap"
    name, content = download(visit, place, "CSV")
    heads, *found = csv.reader(io.StringIO(content.decode()))
    assert name.startswith("reproduce-")
    assert heads[-2:] == ["source", "version"]
    assert [row[:-2] for row in [heads, *found]] == [list(map(inert, row)) for row in rows]
    assert {row[-1] for row in found} == {__version__}
    (source,) = {row[-2] for row in found}
    heading = page.locator(f"[id='{source.partition('#')[2]}']")
    menu = opened(visit, place)
    menu.get_by_role("button", name="Cite", exact=True).click()
    told = menu.locator(".fg-citation").inner_text()
    assert heading.evaluate("one => one.firstChild.textContent") in told
    assert source in told
