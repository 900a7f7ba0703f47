"""What the server of a draft answers: requests to this machine by its own name, for files of the site alone.

A page of somebody else's, open in the same browser, can have its name resolved to this machine and read what is
served here; the request then still names that page's host. A link in the site may lead to any file of the reader.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

Application = Callable[..., Iterable[bytes]]
HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})
"""Names that a browser on this machine uses for it."""


def at_home(application: Application, root: str) -> Application:
    """The application, where a request names this machine and what it asks for lies in the folder `root`.

    Others are refused with 421 (wrong host) or 404, in one sentence.
    """
    folder = Path(root).resolve()

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if not _names_this_machine(environ.get("HTTP_HOST", "")):
            sentence = "Expected a request to localhost, found another host; open the address that serve has printed."
            return _refused(start, "421 Misdirected Request", sentence)
        # WSGI hands on the bytes of a path as if they were Latin-1.
        path = environ.get("PATH_INFO", "").encode("latin-1").decode("utf-8", "ignore").lstrip("/")
        if not _lies_in(folder, path):
            sentence = "Expected a file of the site, found none in its folder; copy there what a link leads to."
            return _refused(start, "404 Not Found", sentence)
        return application(environ, start)

    return answer


def _names_this_machine(host: str) -> bool:
    try:
        return urlsplit(f"//{host}").hostname in HOSTS
    except ValueError:  # no name at all, such as "["
        return False


def _lies_in(folder: Path, path: str) -> bool:
    try:
        return (folder / path).resolve().is_relative_to(folder)
    except (OSError, RuntimeError, ValueError):  # a name that is too long, a link to itself, a NUL
        return False


def _refused(start: Callable[..., Any], status: str, sentence: str) -> Iterable[bytes]:
    start(status, [("Content-Type", "text/plain; charset=utf-8")])
    return [sentence.encode()]
