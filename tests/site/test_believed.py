"""In Chromium: how far to believe a head stands below its sentence; heads with much to tell print on three pages."""

import re

import pytest
from playwright.sync_api import Browser

from generator.home import TEMPLATES
from generator.numbers.number import Number
from generator.pages.blocks import LINES, Items, Section
from generator.pages.heads.found import found_figure, named
from generator.pages.heads.naming.specialty import UNTRAINED, Specialty
from generator.pages.inline import Count, Link
from generator.pages.renderer import Renderer
from generator.pages.studies.tables import relation_cell, table
from tests.site.browser import NARROW, WIDE, visiting
from tests.site.project import HEAD, Site

pytestmark = pytest.mark.browser
PLACES = """() => [".fg-badge", ".fg-badge summary", ".fg-lead"].map(
  one => document.querySelector(one).getBoundingClientRect().toJSON())"""
"""Where the badge is, what is always seen of it, and the sentence above it."""
ROOM = 10
"""Pixels by which the badge is higher than what is seen of it while its reason is folded, at most."""
SENTENCE = (
    "Its place in training is not known, for which reason this sentence is as long as one that says what is. " * 3
)
RIGHT = Number(0.66, 0.63, 0.69, 1358)
RICH = Specialty(
    "relation",
    "finds prepositions and case markers",
    "prepositions and case markers (case)",
    "Right.",
    "Well supported: counted.",
    RIGHT,
    (2, 0.3),
    (("best fixed offset", Number(0.35, 0.32, 0.37, 1358)), (UNTRAINED, Number(0.1, 0.08, 0.12, 1358))),
    "case",
)


@pytest.mark.parametrize("size", [WIDE, (820, 1000), NARROW], ids=["wide", "middle", "narrow"])
def test_how_far_to_believe_a_head_stands_below_its_sentence_and_opens_without_scripts(
    browser: Browser, site: Site, size: tuple[int, int]
) -> None:
    level, why = site.plain.summaries[2, 3].badge
    with visiting(browser, site.address, size, java_script_enabled=False) as visit:
        page = visit.go(HEAD)
        badge = page.locator(".fg-badge summary")
        assert badge.inner_text().replace("\u00a0", " ").strip(" \u25be") == f"How sure? {level}"
        whole, chip, lead = page.evaluate(PLACES)
        assert lead["left"] <= chip["left"] < chip["right"] <= size[0]
        assert lead["bottom"] <= chip["top"]
        assert chip["height"] >= 24, "large enough for a finger"
        assert whole["height"] < chip["height"] + ROOM
        badge.focus()
        page.keyboard.press("Enter")
        whole, chip, *_ = page.evaluate(PLACES)
        assert whole["height"] > chip["height"] + ROOM
        assert page.locator(".fg-badge").inner_text().replace("\u00a0", " ").endswith(why)
        assert whole["right"] <= size[0], "nothing is off the screen"


def much_to_tell() -> str:
    """What stands on the page of a head that finds many relations and not on that of the tiny encoder's."""
    renderer = Renderer(TEMPLATES)
    how = "dependent to head", "0.668", "0.650 to 0.685", "2,762", "0.358 at +1"
    rows = [
        (relation_cell(one), *how, Count("0.310 (0.274 to 0.345)"), "ud-english-gum-test") for one in ("case", "cop")
    ]
    claims = [(Link("C17: A head finds what is possessed", ""), " ", Count("one of 3 heads")) for _ in range(7)]
    columns = ("finds", "how", "accuracy", "95 % interval", "n", "baseline", "gain", "corpus")
    blocks = (
        SENTENCE,
        SENTENCE,
        found_figure("2-3", named(RICH)),
        SENTENCE,
        Section("finds", "What it finds", (SENTENCE, table("What this head finds", columns, rows * 2))),
        Section("bears", "Claims it bears on", (Items(tuple(claims), style=LINES),)),
    )
    return renderer.render("blocks/section.html", Section("", "", blocks))


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_a_head_with_much_to_tell_is_printed_on_three_pages(
    browser: Browser, site: Site, paper: str, scripts: bool
) -> None:
    with visiting(browser, site.address, java_script_enabled=scripts) as visit:
        page = visit.go(HEAD)
        page.eval_on_selector(".fg-lead", "(lead, html) => lead.insertAdjacentHTML('afterend', html)", much_to_tell())
        assert page.locator("#found .fg-static").count() == 1
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper))) == 3
        page.emulate_media(media="print")
        small, around = (page.locator(one).first for one in ("td .fg-count", "td:has(.fg-count)"))
        sizes = [one.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") for one in (small, around)]
        assert sizes == sorted(sizes), "small letters are small on paper, too"
        whole, chip, *_ = page.evaluate(PLACES)
        assert whole["height"] > chip["height"] + ROOM, "nothing can be opened on paper"
