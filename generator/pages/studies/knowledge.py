"""Hand-written Markdown with live numbers: four calls in double braces become numbers, verdicts, tables and sources.

    {{ published("clark.previous.count") }}     a published number, leading to its source
    {{ claim("C04") }}                          a table: every model's verdict and numbers; on a line of its own
    {{ verdict("C04") }}                        "holds for 1 of 2 models", leading to the claim
    {{ cite("clark2019") }}                     "Clark et al. 2019", leading to the list of references

A page is read as a Jinja template if it makes one of these calls; any other page stays as it is.
"""

import re
import string
from collections import Counter
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from html import escape
from pathlib import Path
from typing import TypeVar

from jinja2 import StrictUndefined, TemplateError
from jinja2.sandbox import SandboxedEnvironment

from generator.claims.claim import Claim
from generator.claims.published import published
from generator.errors import SiteError, reason
from generator.numbers import writing
from generator.pages.bibliography import key_of, read_bibliography
from generator.pages.blocks import Boxed, Note
from generator.pages.claims.tables import SHOWN, Ledger, comparable, place, verdict_table
from generator.pages.inline import Link
from generator.pages.links import to_claim, to_reference
from generator.pages.renderer import Renderer

LIVE = re.compile(r"\{\{-?\s*(?:published|claim|verdict|cite)\s*\(")
"""A page with one of these is read as a template."""
_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f]+")
_MARKS = re.compile(f"[{re.escape(''.join(set(string.punctuation) - set('.,-')))}]")
"""What may mean something in HTML or Markdown."""
Known = TypeVar("Known")


class Knowledge:
    """What hand-written pages may say of claims, published numbers and sources."""

    def __init__(self, ledger: Ledger, bibliography: Path, renderer: Renderer) -> None:
        self._ledger = ledger
        self._bibliography = bibliography
        self._renderer = renderer
        self._sources = read_bibliography(bibliography)
        self._environment = SandboxedEnvironment(
            undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
        )

    def render(self, markdown: str, page_url: str, source: str) -> str:
        """A page with its calls replaced; `page_url` ends in "/", as addresses do, and `source` names the file.

        Raises SiteError for an unknown call, key or id, and for a template that cannot be read.
        """
        if not LIVE.search(markdown):
            return markdown
        calls = {
            name: _with_one_key(name, call, page_url)
            for name, call in (
                ("published", self._published),
                ("claim", self._claim),
                ("verdict", self._verdict),
                ("cite", self._cite),
            )
        }
        try:
            return self._environment.from_string(markdown).render(calls)
        except SiteError as error:
            raise SiteError(f"{source}: {error}") from None
        except TemplateError as error:
            raise SiteError(
                f"{source}: Expected no braces but those of calls to {', '.join(calls)}, found: {reason(error)}; "
                "correct the page."
            ) from None

    def _published(self, key: str, page: str) -> str:
        number = published(key)
        note = f"; {number.note}" if number.note else ""
        link = to_reference(key_of(number.source, self._sources), writing.number(number.value), page)
        return _anchor(link, f"{number.source}, {place(number)}{note}")

    def _claim(self, key: str, page: str) -> str:
        claim = self._known(key)
        judgements = [item for _, item in self._ledger.by_model(claim)]
        more = len(claim.published) - len(comparable(claim))
        address = to_claim(claim.id, "", page).href
        needs = " ".join(dict.fromkeys(item.reason for item in judgements if item.verdict == "not testable"))
        others = Link(f"{_counted(more)} of another kind", f"{address}#published") if more else None
        block = Boxed(
            to_claim(claim.id, f"{claim.id}: {claim.title}", page),
            (verdict_table(self._ledger, claim, page), *(Note(one) for one in (needs, others) if one)),
        )
        return f"\n\n{_one_block(self._renderer.render('blocks/boxed.html', block))}\n\n"

    def _verdict(self, key: str, page: str) -> str:
        claim = self._known(key)
        counts = Counter(item.verdict for _, item in self._ledger.by_model(claim))
        models = counts.total()
        found = [(verdict, counts[verdict]) for verdict in SHOWN if counts[verdict]]
        if not found:
            text = "not judged, for no model has been analysed"
        elif len(found) == 1:
            everyone = {1: "the one model", 2: "both models"}.get(models, f"all {models} models")
            text = f"{found[0][0]} for {everyone}"
        else:
            (verdict, count), *others = found
            first = f"{verdict} for {count} of {models} models"
            text = ", ".join([first, *(f"{other} for {number}" for other, number in others)])
        return _anchor(to_claim(claim.id, text, page), claim.title)

    def _cite(self, key: str, page: str) -> str:
        label = _find(key, self._sources, f"the key of a source in {self._bibliography}")
        return _anchor(to_reference(key, label, page), "")

    def _known(self, key: str) -> Claim:
        return _find(key, self._ledger.claims, "the id of a claim")


def _counted(numbers: int) -> str:
    return "1 published number" if numbers == 1 else f"{numbers} published numbers"


def _with_one_key(name: str, call: Callable[[str, str], str], page: str) -> Callable[..., str]:
    def checked(*keys: object, **named: object) -> str:
        if len(keys) != 1 or not isinstance(keys[0], str) or named:
            found = ", ".join(map(repr, (*keys, *named)))
            raise SiteError(f"Expected one key in quotes in {name}(...), found {found or 'nothing'}; correct the page.")
        return call(keys[0], page)

    return checked


def _find(key: str, known: Mapping[str, Known], what: str) -> Known:
    """Raises SiteError for a key that is not there."""
    if key not in known:
        near = get_close_matches(key, known, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "correct it or add it."
        raise SiteError(f"Expected {what}, found {key!r}; {hint}")
    return known[key]


def _anchor(link: Link, title: str) -> str:
    told = f' title="{_text(title)}"' if title else ""
    return f'<a href="{escape(link.href)}"{told}>{_text(link.text)}</a>'


def _text(text: str) -> str:
    """As itself in HTML and in Markdown: every mark as a character reference, every run of white space a space."""
    return _MARKS.sub(lambda found: f"&#{ord(found[0])};", _CONTROL.sub(" ", text))


def _one_block(html: str) -> str:
    """HTML that Markdown passes on as it is: no line is empty or indented."""
    return "\n".join(line.strip() for line in html.splitlines() if line.strip())
