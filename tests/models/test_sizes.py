"""What a hub that does not answer is asked of a model's size costs no time: its files may be here already."""

import socket
from types import SimpleNamespace

from huggingface_hub import constants
from huggingface_hub.utils import _http

from generator.models.sizes import check_sizes


def test_a_hub_that_nobody_can_reach_is_asked_once(monkeypatch):
    waited = []
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # and nobody listens
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{held.getsockname()[1]}")
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(_http, "time", SimpleNamespace(sleep=waited.append, time=lambda: 0.0))
        check_sizes("tiny/bert", None, ["*.json"])
    assert waited == []
