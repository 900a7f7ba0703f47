"""In Chromium: the memory of the process of a tab while a model is fetched and reads the longest sentence whole."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser

from generator.models.source import Source
from tests.topics.live.tab import renderers, running
from tests.topics.live.test_in_the_browser import CLOSE, LONG, last_row

pytestmark = pytest.mark.browser
MOST = 340
"""Megabytes, those that the tab shares with others among them: a tenth more than the most of ten runs, 283 to 307."""
READ = """
async (asked) => {
  const { cut, tokens, maps } = await ask({ task: "read", measures: ["attention.next"], ...asked });
  return [cut, [...maps.slice(-tokens.length)]];
}
"""
"""Gives whether the text was cut, and the last row of the last head."""


def test_the_longest_sentence_takes_less_than_340_megabytes(
    browser: Browser, sources: Callable[[str], Source], tmp_path: Path
) -> None:
    """For one head, for all, and for all beside what they do without some."""
    source, before = sources("all-MiniLM-L6-v2"), renderers(browser)
    whole = " ".join(LONG.split()[:510])
    with running(browser, tmp_path) as ready:
        page = ready(source)
        cut, row = page.evaluate(READ, {"text": whole, "only": "6-2"})
        assert (cut, len(row)) == (False, 512)
        assert np.abs(np.array(row) - last_row(source, whole)).max() < CLOSE
        for asked in ({}, {"off": ["1-1", "2-2"]}):
            cut, row = page.evaluate(READ, {"text": LONG, **asked})
            assert (cut, len(row)) == (True, 512)
        assert 100 < max(map(highest, renderers(browser) - before)) < MOST


def highest(process: int) -> float:
    """The most megabytes that a process has had."""
    told = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    (most,) = (int(line.split()[1]) / 1024 for line in told if line.startswith("VmHWM"))
    return most
