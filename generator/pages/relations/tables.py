"""Tables of the page on relations that are not about one relation: trees, probes, coreference."""

import math
from collections.abc import Iterator
from typing import Any

import pandas as pd

from generator.corpora.kinds import CorpusKind
from generator.pages.blocks import Cell, Link, Table
from generator.pages.heads.atlas import Atlas
from generator.pages.links import to_head, to_term
from generator.pages.studies.contexts import Coreference
from generator.pages.studies.tables import NOTHING, by_name, corpora, count, measured, records, stored, table, title
from generator.studies.mentions.antecedents import BEST, CHANCE, GAIN

CONTROL, SELECTIVITY = ".control", ".selectivity"
PROBES = {
    "attention+words": "all maps and static word vectors",
    "attention": "all maps",
    "distances+words": "distances and static word vectors",
    "random attention+words": "maps of one untrained twin and static word vectors",
    "right-branching": "right-branching, which learns nothing",
}
"""Names in the store -> names on the page."""
KINDS = {"all": "all", "pronoun": "pronouns", "proper": "names", "nominal": "other nouns"}
PREDICTORS = {
    "head": "best head",
    "nearest": "nearest mention",
    "nearest agreeing": "nearest that agrees",
    "head match": "same head word",
    "rules": "four rules in order",
    CHANCE: "a candidate drawn at random",
    BEST: "the best of these but the rules, by kind",
}
BY_CANDIDATES = ("head", CHANCE, BEST)
"""Predictors that choose among the candidates; rules choose among mentions."""
CANDIDATES = {"words": "among all words before", "mentions": "among head words of mentions before"}


def trees(atlas: Atlas, corpus: str, page: str) -> Table | None:
    """The head whose maximum spanning trees hold most gold links, against the adjacent chain."""
    facts = by_name(stored(atlas, "facts", corpus=corpus, study="trees"), "trees")
    if not facts:
        return None
    rows = [
        (Cell(text, note=how), measured(facts[name]), count(facts[name]["n"]))
        for text, how, name in (
            ("best head", "held-out", "uuas.best"),
            ("its gain over the adjacent chain", "held-out", "uuas.best.gain"),
            ("best head, edges to attended words", "held-out", "uuas.to_dependents.best"),
            ("its gain over the adjacent chain", "held-out", "uuas.to_dependents.best.gain"),
            ("adjacent chain", "all sentences", "uuas.adjacent"),
        )
        if name in facts
    ]
    heads = stored(atlas, "head_facts", corpus=corpus, study="trees", name="uuas").dropna(subset="value")
    for row in records(heads.sort_values("value", ascending=False, kind="stable").head(1)):
        link = to_head(atlas.slug, row["layer"], row["head"], page)
        rows.append((Cell(f"head {link.text}", link.href, "highest on all sentences"), measured(row), count(row["n"])))
    columns = ("predictor", to_term("uuas", "UUAS", page), to_term("n", "n, links", page))
    return table(f"Trees of {corpus}", columns, rows)


def probes(atlas: Atlas, corpus: str, page: str) -> Table | None:
    """What all heads together hold of the trees, with the control task."""
    facts = by_name(stored(atlas, "facts", corpus=corpus, study="probe"), "probe")
    shown = [name for name in PROBES if name in facts]
    if not shown:
        return None
    columns = (
        to_term("probe", "probe", page),
        to_term("uas", "UAS without punctuation", page),
        to_term("control-task", "control task", page),
        to_term("selectivity", "selectivity", page),
        to_term("n", "n, sentences", page),
    )
    rows = (
        (
            Cell(PROBES[name]),
            measured(facts[name]),
            measured(facts.get(name + CONTROL)),
            measured(facts.get(name + SELECTIVITY)),
            count(facts[name]["n"]),
        )
        for name in shown
    )
    return table(f"Probes on {corpus}", columns, rows)


def coreference(atlas: Atlas, page: str) -> tuple[Coreference, ...]:
    """One section for each corpus of linked mentions."""
    rows = atlas.results.table("antecedents")
    return tuple(
        Coreference(
            id=f"coreference-{place}",
            title=title(corpus),
            read=_read(atlas, corpus),
            table=_antecedents(atlas, corpus, rows[rows["corpus"] == corpus], page),
        )
        for place, corpus in enumerate(corpora(rows, atlas.results.manifest.of(CorpusKind.MENTIONS)), start=1)
    )


def _read(atlas: Atlas, corpus: str) -> str:
    counts = atlas.results.manifest.counts.get(corpus, {})
    return (
        f"The start of {counts.get('documents', 0):,} documents, {counts.get('words', 0):,} words in all, with "
        f"{counts.get('mentions', 0):,} mentions that have an antecedent."
    )


def _antecedents(atlas: Atlas, corpus: str, rows: pd.DataFrame, page: str) -> Table:
    columns: tuple[Link | str, ...] = (
        "predictor",
        "candidates",
        to_term("held-out-half", "protocol", page),
        *(to_term("antecedent-selection-accuracy", text, page) for text in KINDS.values()),
    )
    return table(f"Antecedents in {corpus}", columns, _predictors(atlas, rows, page))


def _predictors(atlas: Atlas, rows: pd.DataFrame, page: str) -> Iterator[tuple[Cell, ...]]:
    """The head, then every baseline followed by the head's gain over it."""
    for protocol, of_protocol in rows.groupby("protocol", sort=True):
        for predictor, text in PREDICTORS.items():
            for candidates in CANDIDATES if predictor in BY_CANDIDATES else ("mentions",):
                chosen = of_protocol[of_protocol["candidates"] == candidates]
                name = Cell(text)
                if predictor == "head":
                    of_head = chosen[chosen["predictor"] == predictor]
                    name = _best(atlas, of_head, page) if len(of_head) else name
                yield from _kinds(chosen, predictor, name, candidates, str(protocol))
                yield from _kinds(chosen, GAIN + predictor, Cell("gain of the head"), candidates, str(protocol))


def _best(atlas: Atlas, rows: pd.DataFrame, page: str) -> Cell:
    link = to_head(atlas.slug, int(rows["layer"].iloc[0]), int(rows["head"].iloc[0]), page)
    return Cell(f"head {link.text}", link.href)


def _kinds(
    rows: pd.DataFrame, predictor: str, name: Cell, candidates: str, protocol: str
) -> Iterator[tuple[Cell, ...]]:
    """One row of the table, a column for each kind of mention; none where nothing is stored."""
    kinds = {row["kind"]: row for row in records(rows[rows["predictor"] == predictor])}
    if kinds:
        cells = (_kind(kinds[kind]) if kind in kinds else NOTHING for kind in KINDS)
        yield name, Cell(CANDIDATES[candidates]), Cell(protocol), *cells


def _kind(row: dict[str, Any]) -> Cell:
    if row["n"] and math.isnan(row["value"]):
        return Cell("-", note=f"impossible, n {row['n']}")
    found = measured(row)
    return Cell(found.text, note=f"{found.note}, n {row['n']}" if found.note else f"n {row['n']}")
