"""Every stored name has a record, and every record is of a number that something stores."""

import json

import pandas as pd
import pytest

from generator.studies.declared import STUDIES, quantity_of, study_of
from tests.frozen import FILE
from tests.test_architecture import ROOT

TABLES = ("facts", "head_facts", "curves", "rises")
NOT_KEPT = {
    "gradient.masked": None,
    "answers": None,
    "landscape": ("rows.error",),
    "scores": ("{metric}.{way}.lead", "{metric}.pretrained.fine-tuned.minus.{way}"),
    "disabling": ("base.majority", "base.lead", "zero.best_left.lowest"),
    "pruning": ("change.{count}",),
    "compare": ("twin.{axis}", "twin.divergence", "twin.matched", "twin.every"),
}
"""Numbers that no kept result holds, of which the tests of their studies make some: all of a study, or these."""


def stored():
    """Study and name of everything in kept results and in those of the frozen analysis."""
    found = set()
    for table in TABLES:
        for path in (ROOT / "data" / "results").rglob(f"{table}.parquet"):
            rows = pd.read_parquet(path, columns=["study", "name"]).drop_duplicates()
            found |= set(rows.itertuples(index=False, name=None))
    numbers = json.loads(FILE.read_text(encoding="utf-8"))["numbers"]
    return found | {tuple(name.split(": ", 1)) for table in TABLES[:2] for name in numbers[table]}


@pytest.fixture(scope="module")
def names():
    return stored()


def test_every_stored_name_is_declared(names):
    assert len(names) > 1000
    for study, name in names:
        quantity_of(study, name)


def test_every_declared_number_is_stored_by_something(names):
    written = set()
    for study, name in names:
        of = study_of(study)
        written |= {(of.name, one.name) for one in of.quantities if one.values_in(name) is not None}
    declared = {(study.name, one.name) for study in STUDIES for one in study.quantities}
    missing = {(study, name) for study, name in declared - written if name not in (NOT_KEPT.get(study, ()) or (name,))}
    missing |= {(study, name) for study, name in declared - written if study not in NOT_KEPT}
    assert missing == set()
