"""In Chromium: how much memory the process of a tab takes while a model is fetched and reads the longest sentence."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from generator.models.source import Source
from tests.topics.live.tab import renderers, running

pytestmark = pytest.mark.browser
MOST = 300
"""Megabytes, those that the tab shares with others among them."""
READ = """
async (asked) => {
  const text = "the cat sat on a mat and ".repeat(100);
  return (await ask({ task: "read", text, measures: ["attention.next"], ...asked })).tokens.length;
}
"""


def test_the_longest_sentence_takes_less_than_three_hundred_megabytes(
    browser: Browser, sources: Callable[[str], Source], tmp_path: Path
) -> None:
    """For one head, for all, and for all beside what they do without some."""
    source, before = sources("all-MiniLM-L6-v2"), renderers(browser)
    with running(browser, tmp_path) as ready:
        page = ready(source)
        for asked in ({"only": "6-12"}, {}, {"off": ["1-1", "2-2"]}):
            assert page.evaluate(READ, asked) == 512
        assert 100 < max(map(highest, renderers(browser) - before)) < MOST


def highest(process: int) -> float:
    """The most megabytes that a process has had."""
    told = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    (most,) = (int(line.split()[1]) / 1024 for line in told if line.startswith("VmHWM"))
    return most
