"""The content security policy of a page: it names what the page loads and runs, so that a browser refuses all else.

Allowed scripts are those of the site and, by checksum, the few inline ones of the theme, which are known from its
templates: an inline script that got into a page in any other way does not run. Charts do without `eval`.
"""

import base64
import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

SCRIPT = "<script"
INLINE = re.compile(r"(?![^>]*(?:\bsrc=|application/(?:ld\+)?json))[^>]*>(.*?)</script>", re.DOTALL)
"""Matches what follows the beginning of an inline script."""
FILLED = re.compile(r"\{\{.*?\}\}", re.DOTALL)
"""Matches what a template fills in."""
PLAIN = r"[\w./:%~@+=&?#-]*"
"""What may be filled in: an address, a name or a number, and nothing that could end a text in a script."""
AWAY = "window.location.replace("
"""How the theme's script of a redirect begins; on any other page it would lead to wherever a writer says."""
REDIRECT = re.compile(
    r"</head>\s*<body>\s*(?:<script>(?:(?!</?(?:script|body)).)*</script>)?\s*</body>\s*</html>\s*\Z", re.DOTALL
)
"""Matches the end of a redirect, whose body is empty but for the script of drafts; no text of a page stands there."""
CHARSET = '<meta charset="utf-8">'
RULES = {
    "default-src": "'none'",
    "base-uri": "'self'",
    "connect-src": "'self'",
    "font-src": "'self'",
    "form-action": "'none'",
    "img-src": "'self' data:",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",
    "worker-src": "'self'",
}
"""Rules of every policy. Inline styles are allowed, because each bar in a table has its own width."""


Scripts = re.Pattern[str]
"""Matches the inline scripts of a theme, without white space."""
# An empty expression would match an empty script, and this one matches nothing.
NO_SCRIPTS: Scripts = re.compile(r"(?!)")


def scripts_of(templates: Iterable[str]) -> Scripts:
    """The inline scripts in templates, with whatever address, name or number is filled in."""
    texts = sorted({text for template in templates for text in _inline(template)})
    known = (PLAIN.join(re.escape(_spaceless(part)) for part in FILLED.split(text)) for text in texts)
    return re.compile("|".join(known) or NO_SCRIPTS.pattern)


def theme_scripts(folders: Sequence[str]) -> Scripts:
    """The inline scripts of a theme, from the folders of its templates."""
    return scripts_of(path.read_text(encoding="utf-8") for folder in folders for path in _templates(folder))


def _templates(folder: str) -> Iterator[Path]:
    for place, below, names in os.walk(folder):
        below[:] = [name for name in below if name[0] != "."]  # thousands of icons
        yield from (Path(place, name) for name in names if name.endswith(".html"))


def policy(page: str, known: Scripts = NO_SCRIPTS) -> str:
    """The policy of a finished page, as the text that a browser reads; of its inline scripts it allows the `known`."""
    scripts = tuple(_inline(page))
    if any(map(_leads_away, scripts)) and not REDIRECT.search(page):
        scripts = tuple(script for script in scripts if not _leads_away(script))
    return _policy(scripts, known)


def _inline(page: str) -> Iterator[str]:
    """The texts of inline scripts. An expression that begins with SCRIPT would find them ten times as slowly."""
    at = page.find(SCRIPT)
    while at >= 0:
        found = INLINE.match(page, at + len(SCRIPT))
        if found:
            yield found[1]
        at = page.find(SCRIPT, found.end() if found else at + 1)


@lru_cache(maxsize=64)
def _policy(scripts: tuple[str, ...], known: Scripts) -> str:
    """The policy of a page with these inline scripts, which nearly all pages have in common."""
    allowed = {script for script in scripts if known.fullmatch(_spaceless(script))}
    inline = sorted(base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in allowed)
    own = " ".join([RULES["script-src"], *(f"'sha256-{checksum}'" for checksum in inline)])
    return "; ".join(f"{kind} {allowed}" for kind, allowed in (RULES | {"script-src": own}).items())


def _spaceless(text: str) -> str:
    """The text without white space, of which a page has less than its template."""
    return "".join(text.split())


def _leads_away(script: str) -> bool:
    return "location" in script and AWAY in _spaceless(script)


def guarded(page: str, known: Scripts = NO_SCRIPTS) -> str:
    """The page with its policy in a tag of its own, so that it also holds if the page is opened from disk."""
    text = f'<meta http-equiv="Content-Security-Policy" content="{policy(page, known)}">'
    return page.replace(CHARSET, f"{CHARSET}\n{text}", 1)


def guarding(
    application: Callable[..., Iterable[bytes]], known: Callable[[], Scripts]
) -> Callable[..., Iterable[bytes]]:
    """A server's application that sends every page with its policy; `known` gives the scripts of the last draft."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        started: list[Any] = []
        body = application(environ, lambda *given: started.extend(given))
        status, headers = started
        if dict(headers).get("Content-Type", "").startswith("text/html"):
            page = b"".join(body)
            headers = [*headers, ("Content-Security-Policy", policy(page.decode(), known()))]
            body = [page]
        start_response(status, headers)
        return body

    return answer
