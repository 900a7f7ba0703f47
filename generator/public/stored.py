"""Analysing an encoder, finding what was stored, and judging claims by it, from Python."""

from pathlib import Path
from typing import Any

import pandas as pd

from generator import analysis
from generator.claims.all import CLAIMS
from generator.claims.evidence.evidence import Evidence
from generator.claims.ledger import judge_all, records
from generator.config import Analysis, Settings
from generator.defaults import RESULTS
from generator.errors import ResultsError
from generator.models.source import locate
from generator.public.memory import in_a_folder
from generator.public.results import Results
from generator.results.store import find
from generator.results.writing import check_free
from generator.terminal import TerminalReport

NUMBERS = ("value", "low", "high")
COLUMNS = ("claim", "title", "paper", "model", "verdict", "adjusted", *NUMBERS, "n", "unit", "threshold", "reason")


def analyze(
    model: Any,
    settings: Analysis | None = None,
    *,
    tokenizer: Any = None,
    revision: str | None = None,
    name: str = "",
    results: str | Path = RESULTS,
) -> Results:
    """Observe an encoder on text and store what its heads do below the folder `results`, as `fieldguide analyze` does.

    `model` is a hub id, a local folder, or a name from `fieldguide models`; `name` is what it is called, if not by its
    id. It may also be a model of transformers, with its `tokenizer` and a name.
    Results that are already what the settings ask for are not computed again. Notes and warnings go to stderr. Raises
    FieldguideError.
    """
    if not isinstance(model, str):
        with in_a_folder(model, tokenizer, name) as folder_of_it:
            return analyze(folder_of_it, settings, name=name, results=results)
    report = TerminalReport()
    source = locate(model, revision, name)
    check_free(Path(results), source.title, source.sha256)
    folder, _ = analysis.analyze(source, settings or Analysis(), Path(results), report, force=False)
    return load_results(results)[folder.name]


def load_results(*places: str | Path) -> dict[str, Results]:
    """Name of a folder -> results, for every analysed model below these folders; experiments are part of their model.

    The default is what a site shows by default: `build/results` and `data/results` in the working directory. Raises
    ResultsError if there are no results.
    """
    default = Settings()
    where = [Path(place) for place in places] or [default.results, *default.also]
    # Tables are read when they are asked for; by then a notebook may have changed its working directory.
    stored = find(place.resolve() for place in where)
    found = {results.manifest.slug: Results(results.folder, results.manifest, results.more) for results in stored}
    if not found:
        raise ResultsError(
            f"Expected folders of results in {' or '.join(map(str, where))}, found none; name the folder that holds "
            "them, or make some with generator.analyze(MODEL)."
        )
    return found


def judge(*results: Results) -> pd.DataFrame:
    """Every published claim judged for each of these models: a row per claim and model, claims in their order.

    `value`, `low` and `high` (95 %) and `n` are those of the claim's first number, NaN and 0 where there is none.
    `adjusted` is the verdict that allows for the number of claims, and `reason` says in sentences what decides.
    """
    about = {claim.id: {"claim": claim.id, "title": claim.title, "paper": claim.paper} for claim in CLAIMS}
    rows = [row | about[row["id"]] for row in records(judge_all(map(Evidence, results)))]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(dict.fromkeys(NUMBERS, float))
