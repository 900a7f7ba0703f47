"""Whether the heads that Clark et al. 2019 name in BERT-base have fellows in other models, and how deep these stand."""

from collections.abc import Sequence

from generator.claims.gate.statement import Statement, given
from generator.corpora.relation_names import in_words
from generator.numbers.number import alone
from generator.numbers.writing import percent
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.papers_model import MODEL, SHAPE
from generator.pages.inline import Prose, as_parts
from generator.pages.links import to_head
from generator.topics.relations.claims.finds import RELATION
from generator.topics.relations.page.printed import of_paper

NOBODY = "none clearly"
"""What stands for a model in which no head is named for the relation."""
DEPTH = 2
"""Digits of a relative depth."""


def same_jobs(atlases: Sequence[Atlas], page: str) -> tuple[list[str], list[tuple[Prose, ...]]]:
    """The columns and the rows of a table: for each relation for which the paper names a head and some model here has
    one, that head, and the best of each model with this name, with their relative depths and how often they are right.

    Models without any such head have no column.
    """
    relations = {in_words(entry.relation): (place, entry) for place, entry in of_paper()}
    found = [(atlas, {name: best for name in relations if (best := _best(atlas, name))}) for atlas in atlases]
    having = [(atlas, heads) for atlas, heads in found if heads]
    rows: list[tuple[Prose, ...]] = []
    for name, ((layer, head), entry) in relations.items():
        if any(name in heads for _, heads in having):
            published = f"{layer}-{head}, depth {_depth(layer, SHAPE[0])}, {percent(alone(entry.right))}"
            rows.append((name, published, *(_cell(atlas, heads.get(name), page) for atlas, heads in having)))
    return ["relation", f"{MODEL}, as published", *(atlas.results.manifest.model for atlas, _ in having)], rows


def _best(atlas: Atlas, name: str) -> Statement | None:
    """Of the heads of a model that are named for a relation the one that is right most often."""
    named = [
        statement
        for statements in atlas.candidates.values()
        for statement in given(statements)
        if statement.kind == RELATION and in_words(statement.about) == name
    ]
    return max(named, key=lambda statement: statement.number.value, default=None)


def _cell(atlas: Atlas, head: Statement | None, page: str) -> Prose:
    if head is None:
        return NOBODY
    link = to_head(atlas.slug, *head.place, page)
    depth = _depth(head.place[0], atlas.results.manifest.layers)
    return (*as_parts(link), f", depth {depth}, {percent(head.number, ends=False)}")


def _depth(layer: int, layers: int) -> str:
    return f"{layer / layers:.{DEPTH}f}"
