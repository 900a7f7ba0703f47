"""Files for machines that visit the site's address: where its pages are, and what has changed."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote
from xml.sax.saxutils import escape

from generator.pages import addresses
from generator.pages.changes.known import Change
from generator.pages.changes.rebuilds import Given, Rebuild
from generator.results.as_csv import inert
from generator.visible import visible

FEED = "feed.xml"
"""The address of the feed."""
NEWEST = 100
"""The most entries of the feed."""
ENTRY = re.compile(r"<url>.*?</url>", re.DOTALL)
LOCATION = re.compile(r"<loc>.*?</loc>")
"""Matches an address in a sitemap."""


def robots(site: str | None) -> str:
    """The text of robots.txt: everything may be read; if the site has an address, it says where the sitemap is."""
    listed = f"Sitemap: {site}sitemap.xml\n" if site else ""
    return f"User-agent: *\nAllow: /\n{listed}"


def sitemap(text: str, kept: Iterable[str], site: str) -> str:
    """The theme's sitemap with the addresses of `kept` pages added, in the order of addresses."""
    entries = ENTRY.findall(text)
    if not entries:
        return text
    before, after = LOCATION.split(entries[0], maxsplit=1)
    more = (f"{before}<loc>{escape(site + quote(address))}</loc>{after}" for address in kept)
    start, end = text.find(entries[0]), text.rfind(entries[-1]) + len(entries[-1])
    return text[:start] + "\n".join(sorted({*entries, *more})) + text[end:]


def table(rows: Iterable[Given]) -> str:
    """Verdicts as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([Given._fields, *([*map(inert, row)] for row in rows)])
    return text.getvalue()


def feed(builds: Sequence[Rebuild], site: str) -> str:
    """What changed as an Atom feed, the newest first."""
    entries = [
        _entry(site, change, f"{build.anchor}-{number}", build.date)
        for build in builds
        for number, change in enumerate(build.changes, start=1)
    ]
    newest = builds[0].date if builds else "1970-01-01"
    return f"""<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Fieldguide: what changed</title>
<id>{escape(site)}</id>
<link href="{escape(site)}{addresses.CHANGES}"/>
<link rel="self" href="{escape(site)}{FEED}"/>
<author><name>Fieldguide</name></author>
<updated>{newest}T00:00:00Z</updated>
{"".join(entries[:NEWEST])}</feed>
"""


def _entry(site: str, change: Change, name: str, date: str) -> str:
    link = escape(site + quote(change.address, safe="/#"), {'"': "&quot;"})
    title = escape(visible(f"{change.model}: {change.sentence}"))
    return (
        f'<entry><title>{title}</title><id>{escape(site)}{addresses.CHANGES}#{name}</id><link href="{link}"/>'
        f"<updated>{date}T00:00:00Z</updated></entry>\n"
    )
