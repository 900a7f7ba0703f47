"""The measures of documents and heads, as a study: all numbers from the sums of one pass, and maps of examples."""

from generator.corpora.files import TEXT
from generator.measures import COLUMNS
from generator.results.rows import CorpusRows, input_table
from generator.studies.procedure import Held, Need, Part, Procedure, Subject, Tables, Watcher


def _watch(of: Subject) -> Watcher:
    rows = CorpusRows(of.model, of.corpus)

    def tables() -> Tables:
        made = {name: [table] for name, table in rows.tables(of.seed).items()}
        return made | {"inputs": [input_table(of.corpus, of.inputs, of.told_segments)]}

    return Watcher(rows.add, tables)


def _examples(of: Subject) -> Tables:
    return {"examples": [of.examples()]}


PROCEDURE = Procedure(
    "measures",
    TEXT,
    _watch,
    Need.SUMS,
    parts=(Part(Need.SUMS, _examples),),
    tables=("documents", "uniform", "heads", "layers", "inputs", "examples"),
    held=Held(kept=len(COLUMNS), made=6),
)
