"""The ledger on the command line: verdicts of stored models as a table, as JSON or as Markdown."""

import json
import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from html import escape
from pathlib import Path
from typing import Literal

from generator.claims.all import CLAIMS
from generator.claims.claim import Judgement
from generator.claims.evidence.evidence import Evidence
from generator.claims.explain import evidence_csv, explain
from generator.claims.ledger import adjusted, judge_all, many_of, records
from generator.claims.verdict import Verdict
from generator.errors import ResultsError
from generator.models.names import slug
from generator.numbers.writing import interval, number
from generator.results.store import Results, find
from generator.studies.complete import check_complete
from generator.visible import visible

Format = Literal["table", "json", "markdown"]
MARKUP = re.compile(r"[<&|`*\[\]\\]|(?<=\S)>")
"""Marks that Markdown or HTML would not read as plain text; the sign of a number is not among them."""
HEADINGS = ("claim", "model", "verdict", "allowing for many", "value", "95 % interval", "n", "threshold", "published")


def report(places: Iterable[Path], models: Collection[str], form: Format) -> str:
    """Every claim's verdicts for these models, or for all stored ones. Raises ResultsError for an unknown model, and
    for results with gaps.
    """
    chosen = stored_models(find(places), models)
    for results in chosen:
        check_complete(results)
    judgements = judge_all(map(Evidence, chosen))
    if form == "json":
        return json.dumps(records(judgements), indent=2, ensure_ascii=False)
    changed = adjusted(many_of(judgements))
    made = [_row(judgement, changed) for judgement in judgements]
    if form == "markdown":
        lines = [" | ".join(map(in_markdown, row)) for row in (HEADINGS, *made)]
        return "\n".join([f"| {lines[0]} |", "|---" * len(HEADINGS) + "|", *(f"| {line} |" for line in lines[1:])])
    rows = [HEADINGS, *(tuple(visible(cell.replace("\n", " ")) for cell in row) for row in made)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEADINGS))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


def explained(places: Iterable[Path], model: str, name: str, csv: Path | None) -> str:
    """How the verdict on a claim was reached. Raises ResultsError for an unknown model or claim, and for a file that
    cannot be written.
    """
    claim = next((known for known in CLAIMS if known.id == name.upper()), None)
    if claim is None:
        near = get_close_matches(name.upper(), [known.id for known in CLAIMS], n=3, cutoff=0)
        raise ResultsError(f"Expected the id of a claim, found {name!r}; did you mean {', '.join(near)}?")
    evidence = Evidence(stored_models(find(places), [model])[0])
    if csv:
        try:
            csv.write_text(evidence_csv(claim, evidence), encoding="utf-8")
        except OSError as error:
            raise ResultsError(
                f"Expected to write the rows of {claim.id} to {csv}, found: {error.strerror}; choose another file."
            ) from None
    return visible(explain(claim, evidence))


def in_markdown(text: str) -> str:
    """The text in one line, escaped so that Markdown and HTML show it as it is."""
    return MARKUP.sub(_escaped, visible(text.replace("\n", " ")))


def _escaped(mark: re.Match[str]) -> str:
    return escape(mark[0]) if mark[0] in "<>&" else f"\\{mark[0]}"


def stored_models(stored: Sequence[Results], models: Collection[str]) -> list[Results]:
    """Those of the stored results that these models have, all of them if none is named. Raises ResultsError for an
    unknown model, and where nothing is stored.
    """
    names = {results.manifest.slug: results for results in stored}
    unknown = next((model for model in models if slug(model) not in names), None)
    if unknown is not None or not stored:
        have = ", ".join(results.manifest.model for results in stored) or "none"
        raise ResultsError(
            f"Expected results of {unknown or 'a model'} among the stored ones ({have}), found none; make them with: "
            f"fieldguide analyze {unknown or 'MODEL'}"
        )
    return [names[slug(model)] for model in models] if models else list(stored)


def _row(judged: Judgement, changed: Mapping[tuple[str, str], Verdict]) -> tuple[str, ...]:
    against = judged.claim.parts[0].against if judged.claim.parts else ()
    return (
        judged.claim.id,
        judged.model,
        judged.verdict if not judged.language else f"{judged.verdict} ({judged.language})",
        changed.get((judged.claim.id, judged.model), "-"),
        number(judged.value, judged.low, judged.high, against=against),
        interval(judged.low, judged.high, value=judged.value, against=against),
        "-" if math.isnan(judged.value) else str(judged.n),
        judged.threshold or "-",
        ", ".join(number(printed.value) for printed in judged.published[:3]) or "-",
    )
