"""In Chromium: the site opened from its files, without a server, draws its charts and leads from page to page."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.site.browser import Visit
from tests.site.project import HEAD, MODEL, PLACES, Site

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("kind", ["home", "model", "head", "method", "hostile head"])
def test_page_from_disk_draws_its_figures(from_disk: Visit, kind: str) -> None:
    page = from_disk.go(f"{PLACES[kind]}index.html")
    assert page.locator("h1").count() == 1
    from_disk.figures()


@pytest.mark.parametrize("place", ["", HEAD], ids=["home", "head"])
def test_search_from_disk_leads_to_its_page(from_disk: Visit, place: str) -> None:
    page = from_disk.go(f"{place}index.html")
    page.locator("input.md-search__input").click()
    page.locator("input.md-search__input").press_sequentially("entropy")
    page.locator(".md-search-result__link").first.click()
    from_disk.arrive("ntropy")
    assert Path(unquote(urlsplit(page.url).path)).is_file()


@pytest.mark.parametrize(
    ("place", "click", "title"),
    [
        ("", lambda page: page.locator(".fg-cell").first.click(), "Tiny-BERT"),
        ("", lambda page: page.locator(".md-tabs").get_by_role("link", name="Methods").click(), "Methods"),
        ("heads/", lambda page: page.locator("#finder tbody a").nth(1).click(), "Head "),
        (MODEL, lambda page: page.locator("[data-kind=grid] .mark-rect path").nth(6).click(), "Head 2-3"),
        (HEAD, lambda page: page.locator("a[rel=next]").click(), "Head 2-4"),
        (HEAD, lambda page: page.locator(".fg-crumbs a").nth(1).press("Enter"), "Tiny-BERT"),
        (HEAD, lambda page: page.locator(".md-header__button.md-logo").first.click(), "What do attention heads do?"),
    ],
    ids=["cell", "tab", "row", "chart", "next", "keyboard", "logo"],
)
def test_link_from_disk_leads_to_its_page(
    from_disk: Visit, site: Site, place: str, click: Callable[..., None], title: str
) -> None:
    page = from_disk.go(f"{place}index.html")
    if place == MODEL:
        from_disk.figures()
    if place == "":
        page.locator(".fg-strip > div", has_text="Tiny-BERT").locator(".fg-cell").first.wait_for()
        page.eval_on_selector_all(
            ".fg-strip > div:not(:has(a[href*='tiny-bert']))", "all => all.map(one => one.remove())"
        )
    click(page)
    from_disk.arrive(title)
    assert Path(unquote(urlsplit(page.url).path)).is_file()
    from_disk.figures()
