"""The branch on which a repository keeps the results of its guide: read by `git`, written by the workflow.

Below `models` it has the results of each model that the guide shows, below `gone` a record of each that it once showed,
and beside them the record of builds. Each of its commits is a state of the guide.
"""

import io
import os
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from generator.errors import ResultsError

BRANCH = "fieldguide-results"
MODELS, GONE = "models", "gone"
REFS = (f"refs/remotes/origin/{BRANCH}", f"refs/heads/{BRANCH}")


def commit(folder: Path, *names: str) -> str:
    """The first of these names that is a commit of the repository that begins in this folder; "" if none is."""
    if (folder / ".git").exists():
        for name in names or REFS:
            # The end of options, as a name may begin with a hyphen.
            found = _git(folder, "rev-parse", "--quiet", "--verify", "--end-of-options", f"{name}^{{commit}}")
            if found is not None:
                return found.decode().strip()
    return ""


def listed(folder: Path, at: str, below: str) -> list[str]:
    """The names of what a folder of the branch holds."""
    found = _git(folder, "ls-tree", "--name-only", "-z", at, f"{below}/") or b""
    return [Path(name.decode()).name for name in found.split(b"\0") if name]


def take(folder: Path, at: str, name: str, to: Path) -> None:
    """Copy a file or a folder of the branch; what lies there is whole or absent. A link in its place is followed.
    Raises ResultsError.
    """
    to = Path(os.path.realpath(to))
    packed = _git(folder, "archive", "--format=tar", at, name)
    if packed is None:
        raise ResultsError(f"Expected {name} in the commit {at[:12]} of {BRANCH}, found none; fetch the branch again.")
    to.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=to.parent, prefix=".") as draft, tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        for member in tar:
            # No links, which may lead out of the folder.
            if member.isfile():
                path = Path(draft, member.name)
                path.parent.mkdir(parents=True, exist_ok=True)
                file = tar.extractfile(member)
                path.write_bytes(file.read() if file else b"")
        Path(draft, name).rename(to)


@contextmanager
def results(place: Path) -> Iterator[Path]:
    """A folder of results: the one at this path, or those of a commit of the branch that is so called. Raises
    ResultsError.
    """
    here = Path()
    if place.is_dir() or not (at := commit(here, str(place), f"origin/{place}")):
        yield place
        return
    with TemporaryDirectory() as folder:
        root = Path(folder) / MODELS
        root.mkdir()
        for name in listed(here, at, MODELS):
            take(here, at, f"{MODELS}/{name}", root / name)
        yield root


def _git(folder: Path, *words: str) -> bytes | None:
    """What a command prints; None if it fails, or there is no git."""
    try:
        done = subprocess.run(["git", *words], cwd=folder, capture_output=True, check=False)  # noqa: S603, S607
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
