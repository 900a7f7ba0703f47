"""`make bench`: how fast, how small. `python -m tests.bench [ROW ...] [--rounds 3] [--check]`; see `build/bench.json`.

Every row prints the median of its rounds, their spread, and what it must be and could be. One thread unless a row says
otherwise. `--check` measures nothing and fails where a median that was kept misses its must by more than 15 %.
"""

import argparse
import sys

import torch

from tests.bench import analysis, pages, peers
from tests.bench.record import SLACK, kept, line, measured

ROWS = {row.name: row for row in (*analysis.ROWS, *peers.ROWS, *pages.ROWS)}


def main() -> int:
    """Measure some rows, or check all that were measured."""
    asked = argparse.ArgumentParser(prog="python -m tests.bench")
    asked.add_argument("rows", nargs="*", choices=[*ROWS, []], metavar="ROW", help=", ".join(ROWS))
    asked.add_argument("--rounds", type=int, default=3)
    asked.add_argument("--check", action="store_true")
    chosen = asked.parse_args()
    if chosen.check:
        return _check()
    torch.set_num_threads(1)
    for name in chosen.rows or ROWS:
        print(line(name, measured(ROWS[name], chosen.rounds)), flush=True)
    return 0


def _check() -> int:
    found = kept()
    missing = [name for name in ROWS if name not in found]
    wrong = [line(name, found[name]) for name in ROWS if name in found and found[name]["missed"] > SLACK]
    if missing:
        print(f"Not measured: {', '.join(missing)}; run `make bench` first.")
    print(*wrong, sep="\n")
    return int(bool(missing or wrong))


if __name__ == "__main__":
    sys.exit(main())
