"""The page of the sources: what each says, where that is told, what measures it, or why nothing does."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from generator.claims.claim import Claim
from generator.claims.sourced import Item
from generator.errors import SiteError
from generator.numbers.writing import listed
from generator.pages import addresses
from generator.pages.claims.tables import Ledger
from generator.pages.inline import Link
from generator.pages.links import to_claim
from generator.pages.written.in_markdown import anchor, text
from generator.pages.written.verdicts import verdicts

KINDS = ("measured", "under a claim that no model here can be tested for", "told but not measured", "not told")
MEASURED, UNTESTABLE, TOLD, UNTOLD = KINDS
HEAD = "| what it says | where it is told | what came of it |\n|---|---|---|\n"
_SECTION = re.compile(r"^#+ ([^\n]+)(.*?)(?=^#+ |\Z)", re.MULTILINE | re.DOTALL)


def headings(markdown: str) -> dict[str, tuple[str, str]]:
    """Anchor -> a heading and the text below it, up to the next one.

    >>> headings("# Is it [so]?")
    {'is-it-so': ('Is it [so]?', '')}
    """
    found = _SECTION.findall(markdown)
    return {
        re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading.lower())): (heading, below) for heading, below in found
    }


def said(ledger: Ledger, docs: Path, items: Sequence[Item], page: str) -> str:
    """A Markdown table of items for the page at address `page` of those in `docs`; raises SiteError for a wrong one."""
    names = {item.told.partition("#")[0] for item in items if item.told}
    pages = {name: headings((docs / name).read_text(encoding="utf-8")) for name in names if (docs / name).is_file()}
    cells = [(text(item.says), _outcome(ledger, item, page), _place(item, pages, page)) for item in items]
    return HEAD + "\n".join(f"| {says} | {place} | {outcome} |" for says, outcome, place in cells)


def answered(ledger: Ledger, items: Sequence[Item]) -> str:
    """How many of the items are of each kind: "Of 3 items, 2 are measured and 1 is not told."."""
    counts = Counter(_kind(ledger, item) for item in items)
    texts = [f"{counts[kind]} {'is' if counts[kind] == 1 else 'are'} {kind}" for kind in KINDS if counts[kind]]
    return f"Of {len(items)} items, {listed(texts)}."


def _kind(ledger: Ledger, item: Item) -> str:
    asked = (_claim(ledger, item, key) for key in item.claims)
    found = {
        (judgement.findings[part - 1] if part else judgement).verdict
        for claim, part in asked
        for _, judgement in ledger.by_model(claim)
    }
    if item.claims:
        return MEASURED if found - {"not testable"} else UNTESTABLE
    return TOLD if item.told else UNTOLD


def _claim(ledger: Ledger, item: Item, key: str) -> tuple[Claim, int]:
    """A claim, and which part of it is meant, counted from 1; 0 for the whole."""
    name, _, part = key.partition(".")
    claim = ledger.claims.get(name)
    if claim is None or part not in ("", *map(str, range(1, len(claim.parts) + 1))):
        raise SiteError(f"Expected a claim, such as C04 or C04.1, in the record {item.says!r}, found {key!r}; mend it.")
    return claim, int(part or 0)


def _place(item: Item, pages: Mapping[str, Mapping[str, tuple[str, str]]], page: str) -> str:
    if not (item.told if item.claims else item.why):
        raise SiteError(f"Expected a place and a claim, or why not, in the record {item.says!r}; add what it lacks.")
    if not item.told:
        return UNTOLD
    name, _, heading = item.told.partition("#")
    found = pages.get(name, {})
    title, below = found.get(heading, ("", ""))
    unnamed = [key for key in item.claims if f'"{key.partition(".")[0]}"' not in below]
    if not title or unnamed:
        what = f"{unnamed[0]} named there" if title else "a heading there"
        raise SiteError(f"Expected {what}, found none in {item.told!r} of the record {item.says!r}; correct it.")
    address = addresses.relative(f"{name.removesuffix('.md')}/", page)
    return anchor(Link(title, f"{address}#{heading}", f'on the page "{next(iter(found.values()))[0]}"'))


def _outcome(ledger: Ledger, item: Item, page: str) -> str:
    found = [(key, *_claim(ledger, item, key)) for key in item.claims]
    texts = [anchor(to_claim(claim.id, f"{key} {verdicts(ledger, claim, part)}", page)) for key, claim, part in found]
    why = f"not measured: {item.why}" if item.told and not item.claims else item.why
    return "; ".join([*texts, *filter(None, [text(why)])])
