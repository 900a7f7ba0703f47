"""Says where a best head was chosen among heads of which nothing could be counted: it is only the first of all."""

from collections.abc import Mapping, Sequence

import pandas as pd

from generator.progress import Report
from generator.results.manifest import CorpusRecord
from generator.studies.procedure import Procedure

NO_NUMBER = "It says what a number means nothing for, and changes none."

BEST = r"(?:^|\.)best(?:\.\w+)?\.(?:layer|head)$"
"""Names of numbers that say which head is the best."""


def tell_empty(
    tables: Mapping[str, pd.DataFrame], corpora: Sequence[CorpusRecord], studies: Sequence[Procedure], report: Report
) -> None:
    """Warn of every study whose best head rests on nothing, before it is stored."""
    if "facts" not in tables:
        return
    facts = tables["facts"]
    empty = facts[(facts["n"] == 0) & facts["name"].astype(str).str.contains(BEST)]
    reads = {procedure.study: procedure.reads for procedure in studies}
    for corpus, study in empty[["corpus", "study"]].drop_duplicates().to_numpy().tolist():
        for record in corpora:
            if record.name == corpus and record.kind == reads.get(study):
                total, units = next(iter(record.counts.values()), 0), next(iter(record.kind.counted.values()))
                nothing = f"0 of {total} {units} have what is counted"
                report.warn(f"The study {study} on {corpus}: {nothing}; its best head is undefined.")
