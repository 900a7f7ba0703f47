"""What a site tells machines that come by its address: search engines, feed readers, other sites."""

import json
from pathlib import Path

ORIGIN = Path(__file__).parent / "assets" / "origin.js"


def origin(site: str | None) -> str:
    """The script that tells the theme where it stands; it knows the address that the sitemap has."""
    return ORIGIN.read_text(encoding="utf-8").replace("PUBLISHED", json.dumps(site or ""))


def robots(site: str | None) -> str:
    """The text of robots.txt: all may be read, and where the sitemap is, if the site has an address."""
    listed = f"Sitemap: {site}sitemap.xml\n" if site else ""
    return f"User-agent: *\nAllow: /\n{listed}"
