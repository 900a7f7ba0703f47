"""Wheels as `init` reads them: nothing in them but what says whose they are."""

import zipfile
from pathlib import Path


def write_wheel(place: Path, name: str = "fieldguide", version: str = "0.1.0") -> Path:
    """A wheel of this name in a folder."""
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        about = f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n"
        wheel.writestr(zipfile.ZipInfo(f"{name}-{version}.dist-info/METADATA"), about)
    return path
