"""What other sites show of this one: a page's card beside a link to it, and a figure or table in a frame, as a picture,
or by asking for it (oEmbed).

Pages of some kinds have a card of their own; all others use the card of the nearest page above them. One small page can
show any figure or table of any page, so that none is stored twice.
"""

import json
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any
from urllib.parse import quote, urlencode

from generator.charts.static.card import card
from generator.charts.static.vega import StaticPictures
from generator.pages import addresses
from generator.pages.renderer import DATA, SENTENCE, File
from generator.site.policy import guarded

EMBED = "embed/index.html"
OEMBED = "oembed.json"
"""The file beside each page with figures, on a site that has an address."""
WIDTH, HEIGHT = 680, 560
"""Width and height in pixels of a frame, because the size of its figure is not known before it is drawn."""
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>A figure or table of Fieldguide</title>
<link rel="icon" href="../assets/images/favicon.png">
<link rel="stylesheet" href="../assets/fieldguide/fieldguide.css">
</head>
<body class="fg-embed md-typeset" data-md-color-scheme="default">
<main>
<p><a href="../" target="_blank">Fieldguide</a> has no such figure or table, or this browser runs no scripts.</p>
</main>
<script src="../assets/fieldguide/embed.js"></script>
</body>
</html>
"""
OWN = re.compile(rf"|({addresses.MODELS}|{addresses.CLAIMS}|{addresses.FINDINGS})[^/]+/")
"""Matches the addresses of pages with cards of their own: home, models, claims and findings. Those of heads with a
sentence to share have one, too.
"""
CARD = "card.png"
OTHERWISE = re.compile(r"(-narrow|-dark)+\.svg$")
"""Matches the file names of pictures that repeat another one in a different size or colour scheme."""


def embed_file() -> tuple[str, str]:
    """Address and text of the page that shows one figure or table, without the theme."""
    return EMBED, guarded(PAGE)


def _has_figures(address: str, files: Iterable[tuple[str, object]]) -> bool:
    """Whether a page has figures, judged by the files beside it."""
    return any(name == address + DATA for name, _ in files)


def _oembed(site: str, address: str, title: str) -> str:
    """The answer to a site that asks how to show a page: a frame with its first figure, in the form of oembed.com."""
    source = escape(f"{site}embed/?{urlencode({'page': address})}")
    frame = (
        f'<iframe src="{source}" title="{escape(title)}" width="{WIDTH}" height="{HEIGHT}" style="border:0" '
        'loading="lazy"></iframe>'
    )
    found = {
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": "Fieldguide",
        "provider_url": site,
        "width": WIDTH,
        "height": HEIGHT,
        "html": frame,
    }
    return json.dumps(found)


class Cards:
    """Draws the cards of a site that has an address; without an address nothing could link to them."""

    def __init__(self, site: str, pictures: StaticPictures) -> None:
        self._site, self._pictures = site, pictures
        self._there: set[str] = set()
        self._embedded: set[str] = set()

    def added(self, address: str, title: str, text: str, pictures: Sequence[File]) -> tuple[File, ...]:
        """Address and content of the files that a page has beside its pictures: its own card, and its oEmbed file."""
        more: list[File] = []
        if self._site and _has_figures(address, pictures):
            self._embedded.add(address)
            more.append((address + OEMBED, _oembed(self._site, address, title)))
        drawn = ((name, svg) for name, svg in pictures if name.endswith(".svg") and not OTHERWISE.search(name))
        name, first = next(drawn, ("", ""))
        if not (self._site and (OWN.fullmatch(address) or name == address + SENTENCE)):
            return (*more,)
        self._there.add(address)
        assert not isinstance(first, bytes), "pictures are text"
        first = first if isinstance(first, str) else first.read_text(encoding="utf-8")
        return *more, (f"{address}{CARD}", self._pictures.png(card(title, text, first)))

    def of(self, address: str) -> dict[str, Any]:
        """Template variables of a page: the address of its card, or "" without one, and whether it can be embedded."""
        parts = address.split("/")[:-1]
        # The page itself first, home last: the nearest card above a page is the page's.
        above = ("".join(f"{part}/" for part in parts[:count]) for count in range(len(parts), -1, -1))
        found = next((place for place in above if place in self._there), None)
        shown = "" if found is None else f"{self._site}{quote(found)}{CARD}"
        return {"card": shown, "oembed": address in self._embedded}
