"""A server on this machine that speaks the hub's interface, and holds one model at two commits."""

import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.limits import SECONDS

COMMIT, OTHER = "0123456789abcdef" * 2 + "01234567", "fedcba9876543210" * 2 + "fedcba98"
LATER, LARGER = COMMIT[::-1], OTHER[::-1]
REFUSALS = {
    "secret/gated": (403, b"{}", {"X-Error-Code": "GatedRepo", "X-Error-Message": "Access is restricted."}),
    "down/server": (500, b"{}", {}),
    "captive/portal": (200, b"<html>Please log in.</html>", {"Content-Type": "text/html"}),
}
REVISIONS = {
    **dict.fromkeys(("main", "v1", "step_20k", COMMIT), COMMIT),
    **dict.fromkeys(("step_40k", LATER), LATER),
    **dict.fromkeys(("large", LARGER), LARGER),
}
"""Branches, tags and commits -> commits."""


LARGE = ".safetensors"
NEVER = {
    "pytorch_model.bin": b"a pickle",
    "modeling.py": b"code",
    "onnx/config.json": b"{}",
    "onnx/model.safetensors": b"other weights",
    "README.md": b"# words",
}
"""Files that the repository has and that nobody needs."""
PRIVATE, TOKEN = "private/bert", "hf_reads"
"""A model for whoever has this token."""
HELD = "held/once"
"""A model whose weights stop halfway for the first that asks; the connection stays open until that one is gone."""
BENT = {"bent/weights": "model.safetensors", "bent/setup": "tokenizer.json"}
"""Models of which one file arrives with another last byte than the one that was announced."""


@dataclass
class Hub:
    """What the server holds, and what it was asked for."""

    files: dict[str, bytes]
    later: dict[str, bytes]
    """At a second commit."""
    larger: dict[str, bytes] = field(default_factory=dict)
    """At a third."""
    port: int = 0
    """Where it answers; 0 until it has done so first."""
    asked: list[str] = field(default_factory=list)
    resumed: list[tuple[int, int]] = field(default_factory=list)
    """Of downloads that went on: the first byte that was asked for, and how many there are."""
    halfway: threading.Event = field(default_factory=threading.Event)
    """Half of the weights that stop were sent."""
    gone: threading.Event = field(default_factory=threading.Event)
    """Nobody waits for the other half any more."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def answer(self, path: str, shown: str) -> tuple[int, bytes, dict[str, str]]:
        """Status, body and headers, as the hub's interface has them, for who has shown this."""
        if PRIVATE in path and shown != f"Bearer {TOKEN}":
            return 401, b"{}", {"X-Error-Code": "RepoNotFound"}
        words = path.partition("?")[0].strip("/").split("/")
        if words[:2] == ["api", "models"]:
            return self._about("/".join(words[2:4]), *words[4:])
        files = self._at(words[3]) if words[2] == "resolve" else {}
        body = files.get("/".join(words[4:]))
        if body is None:
            return 404, b"", {"X-Error-Code": "EntryNotFound"}
        large = {"X-Linked-ETag": f'"{hashlib.sha256(body).hexdigest()}"'} if words[4].endswith(LARGE) else {}
        return 200, body, {"ETag": f'"{digest(body)}"', "X-Repo-Commit": words[3], **large}

    def _at(self, commit: str) -> dict[str, bytes]:
        return {COMMIT: self.files, LATER: self.later, LARGER: self.larger}.get(commit, {})

    def _about(self, model: str, kind: str = "revision", revision: str = "main") -> tuple[int, bytes, dict[str, str]]:
        if model not in ("tiny/bert", PRIVATE, "cut/short", "cut/once", HELD, *BENT):
            return REFUSALS.get(model, (404, b"{}", {"X-Error-Code": "RepoNotFound"}))
        commit = REVISIONS.get(revision)
        if commit is None:
            return 404, b"{}", {"X-Error-Code": "RevisionNotFound"}
        files = self._at(commit)
        entries = [
            {"type": "file", "path": name, "size": len(body), "oid": digest(body)} for name, body in files.items()
        ]
        about = {"id": model, "sha": commit, "siblings": [{"rfilename": name} for name in files]}
        return 200, json.dumps(entries if kind == "tree" else about).encode(), {"Content-Type": "application/json"}


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    """Meanwhile the hub answers; before and after nobody listens at its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 20

        def do_GET(self) -> None:
            hub.asked.append(self.path)
            if "hang/up" in self.path:
                self.close_connection = True
                return
            status, body, headers = hub.answer(self.path, self.headers.get("Authorization", ""))
            asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
            if asked and self.path.startswith(("/cut/once/resolve", f"/{HELD}/resolve")):
                hub.resumed.append((int(asked[1]), len(body)))
                status, body = 206, body[int(asked[1]) :]
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command == "GET":
                large = self.path.endswith(LARGE)
                once = self.path.startswith("/cut/once/resolve") and large and not asked
                self.close_connection = self.path.startswith("/cut/short/resolve") or once
                if self.path.endswith(BENT.get("/".join(self.path.split("/")[1:3]), "nothing")):
                    body = body[:-1] + bytes([body[-1] ^ 1])
                if self.path.startswith(f"/{HELD}/resolve") and large and not hub.halfway.is_set():
                    self.wfile.write(body[: len(body) // 2])
                    hub.halfway.set()
                    hub.gone.wait(SECONDS)
                    self.close_connection = True
                    return
                self.wfile.write(body[: len(body) // 2] if self.close_connection else body)

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", hub.port), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        hub.port = server.server_port
        yield hub
        server.shutdown()
        thread.join(10)


def digest(body: bytes) -> str:
    """As git has it."""
    return hashlib.sha1(b"blob %d\0" % len(body) + body).hexdigest()
