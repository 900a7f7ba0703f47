"""`make soak`: kills, flipped bits, wrong tables, hostile names, faults and fuzzed readers.

It prints figures with the date; exit code 1 if anything was lost.

    python -m tests.soak [--kills 50] [--flips 200] [--tables 100] [--names 100] [--minutes 10]
                          [--only analyze ...] [--fresh]

Counts are kept in build/soak.json as they grow, so that a soak that was stopped goes on.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from tests.soak.flips import COMMAND, flips
from tests.soak.kills import MADE, Bench
from tests.soak.readers import fuzz
from tests.soak.wrong import Guide, hostile_names, wrong_table

KEPT = Path("build/soak.json")
IN_A_ROW = 5
"""Kills of one command before it may end."""
Trial = Callable[[Guide, random.Random, Counter[str]], str]
WRONG: dict[str, Trial] = {"tables": wrong_table, "names": hostile_names}
FAULTS = (
    "tests/runs",
    "tests/results",
    "tests/builds/test_remembered.py",
    "tests/bad_corpora",
    "tests/test_bad_input.py",
)
"""Tests of full disks and kills, of wrong and damaged tables, of corpora and names that are hostile."""


def main() -> int:
    """Add to the counts until they are what was asked for, and print them."""
    asked = argparse.ArgumentParser(prog="make soak")
    asked.add_argument("--kills", type=int, default=50)
    asked.add_argument("--flips", type=int, default=200)
    asked.add_argument("--tables", type=int, default=100)
    asked.add_argument("--names", type=int, default=100)
    asked.add_argument("--minutes", type=float, default=10)
    asked.add_argument("--only", nargs="*", default=[], choices=[*MADE, "flips", *WRONG, "faults", "readers"])
    asked.add_argument("--fresh", action="store_true")
    options = asked.parse_args()
    kept = json.loads(KEPT.read_text()) if KEPT.is_file() and not options.fresh else {"kills": {}, "losses": []}
    everything = not options.only
    _kill(options.kills, [name for name in MADE if everything or name in options.only], kept)
    if everything or "flips" in options.only:
        _flip(options.flips, kept)
    for name, tried in WRONG.items():
        if everything or name in options.only:
            _try(name, tried, getattr(options, name), kept)
    if everything or "readers" in options.only:
        counts, losses = fuzz(options.minutes, random.SystemRandom().randrange(2**31), _say)
        for name, count in counts.items():
            kept.setdefault("inputs", {})[name] = kept.get("inputs", {}).get(name, 0) + count
        kept["losses"] += [loss for loss in losses if loss not in kept["losses"]]
        _keep(kept)
    if everything or "faults" in options.only:
        code = subprocess.run([sys.executable, "-m", "pytest", "-q", *FAULTS], check=False).returncode
        kept["faults"] = "all tests passed" if code == 0 else f"pytest ended with {code}"
        kept["losses"] += [] if code == 0 else [f"faults: {kept['faults']}"]
        _keep(kept)
    _say(json.dumps({"date": f"{datetime.now(UTC):%Y-%m-%d}", **kept}, indent=1))
    return 1 if kept["losses"] else 0


def _kill(times: int, names: list[str], kept: dict) -> None:
    left = [name for name in names if kept["kills"].get(name, 0) < times]
    if not left:
        return
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        draw = random.Random()
        for _ in range(times * 3):  # a kill that came too late does not count
            for name in [name for name in left if kept["kills"].get(name, 0) < times]:
                done = kept["kills"].get(name, 0)
                killed, lost = bench.kill(name, draw, min(IN_A_ROW, times - done))
                kept["kills"][name] = done + killed
                kept["losses"] += [f"{name}: {lost}"] if lost else []
                _keep(kept)
            _say(f"kills {kept['kills']}, losses {len(kept['losses'])}")


def _flip(times: int, kept: dict) -> None:
    counts = Counter(kept.get("flips", {}))
    if counts["bits"] < times:
        with tempfile.TemporaryDirectory() as folder:
            kept["losses"] += flips(Bench(Path(folder), [COMMAND]), times, random.Random(), counts, _say)
        kept["flips"] = counts
        _keep(kept)


def _try(name: str, tried: Trial, times: int, kept: dict) -> None:
    counts = kept[name] = Counter(kept.get(name, {}))
    if counts[name] >= times:
        return
    with tempfile.TemporaryDirectory() as folder:
        guide, draw = Guide(Path(folder)), random.Random()
        while counts[name] < times:
            lost = tried(guide, draw, counts)
            kept["losses"] += [f"{name}: {lost}"] if lost else []
            _keep(kept)
            _say(f"{name} {dict(counts)}, losses {len(kept['losses'])}")


def _keep(kept: dict) -> None:
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text(json.dumps(kept, indent=1), encoding="utf-8")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
