"""Disks that really fill up."""

import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def small_disk(place: Path, kilobytes: int) -> Iterator[Path]:
    """A file system of that size; where one may not be mounted, a limit on the size of every file written meanwhile."""
    place.mkdir()
    if _mounted(place, kilobytes):
        try:
            yield place
        finally:
            subprocess.run(["umount", "--lazy", str(place)], check=True)
    else:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes * 1024, hard))
        try:
            yield place
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _mounted(place: Path, kilobytes: int) -> bool:
    if os.geteuid() or not shutil.which("mount"):
        return False
    command = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(place)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
