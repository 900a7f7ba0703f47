"""How other sites show a figure or table of this one: in a frame, as a picture, or by asking for it (oEmbed).

One small page can show any figure or table of any page, so that none is stored twice.
"""

import json
from collections.abc import Iterable
from html import escape
from urllib.parse import urlencode

from generator.pages.renderer import DATA
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


def embed_file() -> tuple[str, str]:
    """Address and text of the page that shows one figure or table, without the theme."""
    return EMBED, guarded(PAGE)


def has_figures(address: str, files: Iterable[tuple[str, object]]) -> bool:
    """Whether a page has figures, judged by the files beside it."""
    return any(name == address + DATA for name, _ in files)


def oembed(site: str, address: str, title: str) -> str:
    """The answer to a site that asks how to show a page: a frame with its first figure, in the form of oembed.com."""
    source = escape(f"{site}embed/?{urlencode({'page': address})}")
    frame = (
        f'<iframe src="{source}" title="{escape(title)}" width="{WIDTH}" height="{HEIGHT}" style="border:0" '
        'loading="lazy"></iframe>'
    )
    told = {
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": "Fieldguide",
        "provider_url": site,
        "width": WIDTH,
        "height": HEIGHT,
        "html": frame,
    }
    return json.dumps(told)
