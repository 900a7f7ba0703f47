"""A walk over finished pages: what they say that the gate between numbers and sentences would refuse.

It reads pages as their readers do, so that it needs no word of how they were made, and hand-written pages are walked as
well. What it finds stops no build: it is told at the end, a sentence for each statement.
"""

import re
from collections.abc import Iterator, Mapping
from html import unescape

from generator.claims.all import CLAIMS
from generator.claims.claim import OPPOSED, OUTCOMES, UNCOUNTED
from generator.pages import addresses
from generator.pages.blocks import SURE

NO_NUMBER = "It reads what pages say."

BEFORE = 90
"""Characters of a page before a statement that is told."""
MEANT = {word: verdict for verdict, word in OUTCOMES.items()} | {
    UNCOUNTED: "not testable",
    OPPOSED: "inconclusive",
}
"""What is said of a single threshold -> the verdict on a claim that has no other."""
PARTS = {claim.id: len(claim.parts) for claim in CLAIMS}
_NUMBER = r"-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?"
_SURE = re.compile(rf'<(table|ul)[^>]* class="[^"]*\b{SURE}"(.*?)</\1>', re.DOTALL)
_LINE = re.compile(r"<(?:tr|li)>(.*)")
_ENDS = re.compile(rf"\(({_NUMBER}) to ({_NUMBER})[,)]")
_PERCENT = re.compile(rf" % \(({_NUMBER}) to ({_NUMBER})\)")
_NOTHING = re.compile(r"no specialty|no dependency relation|no head (?:of any of them )?(?:is )?clearly", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>?")
_SAID = re.compile(
    r"""
    aria-label="Verdicts[ ]on[ ](?P<table>[A-Z]\w+)"
    | class="fg-figure"[ ]id="(?:evidence|figure-(?P<figure>\w+))-(?P<part>\d+)"
    | <tr><th>(?:<span[^>]*></span>)?<a[ ]href="(?P<row>\w+)/">
    | href="\w+/\#of-[^"]*"[ ]title="(?P<small>[^"]*?):[ ][^"]*"><span[ ]class="fg-verdict-(?P<is>[\w-]+)"
    | (?:<th><a[ ]href="[^"]*">|</span>)<bdi>(?P<model>[^<]*)</bdi>(?:</a><td>|</dt><dd>)
      <span[ ]class="fg-verdict[ ]fg-is-(?P<of>[\w-]+)
    | <td><span[ ]class="fg-verdict[ ]fg-is-(?P<cell>[\w-]+)
    | fg-is-(?P<mark>[\w-]+)">[^<]*</span>[ ]<a[ ]href="[^"]*claims/(?P<claim>\w+)/"
    | <tr><td>(?P<name>[^<]*)(?:<td>[^<]*){3}<td>(?P<word>[a-z ]+)<td>
    """,
    re.VERBOSE,
)
"""Matches where a page says which claim it speaks of, and where it says a verdict."""


def walk(address: str, page: str, *, read: bool = True) -> Iterator[str]:
    """A sentence for each statement of a page that the gate would refuse, given the page's HTML. `read` is whether the
    model that the page is about has read anything in which its heads could find something.
    """
    for said, why in (*_listed(page), *_shares(page), *_differing(address, page)):
        yield _refused(address, said, why)
    if not read:
        for found in {one.lower() for one in _NOTHING.findall(page)}:
            yield _refused(address, found, "nothing was read in which a head could find something")


def _listed(page: str) -> Iterator[tuple[str, str]]:
    """Findings whose interval includes their baseline."""
    for line in (line for block in _SURE.finditer(page) for line in _LINE.findall(block[2])):
        for low, high in _ENDS.findall(said := _text(line)):
            if _number(low) <= 0 <= _number(high):
                yield said, f"it is listed as found, and {low} to {high} includes 0"


def _shares(page: str) -> Iterator[tuple[str, str]]:
    """Shares in per cent whose interval reaches beyond what a share can be."""
    for found in _PERCENT.finditer(page):
        if _number(found[1]) < 0 or _number(found[2]) > 100:
            yield _text(page[max(found.start() - BEFORE, 0) : found.end()]), "a share lies between 0 and 100 %"


def _differing(address: str, page: str) -> Iterator[tuple[str, str]]:
    """Verdicts on one claim or threshold for one model that differ from what the page said before."""
    first: dict[tuple[str, str], str] = {}
    for claim, model, verdict in _verdicts(address, page) if "fg-verdict" in page else ():
        if (before := first.setdefault((claim, model), verdict)) != verdict:
            where = f" for {unescape(model)}" if model else ""
            yield f"{claim}: {verdict}{where}", f"the same page says \u201c{before}\u201d"


def _verdicts(address: str, page: str) -> Iterator[tuple[str, str, str]]:
    """Claim, model and verdict of every statement of a verdict; of one on a single threshold, which has words of its
    own, the claim with the number of its part, too.
    """
    claim, part, column = address.removeprefix(addresses.CLAIMS).rstrip("/").upper(), "", 0
    models: dict[str, list[str]] = {}
    for found in _SAID.finditer(page):
        said: Mapping[str, str] = {name: text for name, text in found.groupdict("").items() if text}
        if "table" in said or "row" in said:
            claim, column = said.get("table") or said["row"].upper(), 0
        elif "part" in said:
            claim, part = said.get("figure", claim).upper(), said["part"]
        elif "small" in said:
            models.setdefault(claim, []).append(said["small"])
            yield claim, said["small"], _words(said["is"])
        elif "cell" in said:
            yield claim, dict(enumerate(models.get(claim, ()))).get(column, str(column)), _words(said["cell"])
            column += 1
        elif "name" not in said:
            yield said.get("claim", claim).upper(), said.get("model", ""), _words(said.get("of") or said["mark"])
        else:
            yield from _of_threshold(claim, part, said)


def _of_threshold(claim: str, part: str, said: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """What the table of a figure says of a number and its threshold; of the only one of a claim, the verdict, too. A
    word that stands for a verdict speaks of the claim.
    """
    name, word = said["name"], said["word"]
    if word in MEANT:
        yield f"{claim}, part {part}", name, word
    if word in OUTCOMES or (word in MEANT and PARTS.get(claim) == 1):
        yield claim, name, MEANT.get(word, word)


def _words(key: str) -> str:
    return key.replace("-", " ")


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def _text(html: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", html)).split())


def _refused(address: str, said: str, why: str) -> str:
    return f"/{address} says \u201c{said}\u201d, but {why}."
