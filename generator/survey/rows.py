"""The rows that every study makes for every corpus, separate or joined to the tables of a results folder."""

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from generator.errors import TooLongError
from generator.progress import Report
from generator.results.tables import TABLES
from generator.studies.procedure import Procedure, Subject, Tables

Rows = dict[tuple[str, str], dict[str, pd.DataFrame]]
"""(study, corpus) -> table -> rows."""
SHARED = ("facts", "head_facts")
"""Tables in which a column names the study."""


def gathered(
    study: str, steps: Sequence[tuple[Callable[[], Tables], str]], subject: Subject, report: Report
) -> dict[str, pd.DataFrame]:
    """Table -> rows, from all steps of one study on one corpus; empty tables are left out.

    The note of a step is reported before the step begins. Steps that need more memory than there is are left out, which
    is said once.
    """
    made: list[Tables] = []
    failed: list[str] = []
    for step, note in steps:
        if note:
            report.note(f"{subject.model}: {note} on {subject.corpus}.")
        try:
            made.append(step())
        except TooLongError as error:
            failed.append(str(error))
    if failed:
        what = f"a part of {study}" if made else study
        report.note(f"{subject.model}: {what} on {subject.corpus} is left out. {failed[0]}")
    parts: dict[str, list[pd.DataFrame]] = {}
    for name, part in ((name, part) for tables in made for name, some in tables.items() for part in some):
        if len(part):
            parts.setdefault(name, []).append(part)
    return {name: one_table(some) for name, some in parts.items()}


def one_table(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The rows of all parts; those of a single one are not copied, because a table may be half of what is held."""
    return pd.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0].reset_index(drop=True)


def join(rows: Rows, studies: Sequence[Procedure], corpora: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Whole tables, with rows in the order of corpora and studies.

    A table without a column `corpus` has only the rows of the first corpus for which it was made.
    """
    ordered = [rows.get((study.study, corpus), {}) for corpus in corpora for study in studies]
    tables = {}
    for name, schema in TABLES.items():
        parts = [part[name] for part in ordered if name in part]
        if parts:
            # Maps of the example sentences belong to no corpus: each one made the same.
            tables[name] = one_table(parts if "corpus" in schema.names else parts[:1])
    return tables


def split(tables: Mapping[str, pd.DataFrame], studies: Sequence[Procedure], corpora: Sequence[str]) -> Rows:
    """The reverse of `join` for these studies and corpora."""
    rows: Rows = {}
    for study in studies:
        for at, corpus in enumerate(corpora):
            found = {}
            for name in (*study.tables, *SHARED):
                table = tables.get(name)
                if table is None:
                    continue
                if "corpus" in table:
                    table = table[table["corpus"] == corpus]
                elif at:
                    continue
                found[name] = table[table["study"] == study.study] if name in SHARED else table
            rows[study.study, corpus] = {name: table for name, table in found.items() if len(table)}
    return rows
