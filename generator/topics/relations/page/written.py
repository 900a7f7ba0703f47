"""What hand-written pages say of the relations that heads find."""

from generator.claims.cutoffs import FEWEST_WORDS
from generator.claims.gate.statement import given
from generator.corpora.relation_names import ALL, NOT_RELATIONS
from generator.errors import SiteError
from generator.pages.written.context import Context, Written
from generator.pages.written.stored import results_of
from generator.results.tables import records
from generator.studies.halves import HELD_OUT
from generator.topics.relations.claims.finds import in_one


def found(context: Context, model: str, corpus: str, /) -> str:
    """How many of the relations of a treebank that have enough words a model finds, such as "4 of 29"."""
    what = f"the relations that {model} finds in {corpus}"
    rows = results_of(context.ledger.sources, model, what).table("relation_heads")
    chosen = (rows["corpus"] == corpus) & (rows["protocol"] == HELD_OUT) & (rows["n"] >= FEWEST_WORDS)
    heads = list(records(rows[chosen & ~rows["relation"].isin((ALL, *NOT_RELATIONS))]))
    if not heads:
        raise SiteError(f"Expected {what} in relation_heads.parquet, found none; make them again or correct the page.")
    return f"{len(given(map(in_one, heads)))} of {len(heads)}"


WRITTEN = Written({"found": found})
