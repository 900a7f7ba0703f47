"""The exact program that a workflow of a guide installs: a wheel in the guide, or an address; each with its hash."""

import hashlib
import json
import lzma
import re
import shutil
import zipfile
import zlib
from importlib import metadata
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from generator.errors import SettingsError, reason
from generator.limits import checked

NAME = "fieldguide"
"""The distribution. Nobody has to have registered it anywhere, so it is never installed by its name."""
FOLDER = Path(".github/requirements")
REQUIREMENT = FOLDER / f"{NAME}.txt"
"""What pip installs in a workflow, below the guide."""
ADDRESS = re.compile(r"https://[^\s#]+\.whl#sha256=([0-9a-f]{64})")
GIVE = (
    "give --program, a wheel of this program or its address with #sha256= and its checksum, or --no-workflow for a "
    "guide that is built at a desk alone"
)


class Program(NamedTuple):
    """Where the program comes from."""

    source: str
    """The path of a wheel, or its address."""
    sha256: str


def given(source: str) -> Program:
    """A wheel by its path, or by its address with its checksum. Raises SettingsError."""
    if "://" in source:
        if not (found := ADDRESS.fullmatch(source)):
            raise SettingsError(f"Expected https://.../{NAME}-....whl#sha256=..., found {source}; {GIVE}.")
        return Program(source.partition("#")[0], found[1])
    path = Path(source)
    try:
        name, sha256 = _name(path), hashlib.sha256(path.read_bytes()).hexdigest()
    # A member that is encrypted is a RuntimeError, one that is packed in a way nobody knows a NotImplementedError.
    except (OSError, RuntimeError, ValueError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as error:
        said = (isinstance(error, OSError) and error.strerror) or reason(error)
        raise SettingsError(f"Expected a wheel of {NAME} at {source}, found none ({said}); {GIVE}.") from None
    if name != NAME:
        raise SettingsError(f"Expected a wheel of {NAME} at {source}, found {name or 'none'}; {GIVE}.")
    return Program(str(path), sha256)


def _name(path: Path) -> str:
    """What a wheel says it is called, "" if it does not. Raises what a damaged one can make the library raise, and
    ValueError for one that would fill the memory.
    """
    with zipfile.ZipFile(path) as wheel:
        members = checked(wheel.infolist(), lambda member: (member.filename, member.file_size), path.stat().st_size)
        about = next((one for one in [*members] if one.filename.endswith(".dist-info/METADATA")), None)
        named = re.search(rb"^Name: (.+?)\r?$", wheel.read(about.filename), re.MULTILINE) if about else None
    return named[1].decode() if named else ""


def installed() -> Program:
    """The file from which this program was installed, as pip has recorded it. Raises SettingsError if that is unknown,
    or another file lies there now.
    """
    try:
        record = json.loads(metadata.distribution(NAME).read_text("direct_url.json") or "{}")
    except metadata.PackageNotFoundError:
        record = {}
    address, archive = record.get("url", ""), record.get("archive_info", {})
    # Older versions of pip record `hash` alone.
    sha256 = archive.get("hashes", {}).get("sha256") or archive.get("hash", "").removeprefix("sha256=")
    if not address.endswith(".whl") or not sha256:
        raise SettingsError(f"Expected a record of the wheel that a workflow installs, found none; {GIVE}.")
    if not address.startswith("file:"):
        return given(f"{address}#sha256={sha256}")
    path = unquote(urlsplit(address).path)
    found = given(path)
    if found.sha256 != sha256:
        raise SettingsError(f"Expected the wheel of which this is an installation at {path}, found another; {GIVE}.")
    return found


def write(program: Program, guide: Path) -> None:
    """Write what a workflow of this guide installs; a wheel is copied into the guide. Raises OSError."""
    place = program.source
    if "://" not in place:
        copied = FOLDER / Path(place).name
        shutil.copy(place, guide / copied)
        place = f"./{copied.as_posix()}"
    (guide / REQUIREMENT).write_text(f"{place} \\\n    --hash=sha256:{program.sha256}\n", encoding="utf-8")
