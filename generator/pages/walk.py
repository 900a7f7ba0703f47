"""A walk over finished pages: what they say that the gate between numbers and sentences would refuse.

It reads pages as their readers do, so that it needs no word of how they were made, and hand-written pages are walked as
well. What it finds stops no build: it is told at the end, a sentence for each statement.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from html import unescape

from generator.claims.all import CLAIMS
from generator.claims.verdict import AS_VERDICT, OUTCOMES
from generator.pages import addresses
from generator.pages.blocks import SURE

NO_NUMBER = "It reads what pages say."

BEFORE = 90
"""Characters of a page before a statement that is told."""
BESIDE_IT = 24
"""Characters in which a number that stands right before it ends."""
TITLE = '<p class="fg-title">'
OF_MANY = " by itself"
"""After a verdict that is another one once all claims are counted."""
SHARE = "a share lies between 0 and 100 %"
SHARES, INTERVAL = ("share", "accuracy"), "95 % interval"
"""Columns of shares, and the column that may stand beside them."""
BESIDE = [[name, INTERVAL] for name in SHARES]
Contradicts = Callable[[int, int, str], str]
PARTS = {claim.id: len(claim.parts) for claim in CLAIMS}
_NUMBER = r"-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?"
_SURE = re.compile(rf'<(table|ul)[^>]* class="[^"]*\b{SURE}"(.*?)</\1>', re.DOTALL)
_LINE = re.compile(r"<(?:tr|li)>(.*)")
_ENDS = re.compile(rf"\(({_NUMBER}) to ({_NUMBER})[,)]")
_PERCENT = re.compile(rf" % \(({_NUMBER}) to ({_NUMBER})\)")
_NOTHING = re.compile(r"no specialty|no dependency relation|no head (?:of any of them )?(?:is )?clearly", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>?")
_WITHIN = re.compile(rf"\(({_NUMBER}) to ({_NUMBER})[,;)]")
_BESIDE = re.compile(rf"(?<![\w.-])({_NUMBER})(?: %)? (?:<small>)?$")
"""What stands before an interval: its number."""
_OF_ALL = re.compile(r" % (?:\([^)]*\) )?of (?:(?:its|their|the|all) (?:attention|maps)|(?:the )?\d[\d,]* )")
"""What stands after a share in per cent: what it is a share of."""
_SHARE = re.compile(rf"(?<![\w.-])({_NUMBER})$")
_TABLE = re.compile(r"<thead><tr>((?:(?!<tbody>|</thead>).)*<th>(?:share|accuracy)\s*<th>.*?)</table>", re.DOTALL)
_CELL = re.compile(r"<t[hd][^>]*>")
_DRAWN = re.compile(r"<svg.*?</svg>|<script.*?</script>", re.DOTALL)
_TITLED = re.compile(
    rf"(?<![\w.-])({_NUMBER})(?:( %)(?: \(({_NUMBER}) to ({_NUMBER})(?=[,;)]))?|(?= in <)|(?= \({_NUMBER} to))"
)
"""A number that a title tells: a share with its interval, or one that is followed by a model or by an interval."""
_TOLD = re.compile(rf"(?<![\w.,-])({_NUMBER})( %)?(?![\w-]|\.\d)")
_FINDS = re.compile(r" finds (?:some |most )?([^<.:(]+)")
_HEAD = re.compile(r"\b(\d+)-(\d+)(?:</\w+>)?$")
_SAID = re.compile(
    r"""
    aria-label="Verdicts[ ]on[ ](?P<table>[A-Z]\w+)"
    | class="fg-figure"[ ]id="(?:evidence|figure-(?P<figure>\w+))-(?P<part>\d+)"
    | <tr><th>(?:<span[^>]*></span>)?<a[ ]href="(?P<row>\w+)/">
    | href="\w+/\#of-[^"]*"[ ]title="(?P<small>[^"]*?):[ ](?P<titled>[^"]*)"><span[ ]class="fg-verdict-(?P<is>[\w-]+)"
    | (?:<th><a[ ]href="[^"]*">|</span>)<bdi>(?P<model>[^<]*)</bdi>(?:</a><td>|</dt><dd>)
      <span[ ]class="fg-verdict[ ]fg-is-(?P<of>[\w-]+)
    | <td><span[ ]class="fg-verdict[ ]fg-is-(?P<cell>[\w-]+)
    | fg-is-(?P<mark>[\w-]+)">[^<]*</span>[ ]<a[ ]href="[^"]*claims/(?P<claim>\w+)/"
    | <tr><td>(?P<name>[^<]*)(?:<td>[^<]*){3}<td>(?P<word>[a-z ]+)<td>
    """,
    re.VERBOSE,
)
"""Matches where a page says which claim it speaks of, and where it says a verdict."""


def walk(address: str, page: str, *, read: bool = True, contradicts: Contradicts | None = None) -> Iterator[str]:
    """A sentence for each statement of a page that the gate would refuse, given the page's HTML. `read` is whether the
    model that the page is about has read anything in which its heads could find something, and `contradicts` what its
    treebanks say against a head, by layer and number, that finds something: a clause, or nothing.
    """
    for said, why in (*_listed(page), *_shares(page), *_tables(page), *_titles(page), *_differing(address, page)):
        yield _refused(address, said, why)
    for layer, head, said in sorted({*_finding(page)}) if contradicts else ():
        if contradicts and (why := contradicts(layer, head, said)):
            yield _refused(address, f"{layer}-{head} finds {said}", why)
    if not read:
        for found in {word.lower() for word in _NOTHING.findall(page)}:
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
            yield _before(page, found), SHARE
    for found in _OF_ALL.finditer(page):
        if (share := _beside(_SHARE, page, found)) and not 0 <= _number(share[1]) <= 100:
            yield _before(page, found), SHARE
    for found in _WITHIN.finditer(page):
        value = _beside(_BESIDE, page, found)
        if value and not _number(found[1]) <= _number(value[1]) <= _number(found[2]):
            yield _before(page, found), "a number lies within its interval"


def _finding(page: str) -> Iterator[tuple[int, int, str]]:
    """Layer and number of every head that is said to find something, and what."""
    for found in _FINDS.finditer(page):
        if head := _beside(_HEAD, page, found):
            yield int(head[1]), int(head[2]), _text(found[1])


def _tables(page: str) -> Iterator[tuple[str, str]]:
    """Shares in tables, and the intervals beside them, that reach beyond what a share can be."""
    for found in _TABLE.finditer(page):
        columns, *rows = (_CELL.split(line)[1:] for line in found[1].split("<tr>"))
        heads = [_text(column) for column in columns]
        places = [at for at, name in enumerate(heads) if name in SHARES or heads[at - 1 : at + 1] in BESIDE]
        for row in rows:
            numbers = (_number(share) for at in places for share, _ in _TOLD.findall("".join(row[at : at + 1])))
            if any(not 0 <= number <= 1 for number in numbers):
                yield " ".join(map(_text, row)), "a share lies between 0 and 1"


def _titles(page: str) -> Iterator[tuple[str, str]]:
    """Titles of figures with a number that neither the figure's table nor the rest of the page has."""
    first, *figures = (part.partition("</p>") for part in page.split(TITLE))
    besides = _Numbers("".join((*first, *(rest for _, _, rest in figures))))
    for title, _, rest in figures:
        table = _Numbers(rest.partition("<tbody>")[2].partition("</table>")[0])
        for found in _TITLED.finditer(title):
            for digits in filter(None, (found[1], found[3], found[4])):
                said = (digits, found[2] or "")
                if not table.have(said) and not besides.have(said):
                    yield _text(title), f"neither its table nor the rest of the page has {digits}{found[2] or ''}"


class _Numbers:
    """The numbers that a reader sees in some HTML."""

    def __init__(self, html: str) -> None:
        self._html = html

    def have(self, row: tuple[str, str]) -> bool:
        """Whether a number, given with its unit, is one of them but for rounding; each may be in per cent."""
        value, unit = _rounded(*row)
        # Half of a last digit of each, and a hair less: two numbers just as far apart do differ.
        return any(abs(value - seen) < (unit + other) / 2 * (1 - 1e-9) for seen, other in self._there)

    @cached_property
    def _there(self) -> list[tuple[float, float]]:
        return [_rounded(*found) for found in _TOLD.findall(_text(_DRAWN.sub("", self._html)))]


def _rounded(text: str, percent: str) -> tuple[float, float]:
    """A number, and what one more in its last digit is."""
    digits, _, power = text.partition("e")
    unit = float(10.0 ** (int(power or 0) - len(digits.partition(".")[2])))
    return (_number(text) / 100, unit / 100) if percent else (_number(text), unit)


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
            yield claim, said["small"], said["titled"].partition(": ")[0].partition(OF_MANY)[0]
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
    if word in AS_VERDICT:
        yield f"{claim}, part {part}", name, word
    if word in OUTCOMES or (word in AS_VERDICT and PARTS.get(claim) == 1):
        yield claim, name, AS_VERDICT.get(word, word)


def _words(key: str) -> str:
    return key.replace("-", " ")


def _beside(what: re.Pattern[str], page: str, found: re.Match[str]) -> re.Match[str] | None:
    """What stands right before something that was found."""
    return what.search(page, max(found.start() - BESIDE_IT, 0), found.start())


def _before(page: str, found: re.Match[str]) -> str:
    return _text(page[max(found.start() - BEFORE, 0) : found.end()])


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def _text(html: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", html)).split())


def _refused(address: str, said: str, why: str) -> str:
    return f"/{address} says \u201c{said}\u201d, but {why}."
