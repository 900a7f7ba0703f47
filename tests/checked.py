"""Whether experiments give with the code of today what they gave with the code before.

`python -m tests.checked BEFORE "What changed"` runs every kind of experiment in small, here and in BEFORE, a clone of
this repository with the code before. Where no number and no weight is lost or another, it says so in
`data/results/checked.toml` for all kinds whose code changed; otherwise it names what differs, and writes nothing. New
numbers are no difference.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from generator.experiments.code import CHECKED, code_of
from tests.cli.command import ROOT

KINDS = (
    "finetune.rte",
    "disable.rte",
    "compare.rte",
    "curve",
    "curve.rte",
    "optima.rte",
    "seeds",
    "spans",
    "variants",
    "variants.rte",
    "quoted",
)
FILE = ROOT / "data" / "results" / CHECKED
ROUNDING = 1e-6
"""By how much a number may move: the float32 of another order of sums."""
CODES = "codes.json"
ENTRY = """
[[checked]]
date = {date}
made = ["{was}"]
code = "{now}"
check = "{check}"
"""


def main() -> int:
    """Compare, and write what was found."""
    asked = argparse.ArgumentParser(prog="python -m tests.checked", description=__doc__)
    asked.add_argument("before", type=Path, help="a clone with the code before")
    asked.add_argument("what", help="what changed, such as: A measure was added")
    asked.add_argument("--but", default="", help="the name of rows that are meant to go")
    options = asked.parse_args()
    before = options.before.resolve()
    if not (before / "tests" / "checked.py").is_file():
        asked.error(f"Expected a clone of this repository with tests/checked.py in {before}; give one that has it.")
    with TemporaryDirectory() as place:
        was, now = (_made(root, Path(place, name)) for root, name in ((before, "before"), (ROOT, "now")))
        differences = [*differs(was, now, options.but)]
        codes = [json.loads((made / CODES).read_text(encoding="utf-8")) for made in (was, now)]
    found = f"no number and no weight is lost or another{options.but and f', but for {options.but}'}"
    print("\n".join(differences) or f"{found[0].upper()}{found[1:]}.")
    if not differences:
        check = f"{options.what}: run in small with the code before and after, {found}."
        FILE.write_text(noted(FILE.read_text(encoding="utf-8"), *codes, check), encoding="utf-8")
    return int(bool(differences))


def differs(before: Path, now: Path, but: str = "") -> Iterator[str]:
    """What tables and weights of before lack now, or have otherwise, but for rows with a name; a line for each file."""
    for file in sorted([*before.rglob("*@*/*.parquet"), *before.rglob("*.safetensors")]):
        name = file.relative_to(before)
        if not (now / name).exists():
            yield f"{name} is gone"
        elif file.suffix == ".parquet":
            was = pd.read_parquet(file)
            kept = was[~was.astype(str).eq(but).any(axis=1)]
            yield from (f"{name}: {found}" for found in _moved(kept, pd.read_parquet(now / name)))
        elif file.read_bytes() != (now / name).read_bytes():
            yield f"{name} holds other weights"


def noted(text: str, was: Mapping[str, str], now: Mapping[str, str], check: str) -> str:
    """The file of checks, in which what was compared with the code before is compared with today's."""
    today, check = datetime.now(UTC).date(), json.dumps(check)[1:-1]  # with quotes as TOML has them, too
    for kind in (kind for kind in now if was.get(kind, now[kind]) != now[kind]):
        entry = re.compile(rf'^date = \S+\n(made = \[[^]]*\])\ncode = "{was[kind]}"\ncheck = "(.*)"$', re.MULTILINE)
        text, found = entry.subn(
            lambda old, kind=kind: (
                f'date = {today}\n{_with(old[1], was[kind])}\ncode = "{now[kind]}"\ncheck = "{old[2]} {check}"'
            ),
            text,
        )
        text += "" if found else ENTRY.format(date=today, was=was[kind], now=now[kind], check=check)
    return text


def _with(made: str, code: str) -> str:
    """The codes of an entry, and one more: some experiments may have been made since the entry was written."""
    if code in made:
        return made
    return f'{made[:-1]}  "{code}",\n]' if made.endswith("\n]") else f'{made[:-1]}, "{code}"]'


def make(place: Path) -> None:
    """Run every kind of experiment in a folder, and write which code did."""
    from tests.experiments.test_runs import experiments  # noqa: PLC0415 - libraries for the process that runs them alone
    from tests.topics.learning.run.curve.conftest import curve  # noqa: PLC0415
    from tests.topics.learning.run.curve.test_table import scores  # noqa: PLC0415
    from tests.topics.mentions.run.test_run import spans  # noqa: PLC0415
    from tests.topics.quoted.trees import examples  # noqa: PLC0415
    from tests.topics.seeds.run.test_run import trainings  # noqa: PLC0415
    from tests.topics.tasks.run.optima.small import ends  # noqa: PLC0415
    from tests.topics.variants.run.trained import objectives  # noqa: PLC0415

    runs = {
        "tasks": experiments,
        "curve": curve,
        "optima": ends,
        "seeds": trainings,
        "spans": spans,
        "variants": objectives,
        "quoted": examples,
    }
    for name, run in runs.items():
        (place / name).mkdir(parents=True)
        run(place / name)
    scores(place / "curve")
    (place / CODES).write_text(json.dumps({kind: code_of(kind) for kind in KINDS}), encoding="utf-8")


def _made(root: Path, place: Path) -> Path:
    """What the code of a clone makes."""
    variables = os.environ | {"PYTHONPATH": str(root), "HF_HUB_OFFLINE": "1"}
    run = f"from pathlib import Path; from tests.checked import make; make(Path({str(place)!r}))"
    subprocess.run([sys.executable, "-c", run], cwd=root, env=variables, check=True)
    return place


def _moved(before: pd.DataFrame, now: pd.DataFrame) -> Iterator[str]:
    """Rows that are gone, and columns whose numbers are others."""
    numbers = [*before.select_dtypes("float")]
    keys = [name for name in before if name not in numbers]
    if lost := [name for name in before if name not in now]:
        yield f"no column {', '.join(lost)}"
        return
    was, found = (_by(rows, keys)[numbers] for rows in (before, now))
    if len(gone := was.index.difference(found.index)):
        yield f"{len(gone)} of {len(was)} rows are gone, such as {' '.join(map(str, gone[0]))}"
        return
    for name in numbers:
        old, new = was[name].to_numpy(float), found[name].reindex(was.index).to_numpy(float)
        apart = np.where(np.isnan(old) & np.isnan(new), 0, np.abs(old - new)).max(initial=0)
        if not apart <= ROUNDING:
            yield f"{name} is another by {apart:.3g}"


def _by(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """By what each row is of; of several alike, also by which it is."""
    texts = rows[keys].astype(str)
    return rows.set_index([*(texts[key] for key in keys), texts.groupby(keys).cumcount() if keys else texts.index])


if __name__ == "__main__":
    raise SystemExit(main())
