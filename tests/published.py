"""A hub that has published one model, and the variables of a process that reaches no other."""

import os
from pathlib import Path

from safetensors.numpy import load, save

from tests.encoders import write as write_encoder
from tests.hub import NEVER, Hub
from tests.limits import SECONDS
from tests.stems import HUBS

"""Beginnings of variables that would lead elsewhere."""


def only_from(hub: Hub, home: Path) -> dict[str, str]:
    """Variables of a process that reaches no other hub, and keeps in a folder what it downloads."""
    keep = {name: value for name, value in os.environ.items() if not name.upper().startswith(HUBS)}
    patient = {"HF_HUB_DOWNLOAD_TIMEOUT": str(SECONDS)}  # else it asks again for what a test holds back
    return keep | patient | {"HF_ENDPOINT": hub.address, "HF_HOME": str(home), "HF_HUB_DISABLE_TELEMETRY": "1"}


def published(place: Path) -> Hub:
    """A hub with one model, whose weights are longer at a later commit."""
    folder = write_encoder("bert", place / "bert")
    files = {path.name: path.read_bytes() for path in folder.iterdir()} | NEVER
    longer = {name: 2 * weight for name, weight in load(files["model.safetensors"]).items()}
    return Hub(files, files | {"model.safetensors": save(longer, {"format": "pt"})})
