"""Rows of the benchmark: what was measured in every round, what it must be, and the file that keeps both."""

import hashlib
import json
import os
import platform
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import torch

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "bench.json"
SLACK = 1.15
"""How far a median may miss its must before the check fails."""


class AbsentError(Exception):
    """What a row needs is not on this machine; says what, and how to get it."""


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    what: str
    must: float
    stretch: float | None
    measure: Callable[[int], Iterable[float]]
    """Takes how many rounds, and gives what was found in each."""
    unit: str = ""
    """Empty for a ratio."""
    most: bool = True
    """Whether `must` is the most that is allowed, else the least."""


def measured(row: Row, rounds: int) -> dict[str, Any]:
    """Median and spread of a row, or why there are none, kept in the file with the machine, the code and the date."""
    found: dict[str, Any] = {
        "what": row.what,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{machine()}, {os.cpu_count()} cores",
        "code": code(),
    }
    try:
        values = [float(value) for value in row.measure(rounds)]
    except AbsentError as absent:
        found["absent"] = str(absent)
    else:
        found |= {
            "unit": row.unit,
            "median": statistics.median(values),
            "least": min(values),
            "most": max(values),
            "values": values,
            "must": row.must,
            "stretch": row.stretch,
            "missed": missed(row, statistics.median(values)),
        }
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text(json.dumps(kept() | {row.name: found}, indent=1) + "\n", encoding="utf-8")
    return found


def machine() -> str:
    """The processor, where the system tells it, and what computes on it."""
    told = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").is_file() else ""
    names = [line.partition(":")[2].strip() for line in told.splitlines() if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, torch {torch.__version__}"


@cache
def code() -> str:
    """A checksum of what is measured: the program and its templates, without what was compiled of it."""
    digest = hashlib.sha256()
    for path in sorted(path for name in ("generator", "templates") for path in (ROOT / name).rglob("*.*")):
        if path.parent.name != "__pycache__" and path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()


def kept() -> dict[str, dict[str, Any]]:
    """What was measured before, by the name of the row."""
    return json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {}


def missed(row: Row, median: float) -> float:
    """By what factor a median misses its must; 1 or less where it meets it."""
    return median / row.must if row.most else row.must / median


def line(name: str, found: dict[str, Any]) -> str:
    """One row as it is printed."""
    if "absent" in found:
        return f"{name:<16} {found['what']:<78} not measured: {found['absent']}"
    bound = f"{found['must']:.3g}" + (f" / {found['stretch']:.3g}" if found["stretch"] else "")
    spread = f"{found['least']:.3g}-{found['most']:.3g}"
    verdict = "" if found["missed"] <= 1 else "  missed"
    return f"{name:<16} {found['what']:<78} {found['median']:8.3g} {spread:>13} {found['unit']:<3} {bound}{verdict}"


def cpu(work: Callable[[], object]) -> float:
    """Seconds of a processor that a piece of work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def cpu_of(command: Sequence[str]) -> float:
    """Seconds of a processor that a command takes in a fresh process, its start included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
