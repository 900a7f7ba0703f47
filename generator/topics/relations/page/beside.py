"""What the page of two models shows of the relations that the heads of one find."""

from collections.abc import Iterator, Mapping
from typing import Any

from generator.corpora.relation_names import with_label
from generator.numbers.writing import handed_row
from generator.pages.links import head_name
from generator.pages.of_model import OfModel
from generator.results.tables import records
from generator.topics.relations.claims.finds import names_some
from generator.topics.relations.page.page import Treebank, treebanks

NUMBERS = ("value", "low", "high", "n", "offset", "baseline")
"""Columns of `relation_heads` whose numbers follow the relation and its head."""


class OfRelations(OfModel):
    """The best heads of a model in each treebank."""

    def data(self) -> Mapping[str, Any]:
        """Treebank -> a row for each relation."""
        return {"found": {treebank.corpus: [*_found(treebank)] for treebank in treebanks(self.atlas)}}


def _found(treebank: Treebank) -> Iterator[list[str]]:
    """The best head of each relation with words enough for a head to be named, or of all if none has as many."""
    common = [row for row in records(treebank.held) if names_some(row)]
    for row in common or records(treebank.held):
        head = head_name(row["layer"], row["head"])
        yield [with_label(row["relation"]), head, handed_row(row[name] for name in NUMBERS)]


OF_MODELS = OfRelations
