"""What some pages of a stored model say: a change of code that is meant to change no page changes no sentence of these.

`python -m tests.frozen_pages` writes the file again, where a sentence is meant to change.
"""

import html
import re
from pathlib import Path

from generator.home import TEMPLATES
from generator.pages.bibliography import read_bibliography
from generator.pages.claims.tables import Ledger
from generator.pages.renderer import Renderer
from generator.results.store import Results
from tests.pages.every import pages
from tests.test_architecture import ROOT

FILE = Path(__file__).with_name("frozen_pages.txt")
MODEL = "bert-base-uncased-sst2"
"""All of its numbers are stored, so no model is run."""
PAGES = (
    "",
    "claims/",
    "claims/c04/",
    f"models/{MODEL}/heads/8-10/",
    f"models/{MODEL}/relations/",
    f"models/{MODEL}/patterns/",
    f"models/{MODEL}/phases/",
)
HEADING = "=== "
_BLOCK = re.compile(r"<(?:p|li|h\d|tr|dt|figcaption|option|summary)\b[^>]*>")
_DRAWN = re.compile(r"<(svg|picture|script|style)\b.*?</\1>", re.DOTALL)


def text_of(page: str) -> str:
    """What a page says, a line for each paragraph, row or item; pictures are left out."""
    bare = re.sub(r"<[^>]+>", " ", _BLOCK.sub("\n", _DRAWN.sub("", page)))
    lines = (" ".join(line.split()) for line in html.unescape(bare).split("\n"))
    return "\n".join(filter(None, lines))


def written() -> str:
    """The text of all of these pages, each under its address, as the code makes it now."""
    results = [Results.open(ROOT / "data" / "results" / MODEL)]
    sources = read_bibliography(ROOT / "docs" / "references.bib")
    made = {page.address: page for page in pages(results, Ledger.of(results), Renderer(TEMPLATES), sources)}
    return "".join(f"{HEADING}{address}\n{text_of(made[address].html)}\n" for address in PAGES)


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
