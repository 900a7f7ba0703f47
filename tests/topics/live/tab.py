"""A tab in which a model runs, and scripts as modules of which a test can take parts."""

import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Locator, Page

from generator.models.source import Source
from generator.topics.live.compute.extra import FILE, made
from generator.topics.live.page.scripts import ASSETS, FOLDER
from tests.site.browser import tab
from tests.site.project import server

BLANK = "<!doctype html><meta charset=utf-8><title>A model</title>"
ENGINE = """
async (given) => {
  const { Engine, Tokenizer } = await import("./parts.js");
  const engine = new Engine("./live-worker.js");
  window.ask = (asked) => engine.ask({ ...asked, ...given });
  window.tokenizer = async () => {
    const { tokenizer, positions } = await (await fetch(given.address)).json(), made = new Tokenizer(tokenizer);
    return (text) => made.read(text, positions);
  };
}
"""
"""Makes two functions of the tab: `ask`, which asks the worker, and `tokenizer`, which gives that of the model."""


@contextmanager
def running(browser: Browser, root: Path) -> Iterator[Callable[[Source], Page]]:
    """A tab in which a model runs, by where the model's files lie; `root` is an empty folder."""
    for name, parts in ASSETS.items():
        (root / name).write_text("".join(part.read_text(encoding="utf-8") for part in parts), encoding="utf-8")
    write_module(root / "parts.js", ("visible", "engine", "tokenizer"), ("Engine", "Tokenizer"))
    with served(browser, root) as (address, page):

        def ready(source: Source) -> Page:
            folder = root / source.folder.parent.name / source.folder.name
            if not folder.exists():
                write(folder, source)
            whole = (folder / FILE).read_bytes()
            total = len(whole) + json.loads(whole)["bytes"]
            told = {"bytes": len(whole), "crc32": zlib.crc32(whole)}
            page.goto(address)
            place = folder.relative_to(root).as_posix()
            page.evaluate(ENGINE, {"address": f"{address}{place}/{FILE}", "told": told, "total": total})
            return page

        yield ready


@contextmanager
def served(browser: Browser, root: Path) -> Iterator[tuple[str, Page]]:
    """The address of a folder with an empty page, and a tab that shows this."""
    (root / "index.html").write_text(BLANK, encoding="utf-8")
    with server(root) as address, tab(browser) as page:
        page.goto(address)
        yield address, page


def write_module(path: Path, scripts: tuple[str, ...], names: tuple[str, ...]) -> None:
    """Write scripts as a module from which a test can take what has these names."""
    told = "".join((FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in scripts)
    path.write_text(f"{told}\nexport {{ {', '.join(names)} }};\n", encoding="utf-8")


def write(folder: Path, source: Source) -> None:
    """Make the files of a model, which is compared with itself on one short input."""
    folder.mkdir(parents=True)
    for name, content in made(source, [(np.array([2, 7, 9, 3]), np.zeros(4, np.int64))]).items():
        (folder / name).write_bytes(content)


def typed(page: Page, text: str) -> Locator:
    """Type a sentence and ask for it; gives the place of what is shown."""
    page.locator(".fg-live input").fill(text)
    page.locator(".fg-live form button").click()
    return page.locator(".fg-live-shown")


def renderers(browser: Browser) -> set[int]:
    """The processes of its tabs."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return {int(one["id"]) for one in told if one["type"] == "renderer"}
