"""How a verdict was reached: as text that can be followed by hand, and the rows behind it for a CSV file."""

import math
from collections.abc import Iterator, Sequence

import pandas as pd

from generator.claims.bounds import counted, fewest, register
from generator.claims.claim import Claim, Finding, Part, find, judge
from generator.claims.evidence.evidence import Evidence
from generator.claims.evidence.reading import MEASURED, Read
from generator.claims.verdict import Verdict
from generator.numbers.pieces import readable
from generator.numbers.resampling import DRAWS, LEVEL
from generator.numbers.writing import UNDEFINED, listed, number, pieces, written
from generator.results.as_csv import as_csv

SHOWN = 12
"""Rows of a reading that are printed; the CSV has all."""
RULE: dict[Verdict, str] = {
    "holds": "both ends of the interval meet every bound",
    "fails": "both ends of the interval miss a bound",
    "inconclusive": "the interval reaches over a bound, or there is no interval",
    "not testable": "there is no number, or it rests on too few units",
}
STORED = {
    "uniform": "what uniform attention would give on the same documents, drawn with them",
    "relation_heads": (
        "the head, its direction and the fixed offset were chosen on one half of the sentences and are reported on the "
        "other; a sentence's half is the parity of the first byte of sha256('SEED:NAME')"
    ),
    "antecedents": "the head was chosen on one half of the documents and is reported on the other",
}
"""How the rows of a table were made; all other tables hold numbers with the intervals that their study computed."""
DRAWN = (
    f"are drawn with replacement {DRAWS} times with seed 0, the number is computed again from each draw, and the ends "
    f"are the percentiles {50 * (1 - LEVEL):g} and {50 * (1 + LEVEL):g}"
)
"""How the interval of a number over documents is made."""


def explain(claim: Claim, evidence: Evidence) -> str:
    """Text with the rows, resampling, and bounds of every part of a claim, and the claim's verdict."""
    return "\n".join(_lines(claim, evidence)) + "\n"


def evidence_csv(claim: Claim, evidence: Evidence) -> str:
    """CSV with all rows that the claim reads, each once: their table, how they were chosen, and their columns. Those of
    a text that contradicts follow those that it contradicts.

    Measured columns of the same documents are columns of the same rows.
    """
    if claim.id not in evidence.judged:
        judge(claim, evidence)
    once = {(read.table, read.chosen, read.corpus): read for read in evidence.judged[claim.id] if len(read.found)}
    measured: dict[tuple[str, str], list[Read]] = {}
    for reading in sorted(once.values(), key=lambda reading: reading.table):
        if reading.table in MEASURED:
            measured.setdefault((reading.table, reading.corpus), []).append(reading)
    assert all(len({len(reading.found) for reading in read}) == 1 for read in measured.values()), (
        "the same documents were read"
    )
    parts = [(table, "", read) for (table, _), read in measured.items()]
    parts += [(read.table, read.chosen, [read]) for read in once.values() if read.table not in MEASURED]
    return as_csv([_columns(*part) for part in parts], ("table", "chosen"))


def _columns(table: str, chosen: str, readings: Sequence[Read]) -> dict[str, pd.Series | str]:
    """Columns of the CSV: the table, how its rows were chosen, and all that was read of these rows."""
    found: dict[str, pd.Series | str] = {"table": table, "chosen": chosen}
    for reading in readings:
        new = (str(name) for name in reading.columns or reading.found if name != "model" and name not in found)
        found |= {name: reading.found[name] for name in new}
    return found


def _lines(claim: Claim, evidence: Evidence) -> Iterator[str]:
    yield f"{claim.id}: {claim.title}"
    yield f"{claim.statement} ({claim.paper}, {claim.section})"
    yield f"Model: {evidence.model}, {evidence.layers} layers of {evidence.heads} heads."
    yield f"Measured: {claim.measure}"
    for part in claim.parts:
        evidence.trail.clear()
        found = find(part, evidence)
        yield ""
        yield f"Part {part.key}: {part.name} ({part.unit})"
        read = {(reading.table, reading.chosen, reading.corpus): reading for reading in evidence.trail}
        for reading in read.values():
            yield from _reading(reading, part)
        yield from _result(found)
    whole = judge(claim, evidence)
    yield ""
    yield f"Verdict: {whole.verdict}. {whole.reason}"
    if whole.power:
        yield whole.power


def _reading(read: Read, part: Part) -> Iterator[str]:
    how = STORED.get(read.table, "numbers with the intervals that the study took")
    how = _documents(part) if read.table == "documents" else how
    yield f"  read from {read.table}.parquet, {read.chosen or 'all rows'}: {counted(len(read.rows), 'rows')} ({how})"
    shown = read.rows.head(SHOWN).drop(columns="model", errors="ignore")
    if "token" in shown:
        shown = shown.assign(token=shown["token"].map(readable))
    text = shown.to_string(index=False, max_colwidth=40, float_format=number, na_rep=UNDEFINED)
    yield from (f"    {line}" for line in text.splitlines())
    if len(read.rows) > SHOWN:
        yield f"    ... and {len(read.rows) - SHOWN:,} rows more"


def _documents(part: Part) -> str:
    """How a part makes its interval of the rows of documents."""
    if part.over == "heads":
        return "one row per document and head; the line above that begins with 'Measured' says what is resampled"
    return f"one row per document and head; documents{', and the heads of every layer,' if part.heads else ''} {DRAWN}"


def _because(found: Finding) -> str:
    if not found.opposed or found.number is None:
        return str(found.missing or RULE[found.verdict])
    return f"{RULE[found.part.verdict(found.number)]}, but {listed(found.opposed)}"


def _result(found: Finding) -> Iterator[str]:
    part, estimate, *_ = found
    if estimate:
        value, ends = pieces(estimate, against=part.against)
        width = "of no width" if ends == UNDEFINED else ends
        text = "no interval" if math.isnan(estimate.low) else f"{100 * LEVEL:.0f} % interval {width}"
        yield f"  number: {value}, {text}, n = {estimate.n:,} {part.over} (at least {fewest(part.over)})"
    if part.null and found.null:
        yield f"  {part.null.name} gives: {written(found.null, against=part.against)}"
    for line in register()[part.key]:
        yield f"  bound set on {line.since}: {line.text}. {line.why}"
    yield f"  this threshold: {found.outcome if estimate else 'no number'}, because {_because(found)}"
    if estimate and len(part.bounds) > 1:
        yield f"  all bounds must be met: {', '.join(map(str, part.bounds))}"
