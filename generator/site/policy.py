"""The content security policy of a page: it names what the page loads and runs, so that a browser refuses all else.

Allowed scripts are those of the site and, by checksum, the few inline ones of the theme; charts do without `eval`.
"""

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

SCRIPT = "<script"
INLINE = re.compile(r"(?![^>]*(?:\bsrc=|application/(?:ld\+)?json))[^>]*>(.*?)</script>", re.DOTALL)
"""Matches what follows the beginning of an inline script."""
CHARSET = '<meta charset="utf-8">'
RULES = {
    "default-src": "'none'",
    "base-uri": "'self'",
    "connect-src": "'self'",
    "form-action": "'none'",
    "img-src": "'self' data:",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",
    "worker-src": "'self'",
}
"""Rules of every policy. Inline styles are allowed, because each bar in a table has its own width."""


def policy(page: str) -> str:
    """The policy of a finished page, as the text that a browser reads."""
    return _policy(tuple(_inline(page)))


def _inline(page: str) -> Iterator[str]:
    """The texts of inline scripts. An expression that begins with SCRIPT would find them ten times as slowly."""
    at = page.find(SCRIPT)
    while at >= 0:
        found = INLINE.match(page, at + len(SCRIPT))
        if found:
            yield found[1]
        at = page.find(SCRIPT, found.end() if found else at + 1)


@lru_cache(maxsize=64)
def _policy(scripts: tuple[str, ...]) -> str:
    """The policy of a page with these inline scripts, which nearly all pages have in common."""
    inline = sorted({base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in scripts})
    own = " ".join([RULES["script-src"], *(f"'sha256-{checksum}'" for checksum in inline)])
    return "; ".join(f"{kind} {allowed}" for kind, allowed in (RULES | {"script-src": own}).items())


def guarded(page: str) -> str:
    """The page with its policy in a tag of its own, so that it also holds if the page is opened from disk."""
    return page.replace(CHARSET, f'{CHARSET}\n<meta http-equiv="Content-Security-Policy" content="{policy(page)}">', 1)


def guarding(application: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """A server's application that sends every page with its policy."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        started: list[Any] = []
        body = application(environ, lambda *given: started.extend(given))
        status, headers = started
        if dict(headers).get("Content-Type", "").startswith("text/html"):
            page = b"".join(body)
            headers = [*headers, ("Content-Security-Policy", policy(page.decode()))]
            body = [page]
        start_response(status, headers)
        return body

    return answer
