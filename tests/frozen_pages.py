"""What some pages of a stored model say: a change of code that is meant to change no page changes no sentence of these.

`python -m tests.frozen_pages` renews the file where a sentence is meant to change, and shows which lines changed.
"""

import html
import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path

import pytest

from generator.home import TEMPLATES
from generator.pages.bibliography import read_bibliography
from generator.pages.claims.tables import Ledger
from generator.pages.renderer import Renderer
from generator.results.store import Results
from tests.pages.every import pages
from tests.renewal import Renewal
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
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e-?\d+)?")
ROUNDED = 0.1
"""Another processor may round the last digit otherwise: by one, and of two digits by no more than a tenth."""
Lines = list[str]
Pages = dict[str, Lines]
"""Address -> what the page says."""
Pair = tuple[str | None, str | None]
"""A line of before, one of now; None where there is none."""
_BLOCK = re.compile(r"<(?:p|li|h\d|tr|dt|figcaption|option|summary)\b[^>]*>")
_DRAWN = re.compile(r"<(svg|picture|script|style)\b.*?</\1>", re.DOTALL)


def text_of(page: str) -> str:
    """What a page says, a line for each paragraph, row or item; pictures are left out."""
    bare = re.sub(r"<[^>]+>", " ", _BLOCK.sub("\n", _DRAWN.sub("", page)))
    lines = (" ".join(line.split()) for line in html.unescape(bare).split("\n"))
    return "\n".join(filter(None, lines))


def every_page() -> dict[str, str]:
    """The HTML of every page of the model, by its address, as the code makes it now."""
    results = [Results.open(ROOT / "data" / "results" / MODEL)]
    sources = read_bibliography(ROOT / "docs" / "references.bib")
    return {page.address: page.html for page in pages(results, Ledger.of(results), Renderer(TEMPLATES), sources)}


def written(made: Mapping[str, str] | None = None) -> Pages:
    """All of these pages as the code makes them now, from `every_page`."""
    made = every_page() if made is None else made
    return {address: text_of(made[address]).split("\n") for address in PAGES}


def read() -> Pages:
    """What the file holds."""
    parts = (part.rstrip("\n").split("\n") for part in FILE.read_text(encoding="utf-8").split(HEADING)[1:])
    return {address: lines for address, *lines in parts}


def compare(before: Pages, now: Pages) -> Renewal:
    """Lines that are new, gone or changed, by address; one that only rounds otherwise stays as it was."""
    kept, changes = {}, []
    for address in dict.fromkeys([*now, *before]):
        pairs = list(_pairs(before.get(address, []), now.get(address, [])))
        kept[address] = [was if _alike(was, line) else line for was, line in pairs if line is not None]
        changed = (zip("-+", pair, strict=True) for pair in pairs if not _alike(*pair))
        told = [f"{sign} {line}" for pair in changed for sign, line in pair if line is not None]
        changes += ["\n".join([f"/{address}", *told])] if told else []
    text = "".join("\n".join([f"{HEADING}{address}", *kept[address], ""]) for address in now)
    return Renewal(changes, text, f"{len(now)} pages, {sum(map(len, kept.values()))} lines")


def _pairs(were: Lines, are: Lines) -> Iterator[Pair]:
    """Lines of before beside those of now: as they stand if all are alike, else as they fit."""
    if len(were) == len(are) and all(map(_alike, were, are)):
        return zip(were, are, strict=True)
    return _fit(str, partial(_fit, _bare, _apart), were, are)


def _fit(form: Callable[[str], str], others: Callable[[Lines, Lines], Iterator[Pair]], *texts: Lines) -> Iterator[Pair]:
    """Lines of the same form side by side; `others` pairs what lies between them."""
    before, now = ([form(line) for line in lines] for lines in texts)
    for way, start, end, first, last in SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        were, are = texts[0][start:end], texts[1][first:last]
        yield from zip(were, are, strict=True) if way == "equal" else others(were, are)


def _apart(were: Lines, are: Lines) -> Iterator[Pair]:
    yield from ((was, None) for was in were)
    yield from ((None, line) for line in are)


def _alike(was: str | None, now: str | None) -> bool:
    """Whether two lines are the same but for how a number is rounded."""
    if was is None or now is None or _bare(was) != _bare(now):
        return False
    return all(map(_rounds, NUMBER.findall(was), NUMBER.findall(now)))


def _bare(line: str) -> str:
    return NUMBER.sub("#", line)


def _rounds(was: str, now: str) -> bool:
    old, new = (Decimal(one.replace(",", "")) for one in (was, now))
    last = Decimal(10) ** int(old.as_tuple().exponent)
    return abs(new - old) <= last and float(new) == pytest.approx(float(old), rel=ROUNDED)


if __name__ == "__main__":
    print(compare(read(), written()).write(FILE))
