"""What small-bert's results on a little text say, in short: code that is meant to change no number changes none of it.

`python -m tests.frozen` writes it again, where a number is meant to change.
"""

import json
import tempfile
from pathlib import Path

import pandas as pd

from generator.analysis import analyze
from generator.claims.evidence.evidence import Evidence
from generator.claims.ledger import judge_all
from generator.config import Analysis
from generator.models.source import locate
from generator.results.store import Results
from tests.reports import Strict

FILE = Path(__file__).with_name("frozen.json")
KEYS = {"facts": ["study", "name"], "head_facts": ["study", "name"], "heads": ["measure"], "layers": ["measure"]}
"""Tables of tidy numbers, and what names a number in them."""
DOCUMENTS = 20
"""And as many sentences: the fewest on which claims are judged."""
DIGITS = 7


def summary(results: Results) -> dict[str, dict[str, list[float | None]]]:
    """Table -> name -> the means of value, low, high and n over its rows; other tables by column."""
    found = {}
    for table, keys in KEYS.items():
        means = results.table(table).groupby(keys)[["value", "low", "high", "n"]].mean()
        found[table] = {": ".join(_tuple(name)): _rounded(row) for name, row in means.iterrows()}
    for table in ("documents", "roles", "types", "relations", "relation_heads", "relation_baselines", "antecedents"):
        numbers = results.table(table).select_dtypes("number")
        found[table] = {column: _rounded(numbers[column].describe()[["mean", "std"]]) for column in numbers}
    return found


def verdicts(results: Results) -> dict[str, str]:
    """Claim -> verdict."""
    return {one.claim.id: one.verdict for one in judge_all([Evidence(results)])}


def written() -> dict[str, object]:
    """Both, analysed now."""
    settings = Analysis(corpora=("articles", "treebank"), documents=DOCUMENTS, max_tokens=64, device="cpu")
    with tempfile.TemporaryDirectory() as folder:
        place, _ = analyze(locate("small-bert"), settings, Path(folder), Strict())
        results = Results.open(place)
        return {"numbers": summary(results), "verdicts": verdicts(results)}


def _rounded(row: pd.Series) -> list[float | None]:
    return [None if pd.isna(one) else round(float(one), DIGITS) for one in row]


def _tuple(name: object) -> tuple[str, ...]:
    return tuple(map(str, name)) if isinstance(name, tuple) else (str(name),)


if __name__ == "__main__":
    FILE.write_text(json.dumps(written(), indent=0) + "\n", encoding="utf-8")
