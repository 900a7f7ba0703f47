"""`make bench`: how fast, how small. `python -m tests.bench [ROW ...] [--rounds 3] [--check]`; see `build/bench.json`.

Every row prints the median of its rounds, their spread, and what it must be and could be. One thread unless a row says
otherwise. Seconds are those of the machine for which the bounds were set (`tests/bench/plain.py`). `--check` measures
nothing and fails where a median that was kept misses its must by more than 15 %, and where what was kept is of several
machines or of other code than this.
"""

import argparse
import sys

import torch

from tests.bench import analysis, live, newcomer, pages, peers
from tests.bench.record import SLACK, code, kept, line, measured

ROWS = {row.name: row for row in (*analysis.ROWS, *newcomer.ROWS, *peers.ROWS, *pages.ROWS, *live.ROWS)}


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
    rows = {name: found[name] for name in ROWS if name in found}
    problems = []
    if missing := [name for name in ROWS if name not in rows]:
        problems.append(f"Not measured: {', '.join(missing)}; run `make bench` first.")
    if older := [name for name, row in rows.items() if row.get("code") != code()]:
        problems.append(f"Measured with other code than this: {', '.join(older)}; run `make bench` again.")
    machines = sorted({row["machine"] for row in rows.values()})
    if len(machines) > 1:
        problems.append(f"Measured on several machines: {'; '.join(machines)}; run `make bench` again on one.")
    problems += [line(name, row) for name, row in rows.items() if row.get("missed", 0) > SLACK]
    print(*problems, sep="\n", end="\n" * bool(problems))
    print(*(line(name, row) for name, row in rows.items() if "absent" in row), sep="\n")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
