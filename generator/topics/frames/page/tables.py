"""Sections of the page on features and frames that name single heads: links between words, identical words."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from generator.claims.cutoffs import SEED
from generator.corpora.files import TEXT
from generator.corpora.treebank import TREEBANK
from generator.numbers.quantity import Named, Study
from generator.numbers.writing import written
from generator.pages.blocks import Note, Section, Table, present
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell, Link, Name
from generator.pages.links import to_head, to_method, to_term
from generator.pages.studies.tables import by_name, cell, corpora, count, measured, of_name, stored, table, title
from generator.results.tables import records
from generator.studies.over_heads import links_next_door, next_door
from generator.topics.relations.records.trees import WORDS
from generator.topics.tokens.records.matching import MATCHING

TOP = 5
"""How many heads a table lists."""
LINKS = {"link.noun_pronoun": "Nouns and pronouns", "link.verb_subject": "Verbs and their subjects"}
NEXT_DOOR = ("attention.previous", "attention.next")
LINKS_NOTE = Note(
    "The largest weight between two such words in either direction, and beside it the head's attention to the "
    "neighbouring tokens in running text. These words often stand side by side, and here no baseline of other words at "
    "the same distance is subtracted."
)
CHOSEN_BY = {"best.matched.gain": "gain over other shared words", "best.gain": "gain over any other word"}

HeadRows = Mapping[str, Mapping[tuple[int, int], dict[str, Any]]]
"""Rows of `head_facts` by name, then by 1-based layer and head."""


def head_rows(rows: pd.DataFrame, study: Study) -> HeadRows:
    """Rows of one study and corpus."""
    found: dict[str, dict[tuple[int, int], dict[str, Any]]] = defaultdict(dict)
    for row in records(rows):
        found[row["name"]][row["layer"], row["head"]] = row
    return Named(study, found)


def strongest(rows: pd.DataFrame, top: int = TOP) -> list[dict[str, Any]]:
    """The rows with the largest values; of equal ones the first layer's first head."""
    defined = rows[rows["value"].notna()]
    order = np.lexsort((defined["head"], defined["layer"], -defined["value"]))
    return list(records(defined.iloc[order[:top]]))


def head_entry(atlas: Atlas, row: Mapping[str, Any], page: str) -> Cell:
    """A link to the row's head."""
    link = to_head(atlas.slug, row["layer"], row["head"], page)
    return Cell(link.text, link.href)


def word_links(atlas: Atlas, page: str) -> Iterator[Section]:
    """For each treebank, a section for each kind of link that it has."""
    rows = stored(atlas, "head_facts", study=WORDS)
    rows = of_name(rows, WORDS, *LINKS).dropna(subset="value")
    for place, corpus in enumerate(corpora(rows, atlas.results.manifest.of(TREEBANK)), start=1):
        own = rows[rows["corpus"] == corpus]
        yield Section(f"links-{place}", ("Links between words in ", Name(title(corpus))), ())
        shown = [(text, linked) for name, text in LINKS.items() if len(linked := of_name(own, WORDS, name))]
        for text, linked in shown:
            note = LINKS_NOTE if text == shown[-1][0] else None
            linking = _linking(atlas, corpus, text, linked, page)
            yield Section("", text, (linking, *present(_correlated(atlas, linked)), *present(note)), level=3)


def _correlated(atlas: Atlas, rows: pd.DataFrame) -> str | None:
    """A sentence with the correlation of these links with attention to neighbours; None where it is undefined."""
    link = np.full(atlas.shape, np.nan)
    link[rows["layer"] - 1, rows["head"] - 1] = rows["value"]
    previous, following = (atlas.estimates[name].value for name in NEXT_DOOR)
    found = links_next_door(link, previous, following, SEED)
    if np.isnan(found.value):
        return None
    return (
        f"Over all heads, Spearman's correlation of this weight with attention to the previous and the next token "
        f"together is {written(found)}, n {found.n} heads."
    )


def _linking(atlas: Atlas, corpus: str, text: str, rows: pd.DataFrame, page: str) -> Table:
    columns: tuple[Link | str, ...] = (
        "head",
        "largest weight",
        to_term("n", "n, sentences", page),
        *(to_method(name, name.rpartition(".")[2], page) for name in NEXT_DOOR),
        "previous + next",
        to_term("n", f"n, documents of {atlas.corpus}", page),
    )
    return table(
        f"{text} in {corpus}: heads with the largest links",
        columns,
        (
            (head_entry(atlas, row, page), measured(row), count(row["n"]), *_next_door(atlas, row))
            for row in strongest(rows)
        ),
    )


def _next_door(atlas: Atlas, row: Mapping[str, Any]) -> tuple[Cell, ...]:
    previous, following = (atlas.estimates[name].of(row["layer"], row["head"]) for name in NEXT_DOOR)
    both = next_door(previous, following)
    return cell(previous), cell(following), cell(both), count(both.n)


def identical_words(atlas: Atlas, page: str) -> Iterator[Section]:
    """A section for each corpus with inputs whose two segments share words."""
    rows, facts = (stored(atlas, name, study=MATCHING) for name in ("head_facts", "facts"))
    rows = rows.dropna(subset="value")
    for place, corpus in enumerate(corpora(rows, atlas.results.manifest.of(TEXT)), start=1):
        best = by_name(facts[facts["corpus"] == corpus], MATCHING)
        yield Section(
            f"matching-{place}",
            ("Identical words across segments in ", Name(title(corpus))),
            present(
                _matching(atlas, corpus, rows[rows["corpus"] == corpus], page),
                _held_out(corpus, best, page),
                Note(
                    "A gain is the mean weight to the same word piece in the other segment, minus that to the other "
                    "pieces there that occur in both segments, or to any other piece there. A head that merely prefers "
                    "frequent words gains over any other word, but not over other shared words. The held-out head is "
                    "chosen on one half of the documents; its gain is measured on the other."
                ),
            ),
        )


def _matching(atlas: Atlas, corpus: str, rows: pd.DataFrame, page: str) -> Table:
    found = head_rows(rows, MATCHING)
    names = ("same", "matched", "matched.gain", "other", "gain")
    columns: tuple[Link | str, ...] = (
        "head",
        "same word",
        "other shared words",
        to_term("gain", "gain over other shared words", page),
        "any other word",
        to_term("gain", "gain over any other word", page),
        to_term("n", "n, documents", page),
    )
    return table(
        f"Attention to the same word of the other segment in {corpus}",
        columns,
        (
            (
                head_entry(atlas, row, page),
                *(measured(found.get(name, {}).get((row["layer"], row["head"]))) for name in names),
                count(row["n"]),
            )
            for row in strongest(of_name(rows, MATCHING, "matched.gain"))
        ),
    )


def _held_out(corpus: str, best: Mapping[str, Mapping[str, Any]], page: str) -> Table | None:
    shown = [name for name in CHOSEN_BY if name in best]
    if not shown:
        return None
    columns = ("chosen by", to_term("held-out-half", "held-out gain", page), to_term("n", "n, documents", page))
    lines = ((Cell(CHOSEN_BY[name]), measured(best[name]), count(best[name]["n"])) for name in shown)
    return table(f"The best head for identical words in {corpus}", columns, lines)
