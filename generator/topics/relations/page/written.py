"""What hand-written pages say of the relations that heads find."""

from generator.claims.cutoffs import FEWEST_WORDS
from generator.claims.gate.statement import given
from generator.corpora.relation_names import ALL, NOT_RELATIONS
from generator.errors import SiteError
from generator.pages.written.context import Context, Written
from generator.pages.written.in_markdown import table
from generator.pages.written.stored import results_of
from generator.results.tables import records
from generator.studies.halves import HELD_OUT
from generator.topics.relations.claims.finds import in_one
from generator.topics.relations.page.jobs import same_jobs

JOBLESS = "No head of the models here is named for a relation for which the paper names one."


def found(context: Context, model: str, corpus: str, /) -> str:
    """How many of the relations of a treebank that have enough words a model finds, such as "4 of 29"."""
    what = f"the relations that {model} finds in {corpus}"
    rows = results_of(context.ledger.sources, model, what).table("relation_heads")
    chosen = (rows["corpus"] == corpus) & (rows["protocol"] == HELD_OUT) & (rows["n"] >= FEWEST_WORDS)
    heads = list(records(rows[chosen & ~rows["relation"].isin((ALL, *NOT_RELATIONS))]))
    if not heads:
        raise SiteError(f"Expected {what} in relation_heads.parquet, found none; make them again or correct the page.")
    return f"{len(given(map(in_one, heads)))} of {len(heads)}"


def jobs(context: Context, /) -> str:
    """A table of the heads that a paper names for relations in BERT-base, and of those with the same names here."""
    columns, rows = same_jobs(context.compared, context.page)
    return table(columns, rows) if rows else JOBLESS


WRITTEN = Written({"found": found, "jobs": jobs})
