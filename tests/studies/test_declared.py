"""Every stored name has a record, and the records of studies and columns are those of what the code does."""

import json
from functools import cache

import pandas as pd
import pyarrow as pa

from generator.claims.evidence.reasons import LOSS
from generator.measures import COLUMNS
from generator.results.tables import TABLES as ALL_TABLES
from generator.studies.all import PROCEDURES
from generator.studies.declared import STUDIES, quantity_of, study_of
from generator.studies.procedure import Need
from generator.topics.compare.records.comparison import COMPARISON
from generator.topics.tasks.records.tasks import DISABLING, PRUNING, SCORES
from tests.frozen import FILE
from tests.test_architecture import ROOT

TABLES = ("facts", "head_facts", "curves", "rises")
NOT_KEPT = {
    "answers": None,
    "landscape": ("rows.error",),
    "compare": ("twin.{axis}", "twin.divergence", "twin.matched", "twin.every"),
}
"""Numbers that no kept result holds, of which the tests of their studies make some: all of a study, or these."""


@cache
def stored():
    """Study and name of everything in kept results and in those of the frozen analysis."""
    found = set()
    for table in TABLES:
        for path in (ROOT / "data" / "results").rglob(f"{table}.parquet"):
            rows = pd.read_parquet(path, columns=["study", "name"]).drop_duplicates()
            found |= set(rows.itertuples(index=False, name=None))
    numbers = json.loads(FILE.read_text(encoding="utf-8"))["numbers"]
    return found | {tuple(name.split(": ", 1)) for table in TABLES[:2] for name in numbers[table]}


def held():
    """Study and name of the records of all these."""
    found = set()
    for study, name in stored():
        of = study_of(study)
        found |= {(of.name, quantity.name) for quantity in of.quantities if quantity.values_in(name) is not None}
    return found


def not_kept(study, name):
    """Whether no kept result is to hold a number."""
    return study in NOT_KEPT and name in (NOT_KEPT[study] or (name,))


def unstored():
    """The numbers, with their studies, that have a record and that nothing stores, but for those of NOT_KEPT."""
    declared = {(study.name, quantity.name) for study in STUDIES for quantity in study.quantities}
    return {f"{name} of {study}" for study, name in declared - held() if not not_kept(study, name)}


def test_every_stored_name_is_declared():
    names = stored()
    assert len(names) > 1000
    for study, name in names:
        quantity_of(study, name)


def test_what_no_kept_result_is_to_hold_is_held_by_none():
    assert {(study, name) for study, name in held() if not_kept(study, name)} == set()


def test_the_record_of_a_study_says_what_its_procedure_takes():
    """Pages and verdicts read the record where a number is missing; the engine reads the procedure."""
    declared = {study.name: study for study in STUDIES}
    seen = 0
    for procedure in PROCEDURES:
        if study := declared.get(procedure.study):
            needs = {procedure.watches if procedure.watch else Need.SUMS, *(part.need for part in procedure.parts)}
            seen += 1
            assert study.reads == procedure.reads, procedure.study
            assert bool(study.takes) == (not needs <= {Need.SUMS, Need.MAPS}), procedure.study
            assert (study.takes == LOSS) == (Need.MASKED_LM in needs), procedure.study
            assert not study.command, procedure.study
    assert seen > 20


def test_what_no_analysis_makes_names_its_command():
    for study in (SCORES, DISABLING, PRUNING, COMPARISON):
        assert study.command.startswith("fieldguide "), study.name


ROWS = ("facts", "head_facts", "curves", "rises")
"""Tables with a number in every row, whose name in the row has the record."""
PLACES = {"layer", "head", "part", "sentence"}
TEXTS = {"inputs", "examples", "predictions"}
"""Tables of texts, maps and trees, from which numbers are made."""
ENDS = ("_low", "_high")


def test_every_column_of_numbers_has_one_record_and_every_record_of_a_column_its_column():
    wanted = set()
    for name, schema in ALL_TABLES.items():
        for column in schema if name not in TEXTS else ():
            number = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
            base = next((column.name.removesuffix(end) for end in ENDS if column.name.endswith(end)), column.name)
            ends = base in ("low", "high") or (name in ROWS and base in ("value", "n"))
            if (number or name == column.name) and base not in {*PLACES, *COLUMNS} and not ends:
                wanted.add((name, base))
    declared = [(one.table, one.name) for study in STUDIES for one in study.columns]
    assert len(declared) == len(set(declared))
    assert set(declared) - {("rises", "n")} == wanted
