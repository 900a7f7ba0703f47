"""What other sites show beside a link to a page: its card or, if they ask for it, its first figure.

Pages of some kinds have a card of their own; all others use the card of the nearest page above them.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from generator.charts.still.card import card
from generator.charts.still.vega import Stills
from generator.pages import addresses
from generator.site.embeds import OEMBED, has_figures, oembed

OWN = re.compile(rf"|({addresses.MODELS}|{addresses.CLAIMS}|{addresses.FINDINGS})[^/]+/")
"""Matches the addresses of pages with cards of their own: home, models, claims and findings."""
CARD = "card.png"
OTHERWISE = re.compile(r"(-narrow|-dark)+\.svg$")
"""Matches the file names of pictures that repeat another one in a different size or colour scheme."""


class Cards:
    """Draws the cards of a site that has an address; without an address nothing could link to them."""

    def __init__(self, site: str, stills: Stills) -> None:
        self._site, self._stills = site, stills
        self._there: set[str] = set()
        self._embedded: set[str] = set()

    def added(
        self, address: str, title: str, told: str, pictures: Sequence[tuple[str, str | Path]]
    ) -> tuple[tuple[str, str | bytes | Path], ...]:
        """Address and content of the files that a page has beside its pictures: its own card, and its oEmbed file."""
        more: list[tuple[str, str | bytes | Path]] = []
        if self._site and has_figures(address, pictures):
            self._embedded.add(address)
            more.append((address + OEMBED, oembed(self._site, address, title)))
        first = next((svg for name, svg in pictures if name.endswith(".svg") and not OTHERWISE.search(name)), "")
        if not (self._site and first and OWN.fullmatch(address)):
            return (*more,)
        self._there.add(address)
        first = first if isinstance(first, str) else first.read_text(encoding="utf-8")
        return *more, (f"{address}{CARD}", self._stills.png(card(title, told, first)))

    def of(self, address: str) -> dict[str, Any]:
        """Template variables of a page: the address of its card, or "" without one, and whether it can be embedded."""
        parts = address.split("/")[:-1]
        above = ("".join(f"{part}/" for part in parts[:count]) for count in range(len(parts), -1, -1))
        found = next((place for place in above if place in self._there), None)
        shown = "" if found is None else f"{self._site}{quote(found)}{CARD}"
        return {"card": shown, "oembed": address in self._embedded}
