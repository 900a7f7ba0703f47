"""Results with a gap are refused in one sentence; what was not measured, or is undefined, is no gap."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from generator import __version__
from generator.claims.all import CLAIMS
from generator.claims.claim import judge
from generator.claims.evidence.evidence import Evidence
from generator.claims.report import report
from generator.errors import ResultsError
from generator.home import DATA
from generator.pages.render import judged
from generator.results.manifest import Manifest
from generator.results.store import Results, find
from generator.studies.complete import check_complete
from tests.results.altered import altered, with_table

STORED = DATA / "results"
MAPS = "bert-base-uncased-sst2"
GAP = r"^Expected .*{what}.* in {table}\.parquet of {folder}, found it missing while the rest is stored; delete .*: "
Rows = Callable[[pd.DataFrame], pd.Series]


def of(study: str, name: str, **place: int) -> Rows:
    """Chooses the rows of a number."""

    def chosen(rows: pd.DataFrame) -> pd.Series:
        found = (rows["study"] == study) & (rows["name"] == name)
        for column, at in place.items():
            found &= rows[column] == at
        return found

    return chosen


def first(rows: pd.DataFrame) -> pd.Series:
    return pd.Series(np.arange(len(rows)) == 0, rows.index)


def without(folder: Path, to: Path, table: str, chosen: Rows) -> Path:
    """A copy of results without the chosen rows, sealed as if the program had written it so."""

    def left(rows: pd.DataFrame) -> pd.DataFrame:
        assert chosen(rows).any()
        return rows[~chosen(rows)]

    return with_table(Path(shutil.copytree(folder, to / folder.name)), table, left)


LOST = {
    "a number of a model": (MAPS, "facts", of("trees", "uuas.best"), r"\(uuas\.best\) of the study trees"),
    "a layer": (
        MAPS,
        "facts",
        of("features", "subject.max", layer=3),
        r"subject\.max .* in 12 rows",
    ),
    "a head": (MAPS, "head_facts", of("words", "sep.inside", layer=3, head=4), r"sep\.inside .* in 144 rows"),
    "one of a kind": (MAPS, "facts", of("features", "subject.frequency"), r"\(subject\.frequency\) of the study"),
    "a relation": (MAPS, "relation_heads", first, "30 rows, one for each relation, protocol,"),
    "an offset": (MAPS, "relation_baselines", first, "198 rows, one for each relation, offset,"),
    "a predictor": (
        "small-bert",
        "antecedents",
        first,
        "208 rows, one for each candidates, kind, predictor",
    ),
    "a step": ("small-bert@curve", "curves", first, "at each of 30 steps"),
    "a score": ("all-minilm-l6-v2@finetune.rte", "facts", of("scores", "accuracy.majority"), "majority"),
    "a lead": ("all-minilm-l6-v2@disable.rte", "facts", of("disabling", "base.lead"), r"\(base\.lead\)"),
}
"""What is lost -> the folder, the table, its rows, and what is said of it."""


@pytest.mark.parametrize("lost", LOST)
def test_a_row_that_is_lost_is_named_with_its_place_and_what_to_do(tmp_path: Path, lost: str) -> None:
    folder, table, chosen, what = LOST[lost]
    whole = Results.open(STORED / folder)
    check_complete(whole)
    found = Results.open(without(STORED / folder, tmp_path, table, chosen))
    said = GAP.format(what=what, table=r"\w+", folder=re.escape(folder)) + re.escape(whole.manifest.command.split()[0])
    with pytest.raises(ResultsError, match=said) as refusal:
        check_complete(found)
    assert "\n" not in str(refusal.value)


def test_the_folder_with_the_gap_is_named_where_several_are_read_as_one(tmp_path: Path) -> None:
    shutil.copytree(STORED / MAPS, tmp_path / MAPS)
    rest = Results.open(without(STORED / "medium-bert", tmp_path, "facts", of("trees", "uuas.best", layer=0)))
    whole = Results.open(tmp_path / MAPS)
    joined = Results(whole.folder, whole.manifest, (rest,))
    with pytest.raises(ResultsError, match=r"facts\.parquet of medium-bert, found"):
        check_complete(joined)


def test_neither_the_site_nor_the_ledger_passes_over_a_gap(tmp_path: Path) -> None:
    without(STORED / MAPS, tmp_path, "facts", of("trees", "uuas.best"))
    problems: list[str] = []
    assert list(judged(find([tmp_path]), problems)) == []
    (problem,) = problems
    assert problem.startswith(f"{MAPS}: its pages could not be made: Expected ")
    assert "(uuas.best) of the study trees on sst2-40.conllu in facts.parquet" in problem
    with pytest.raises(ResultsError, match=r"\(uuas\.best\) of the study trees"):
        report([tmp_path], [], "table")


@pytest.mark.parametrize("version", ["0.0.9", None])
def test_what_a_later_version_makes_is_not_testable_and_the_command_is_named(tmp_path: Path, version: str) -> None:
    folder = without(STORED / MAPS, tmp_path, "facts", of("trees", "uuas.best.gain"))
    packages = {name: package for name, package in Manifest.read(folder).packages.items() if name != "fieldguide"}
    results = Results.open(altered(folder, packages=packages | ({"fieldguide": version} if version else {})))
    check_complete(results)
    told = f"stored by {f'version {version}' if version else 'another version'} of this program, which did not make "
    (claim,) = (known for known in CLAIMS if "trees/uuas.best.*" in known.numbers)
    reason, (first_line, *_) = judge(claim, Evidence(results)).reason, results.manifest.command.split("\n")
    assert told in reason
    assert f"(uuas.best.gain of the study trees); delete the folder and make it again with: {first_line}" in reason


def test_undefined_numbers_and_studies_that_were_not_run_are_no_gap(tmp_path: Path) -> None:
    def undefined(rows: pd.DataFrame) -> pd.DataFrame:
        return rows[rows["study"] != "sinks"].assign(value=np.nan, low=np.nan, high=np.nan)

    folder = with_table(Path(shutil.copytree(STORED / MAPS, tmp_path / MAPS)), "facts", undefined)
    check_complete(Results.open(folder))


def test_results_that_come_with_the_program_have_no_gap() -> None:
    for folder in (file.parent for file in sorted(STORED.glob("*/manifest.json"))):
        results = Results.open(folder)
        assert results.manifest.packages["fieldguide"] == __version__
        check_complete(results)
