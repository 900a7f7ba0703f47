"""The links between heads and claims, as a reader finds them on the pages of both."""

import re
from urllib.parse import unquote

LISTED = re.compile(r'<div id="claims".*?(?=<details|<footer|</article>)', re.DOTALL)
REASONS = re.compile(r'<dl class="fg-facts fg-reasons">.*?</dl>', re.DOTALL)
TO_CLAIM = re.compile(r'href="(?:\.\./)+claims/(\w+)/"')
TO_HEAD = re.compile(r'href="(?:\.\./)+models/([^"/]+)/heads/(\d+)-(\d+)/"')


def claims_of(html: str) -> set[str]:
    """The claims to which the page of a head leads from its list."""
    listed = LISTED.search(html)
    return {name.upper() for name in TO_CLAIM.findall(listed[0])} if listed else set()


def heads_named(html: str) -> set[tuple[str, int, int]]:
    """Model, layer and head of the heads to which the page of a claim leads from its verdicts."""
    reasons = REASONS.search(html)
    return heads_anywhere(reasons[0]) if reasons else set()


def heads_anywhere(html: str) -> set[tuple[str, int, int]]:
    """The same for the whole page."""
    return {(slug, int(layer), int(head)) for slug, layer, head in TO_HEAD.findall(unquote(html))}
