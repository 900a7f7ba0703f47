"""Which studies of stored results are still what the settings ask for, and the rows that can be kept."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from typing import Any

from generator.corpora.kind import Corpora
from generator.errors import ResultsError
from generator.models.answering import Answering, load_answering
from generator.models.load import load
from generator.models.masked_lm import MaskedLM, load_masked_lm
from generator.results.manifest import checksum_of, packages
from generator.results.store import Results
from generator.results.tables import MEANING, TABLES
from generator.studies.procedure import PARTICULAR, Procedure
from generator.survey.code import Code, whole_name
from generator.survey.engine import NOTHING, Reused, Surveyor
from generator.survey.rows import split

NO_NUMBER = "It says which rows can be reused, and makes none."

ENGINE = (load, Surveyor)
"""What every study depends on besides its own functions and those of the kind that it reads."""
HEADS = {MaskedLM: load_masked_lm, Answering: load_answering}
"""What studies may be given besides the encoder -> what loads it."""


def fingerprints(
    studies: Sequence[Procedure], model: Sequence[str], corpora: Corpora, settings: Mapping[str, Any], code: Code
) -> dict[str, str]:
    """Study -> checksum of all that determines its rows: weights, corpora of its kind, the settings it reads, its code.

    If a study reads the tables of another one, the checksum of that one counts, too. Studies whose kind of corpus is
    not among `corpora` are left out.
    """
    found: dict[str, str] = {}
    for study in studies:
        read = [(corpus.name, corpus.sha256) for corpus in corpora.of(study.reads)]
        if read:
            others = {"studies", *PARTICULAR}.difference(study.settings)
            facts = {
                "format": MEANING,
                "checkpoint": list(model),
                "corpora": read,
                "settings": {name: value for name, value in settings.items() if name not in others},
                "code": code.checksum(roots(study, code)),
                "after": [found[name] for name in study.after],
            }
            found[study.study] = checksum_of(facts)
    return found


def roots(study: Procedure, code: Code) -> list[str]:
    """The whole names of what makes the rows of a study."""
    reading = (getattr(study.reads, field.name) for field in fields(study.reads))
    own = [whole_name(function) for function in (*ENGINE, *study.functions, *reading) if callable(function)]
    reached = code.closure(own)
    return own + [whole_name(loads) for head, loads in HEADS.items() if whole_name(head) in reached]


def fresh(wanted: Mapping[str, str], stored: Results | None, device: str) -> list[str]:
    """Stored studies that are up to date; none if another kind of device or other libraries made the results."""
    if stored is None or (stored.manifest.device, stored.manifest.packages) != (device, packages()):
        return []
    return [name for name, checksum in wanted.items() if stored.manifest.studies.get(name) == checksum]


def reused(stored: Results | None, names: Collection[str], studies: Sequence[Procedure], corpora: Corpora) -> Reused:
    """The stored rows of these studies, and the records of the corpora; nothing if a table cannot be read."""
    if stored is None or not names:
        return NOTHING
    try:
        tables = {name: stored.table(name) for name in TABLES if (stored.folder / f"{name}.parquet").is_file()}
    except ResultsError:
        return NOTHING
    order = list(dict.fromkeys(corpus.name for corpus in corpora.all))
    rows = split(tables, [study for study in studies if study.study in names], order)
    return Reused(rows, stored.manifest.corpora)
