"""Sentences that show a head at work on a relation: the stored `arcs`, or else stored maps of sentences with trees.

In colour are the word of the relation and what it looks at most, first where that is right.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from generator.charts.static.arcs import FAINT, rounded
from generator.claims.gate.statement import Place
from generator.corpora.catalogue import is_own
from generator.corpora.relation_names import in_words
from generator.numbers.writing import listed
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.drawn import Drawn, hidden_note, line_of
from generator.pages.heads.summary import Summary
from generator.pages.inline import Part, prose
from generator.results.tables import records
from generator.topics.relations.claims.finds import RELATION
from generator.topics.relations.derived.arcs import MISSED, OTHER, RIGHT
from generator.topics.relations.page.trees import links_in, trees

TOLD = {
    RIGHT: "Right: {word} gives {pick} {share} of its attention.",
    MISSED: "Missed: {word} looks most at {pick}, not at {to}.",
    OTHER: "Something else: {word} gives {pick} {share}, which is no link of {relation}.",
}
"""Kind of sentence -> what its caption says first."""


def drawn_of(atlas: Atlas, relation: str, direction: str, place: Place) -> Iterator[Drawn]:
    """Sentences in which the head is right, or is not, about a relation."""
    special = listed([atlas.special_tokens[kind] for kind in ("begin", "separator") if kind in atlas.special_tokens])
    rows = _kept(atlas, relation, direction, place)
    if not len(rows):
        rows = links_in((*atlas.examples[place], *atlas.deciles.get(place, ())), relation, direction)
    for row in records(rows):
        words = [word.form for word in trees()[row["sentence"]].words]
        weights = row["weights"].reshape(len(words), len(words))
        word = row["word"]
        pick = int(np.where(np.arange(len(words)) == word, -1, weights[word]).argmax())
        places = {"word": word, "pick": pick, "to": row["to"]}
        if row["kind"] == OTHER and weights[word, pick] < FAINT:
            continue  # nearly all goes to special tokens: there is no arc to see
        parts: dict[str, str | Part] = {name: f"\u201c{words[at]}\u201d" for name, at in places.items()}
        parts |= {"share": rounded(weights[word, pick]), "relation": in_words(relation)}
        style = RELATION if row["kind"] == RIGHT else "broad"
        hidden = hidden_note(special, 1 - weights[word].sum())
        yield Drawn(line_of(words, weights, {(word, pick)}, style), prose(TOLD[row["kind"]], **parts), hidden)


def _kept(atlas: Atlas, relation: str, direction: str, place: Place) -> pd.DataFrame:
    """The stored rows of `arcs`; none if the treebank has changed since."""
    rows = atlas.results.table("arcs")
    if not any(is_own(corpus.name, corpus.sha256) for corpus in atlas.results.manifest.corpora):
        return rows[:0]
    for column, asked in zip(("relation", "direction", "layer", "head"), (relation, direction, *place), strict=True):
        rows = rows[rows[column] == asked]
    return rows


def sought(summary: Summary) -> tuple[str, str]:
    """The relation of which the title of a head speaks, and its direction; both empty if it speaks of none."""
    if summary.found:
        return summary.found.relation, summary.found.direction
    return (summary.aside.label, summary.aside.direction) if summary.aside and summary.kind == "none" else ("", "")
