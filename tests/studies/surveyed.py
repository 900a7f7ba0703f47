"""Corpora through an encoder, as an analysis reads them."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.config import Analysis
from generator.corpora.kind import Corpora, Corpus
from generator.models.encoder import Encoder
from generator.results.tables import TABLES
from generator.studies.all import PROCEDURES
from generator.studies.procedure import Procedure
from generator.survey.engine import Survey, Surveyor
from generator.topics.tokens.compute.frequency import TokenRows
from generator.topics.vectors.compute.contextuality import ContextRows
from tests.reports import Telling

Tables = dict[str, pd.DataFrame]


def survey(
    encoder: Encoder,
    *corpora: Corpus[Any],
    studies: Sequence[Procedure] = PROCEDURES,
    report: Telling | None = None,
    **settings: Any,
) -> Survey:
    """What an encoder without further heads shows."""
    surveyor = Surveyor(encoder, examine(encoder), Analysis(**settings), report or Telling())
    return surveyor.survey(Corpora(corpora), studies)


def of_study(tables: Tables, study: str, table: str = "facts") -> pd.DataFrame:
    """The rows of one study."""
    rows = tables[table]
    return rows[rows["study"] == study].reset_index(drop=True)


def fits_the_store(found: Tables) -> None:
    """Every table has rows, and the columns that it is declared with."""
    for name, table in found.items():
        assert set(table.columns) == set(TABLES[name].names), name
        assert len(pa.Table.from_pandas(table, schema=TABLES[name], preserve_index=False)) == len(table) > 0


def frequency_facts(encoder, anatomy, inputs, model, corpus, seed) -> pd.DataFrame:
    """`facts` of study "norms"."""
    rows = TokenRows()
    for seen in observe(encoder, anatomy, inputs):
        rows.add(seen)
    return rows.facts(model, corpus, seed)


def contextuality(encoder, inputs, model, corpus, seed) -> pd.DataFrame:
    """`facts` of study "contextuality"."""
    rows = ContextRows(encoder.tokenizer, inputs, seed)
    for seen in observe(encoder, examine(encoder), inputs, Options(keep_states=True)):
        rows.add(seen)
    return rows.facts(model, corpus)
