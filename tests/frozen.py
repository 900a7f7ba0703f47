"""What small-bert's results on a little text say, in short: code that is meant to change no number changes none of it.

`python -m tests.frozen` renews it where a number is meant to change, and says what changed and by how much.
"""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

import pandas as pd
import pytest

from generator.analysis import analyze
from generator.claims.evidence.evidence import Evidence
from generator.claims.ledger import judge_all
from generator.config import Analysis
from generator.models.source import locate
from generator.results.store import Results
from tests.renewal import Renewal
from tests.reports import Strict

FILE = Path(__file__).with_name("frozen.json")
TIDY = ("value", "low", "high", "n")
KEYS = {"facts": ["study", "name"], "head_facts": ["study", "name"], "heads": ["measure"], "layers": ["measure"]}
"""Tables of tidy numbers, and what names a number in them."""
SPREAD = ("mean", "std")
OTHERS = ("documents", "roles", "types", "relations", "relation_heads", "relation_baselines", "antecedents")
DOCUMENTS = 20
"""And as many sentences: the fewest on which claims are judged."""
DIGITS = 7
RELATIVE, ABSOLUTE = 1e-3, 1e-5
"""What another processor may change, the larger of the two; a wrong mask, axis or half changes far more.

With other instructions of one processor, or every weight moved by a rounding error, no number moved by a third of it.
"""
Values = list[float | None]
"""Of one name; None is undefined."""
Parts = Mapping[str, float | str | None]
"""Part -> number or verdict."""


class Record(TypedDict):
    """What the file holds."""

    numbers: dict[str, dict[str, Values]]
    """Table -> name -> means of value, low, high and n over its rows; of other tables, mean and std of a column."""
    verdicts: Mapping[str, str]
    """Claim -> verdict."""


def written() -> Record:
    """What the code gives now."""
    settings = Analysis(corpora=("articles", "treebank"), documents=DOCUMENTS, max_tokens=64, device="cpu")
    with tempfile.TemporaryDirectory() as folder:
        place, _ = analyze(locate("small-bert"), settings, Path(folder), Strict())
        results = Results.open(place)
        verdicts = {one.claim.id: one.verdict for one in judge_all([Evidence(results)])}
        return {"numbers": _numbers(results), "verdicts": verdicts}


def read() -> Record:
    """What the file holds."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def compare(before: Record, now: Record) -> Renewal:
    """What is new, gone, or beyond the tolerance; every other number keeps its digits."""
    numbers = {table: _kept(before["numbers"].get(table, {}), rows) for table, rows in now["numbers"].items()}
    kept: Record = {"numbers": numbers, "verdicts": now["verdicts"]}
    were, are = _named(before), _named(kept)
    changes = [
        f"{name}{_told(were.get(name), are.get(name))}"
        for name in sorted({*were, *are})
        if were.get(name) != are.get(name)
    ]
    verdicts = len(now["verdicts"])
    return Renewal(changes, f"{_lines(kept)}\n", f"{len(are) - verdicts} numbers, {verdicts} verdicts")


def _kept(were: Mapping[str, Values], now: Mapping[str, Values]) -> dict[str, Values]:
    """Name -> its numbers, those of before where they are within the tolerance."""
    return {
        name: [was if _alike(was, value) else value for was, value in zip(were.get(name, values), values, strict=True)]
        for name, values in now.items()
    }


def _alike(was: float | None, now: float | None) -> bool:
    if was is None or now is None:
        return was is now
    return now == pytest.approx(was, rel=RELATIVE, abs=ABSOLUTE)


def _named(record: Record) -> dict[str, Parts]:
    """Name -> parts of a number or of a verdict."""
    return {
        f"{table}, {name}": dict(zip(_parts(table), values, strict=True))
        for table, rows in record["numbers"].items()
        for name, values in rows.items()
    } | {f"verdicts, {claim}": {"verdict": verdict} for claim, verdict in record["verdicts"].items()}


def _parts(table: str) -> tuple[str, ...]:
    return TIDY if table in KEYS else SPREAD


def _told(was: Parts | None, now: Parts | None) -> str:
    """How the sentence on a name goes on."""
    if was is None or now is None:
        parts = ", ".join(f"{part} {_text(one)}" for part, one in (was or now or {}).items())
        return f" is gone; it was: {parts}." if was else f" is new: {parts}."
    changed = (
        f"{part} was {_text(was[part])} and is {_text(now[part])}{_by(was[part], now[part])}"
        for part in was
        if was[part] != now[part]
    )
    return f": {'; '.join(changed)}."


def _text(one: float | str | None) -> str:
    return "undefined" if one is None else str(one)


def _by(was: float | str | None, now: float | str | None) -> str:
    """How much a number has moved."""
    if not isinstance(was, float) or not isinstance(now, float):
        return ""
    return f" ({now - was:+.3g}{f', {(now - was) / abs(was):+.2%}' if was else ''})"


def _lines(level: Mapping[str, object] | object) -> str:
    """JSON with a line for every name, by the alphabet: a diff shows the names that changed."""
    if not isinstance(level, Mapping):
        return json.dumps(level)
    inner = ",\n".join(f"{json.dumps(name)}: {_lines(level[name])}" for name in sorted(level))
    return f"{{\n{inner}\n}}"


def _numbers(results: Results) -> dict[str, dict[str, Values]]:
    found = {}
    for table, keys in KEYS.items():
        means = results.table(table).groupby(keys)[[*TIDY]].mean()
        found[table] = {": ".join(_tuple(name)): _rounded(row) for name, row in means.iterrows()}
    for table in OTHERS:
        numbers = results.table(table).select_dtypes("number")
        found[table] = {str(column): _rounded(numbers[column].describe()[[*SPREAD]]) for column in numbers}
    return found


def _rounded(row: pd.Series) -> Values:
    return [None if pd.isna(one) else round(float(one), DIGITS) for one in row]


def _tuple(name: object) -> tuple[str, ...]:
    return tuple(map(str, name)) if isinstance(name, tuple) else (str(name),)


if __name__ == "__main__":
    print(compare(read(), written()).write(FILE))
