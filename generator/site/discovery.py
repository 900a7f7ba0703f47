"""What a site tells machines that come by its address: where its pages are, and what has changed."""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import quote
from xml.sax.saxutils import escape

from generator.pages import addresses
from generator.pages.claims.tables import Ledger, row_of

FEED = "feed.xml"
"""Its address."""
NEWEST = 100
"""Entries of the feed."""


class Given(NamedTuple):
    """A verdict, and the day on which a build first found it."""

    date: str
    model: str
    slug: str
    claim: str
    verdict: str


def robots(site: str | None) -> str:
    """The text of robots.txt: all may be read, and where the sitemap is, if the site has an address."""
    listed = f"Sitemap: {site}sitemap.xml\n" if site else ""
    return f"User-agent: *\nAllow: /\n{listed}"


def history(before: str, ledger: Ledger, date: str) -> list[Given]:
    """Every verdict there has been, oldest first: those of the site that was there `before`, and what is new today."""
    lines = csv.reader(io.StringIO(before))
    known = [Given(*line) for line in lines if len(line) == len(Given._fields)][1:]
    last = {(one.slug, one.claim): one.verdict for one in known}
    found = (
        Given(date, manifest.model, manifest.slug, claim.id, judgement.verdict)
        for claim in ledger.claims.values()
        for manifest, judgement in ledger.by_model(claim)
    )
    return [*known, *(one for one in found if last.get((one.slug, one.claim)) != one.verdict)]


def table(rows: Iterable[Given]) -> str:
    """As CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([Given._fields, *rows])
    return text.getvalue()


def feed(rows: Iterable[Given], site: str) -> str:
    """New models and changed verdicts as an Atom feed, the newest first."""
    entries = list({entry.address + entry.date: entry for entry in _entries(rows)}.values())[::-1][:NEWEST]
    newest = entries[0].date if entries else "1970-01-01"
    return f"""<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Fieldguide: new models and changed verdicts</title>
<id>{escape(site)}</id>
<link href="{escape(site)}"/>
<link rel="self" href="{escape(site)}{FEED}"/>
<author><name>Fieldguide</name></author>
<updated>{newest}T00:00:00Z</updated>
{"".join(entry.xml(site) for entry in entries)}</feed>
"""


class _Entry(NamedTuple):
    date: str
    address: str
    title: str

    def xml(self, site: str) -> str:
        link = escape(site + self.address, {'"': "&quot;"})
        return (
            f'<entry><title>{escape(self.title)}</title><id>{link}@{self.date}</id><link href="{link}"/>'
            f"<updated>{self.date}T00:00:00Z</updated></entry>\n"
        )


def _entries(rows: Iterable[Given]) -> Iterator[_Entry]:
    """For each model its first day, and for each later verdict of a claim what it was before."""
    models: set[str] = set()
    last: dict[tuple[str, str], str] = {}
    for one in rows:
        if one.slug not in models:
            models.add(one.slug)
            yield _Entry(one.date, quote(addresses.model(one.slug)), f"New model: {one.model}")
        before = last.get((one.slug, one.claim))
        if before:
            place = f"{addresses.claim(one.claim)}#{row_of(one.slug)}"
            yield _Entry(one.date, place, f"{one.claim} for {one.model}: {one.verdict}, was {before}")
        last[one.slug, one.claim] = one.verdict
