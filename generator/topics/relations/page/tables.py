"""Sections of the page on relations that are not about one relation: all words, trees, probes, coreference."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from generator.corpora.relation_names import ALL, DIRECTION_IN_WORDS
from generator.numbers.writing import number
from generator.pages.blocks import Note, Section, Table
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell, Cells, Link, Name
from generator.pages.links import to_head, to_term
from generator.pages.studies.tables import NOTHING, by_name, corpora, count, measured, stored, table, title
from generator.results.tables import records
from generator.topics.mentions.corpus.mentions import MENTIONS
from generator.topics.mentions.records import BEST, CHANCE, GAIN
from generator.topics.probes.records import KNOWLEDGE, LEARNING, PROBE
from generator.topics.relations.derived.tried import accuracies
from generator.topics.relations.records.trees import TREES

RIGHT_BRANCHING = 1
CONTROL, SELECTIVITY = ".control", ".selectivity"
PROBES = ("attention+words", "attention", "distances+words", "random attention+words", "right-branching")
"""The probes in the order of the page."""
KINDS = {"all": "all", "pronoun": "pronouns", "proper": "names", "nominal": "other nouns"}
PREDICTORS = {
    "head": "best head",
    "nearest": "nearest mention",
    "nearest agreeing": "nearest that agrees",
    "head match": "same head word",
    "rules": "four rules in order",
    CHANCE: "a candidate drawn at random",
    BEST: "the best of these without the four rules, by kind",
}
BY_CANDIDATES = ("head", CHANCE, BEST)
"""Predictors that choose among the candidates; rules choose among mentions."""
CANDIDATES = {"words": "among all words before", "mentions": "among head words of mentions before"}


def head_cell(atlas: Atlas, row: Mapping[str, Any], page: str) -> Cell:
    """The head of a row, and the direction in which its attention is read."""
    link = to_head(atlas.slug, row["layer"], row["head"], page)
    return Cell(link.text, link.href, DIRECTION_IN_WORDS[row["direction"]])


def twin_cell(row: Mapping[str, Any]) -> Cell:
    """The mean over the untrained twins, and below it the lowest and the highest."""
    return measured(row, "twin", "twin_low", "twin_high")


def words(atlas: Atlas, corpus: str, anchor: str, rows: pd.DataFrame, page: str) -> Section:
    """All words together: the unlabelled attachment score."""
    of_all = {row["protocol"]: row for row in records(rows[rows["relation"] == ALL])}
    lines: list[Cells] = []
    for protocol, row in of_all.items():
        head = head_cell(atlas, row, page)
        gain = measured(row, "gain", "gain_low", "gain_high")
        lines += [
            (Cell("best head", note=protocol), head, measured(row), count(row["n"])),
            (Cell("its gain", note=protocol), NOTHING, gain, count(row["n"])),
            (Cell("best fixed offset", note=protocol), *_at_offset(row), count(row["n"])),
        ]
        if not math.isnan(row["twin"]):
            twins = Cell("best heads of the untrained twins", note=protocol)
            lines.append((twins, NOTHING, twin_cell(row), count(row["n"])))
    lines += _right_branching(atlas, corpus)
    columns = ("predictor", "head or offset", to_term("uas", "UAS", page), to_term("n", "n, words", page))
    note = Note(
        "The root of a sentence can never be right. Right-branching always names the next word; it is counted over all "
        "sentences and has no interval."
    )
    found = table(f"All words of {corpus}", columns, lines)
    return Section(f"{anchor}-words", "All words", (found, note), level=3)


def _at_offset(row: Mapping[str, Any]) -> tuple[Cell, Cell]:
    return Cell(f"{row['offset']:+d}"), measured(row, "baseline", "baseline_low", "baseline_high")


def _right_branching(atlas: Atlas, corpus: str) -> Iterator[tuple[Cell, ...]]:
    rows = stored(atlas, "relation_baselines", corpus=corpus, relation=ALL, offset=RIGHT_BRANCHING)
    for row, accuracy in zip(records(rows), accuracies(rows), strict=True):
        share = Cell(number(accuracy))
        yield Cell("right-branching", note="all sentences"), Cell(f"{RIGHT_BRANCHING:+d}"), share, count(row["n"])


def trees(atlas: Atlas, corpus: str, anchor: str, page: str) -> Section | None:
    """The head whose maximum spanning trees hold most gold links, against the adjacent chain."""
    facts = by_name(stored(atlas, "facts", corpus=corpus, study=TREES), TREES)
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
    heads = stored(atlas, "head_facts", corpus=corpus, study=TREES, name="uuas").dropna(subset="value")
    for row in records(heads.sort_values("value", ascending=False, kind="stable").head(1)):
        link = to_head(atlas.slug, row["layer"], row["head"], page)
        rows.append((Cell(f"head {link.text}", link.href, "highest on all sentences"), measured(row), count(row["n"])))
    columns = ("predictor", to_term("uuas", "UUAS", page), to_term("n", "n, links", page))
    note = Note(
        "The tree of a head is the maximum spanning tree of its map, rooted at the root of the treebank; a link is "
        "found whichever end is the head word. The weight of an edge is how much the dependent attends to the head "
        "word; for edges to attended words, which the paper has, it is how much the head word attends to the "
        "dependent. The chain links every word to the next."
    )
    found = table(f"Trees of {corpus}", columns, rows)
    return Section(f"{anchor}-trees", "Whole trees", (found, note), level=3)


def probes(atlas: Atlas, corpus: str, anchor: str, page: str) -> Section | None:
    """How much of the trees all heads together contain, with the control task."""
    facts = by_name(stored(atlas, "facts", corpus=corpus, study=PROBE), PROBE)
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
            Cell(KNOWLEDGE[name]),
            measured(facts[name]),
            *(measured(facts.get(name + end)) if name in LEARNING else NOTHING for end in (CONTROL, SELECTIVITY)),
            count(facts[name]["n"]),
        )
        for name in shown
    )
    note = Note(
        "A probe learns on one half of the sentences which maps to trust, and is scored on the other. In the control "
        "task the head word of each word type is arbitrary, so that a probe can only remember it; selectivity is the "
        "score minus that of the control task."
    )
    found = table(f"Probes on {corpus}", columns, rows)
    return Section(f"{anchor}-probes", "All heads together", (found, note), level=3)


def coreference(atlas: Atlas, page: str) -> Iterator[Section]:
    """One section for each corpus of linked mentions."""
    rows = atlas.results.table("antecedents")
    for place, corpus in enumerate(corpora(rows, atlas.results.manifest.of(MENTIONS)), start=1):
        yield Section(
            f"coreference-{place}",
            ("Coreference in ", Name(title(corpus))),
            (
                _read(atlas, corpus),
                _antecedents(atlas, corpus, rows[rows["corpus"] == corpus], page),
                Note(
                    "A head is right where the candidate that the mention's head word attends to most is the head word "
                    "of one of its antecedents. One head is chosen for all kinds together, on one half of the "
                    "documents or, as in the paper, on all; intervals resample documents. The paper does not say among "
                    "which words a head chooses, so two sets of candidates are shown; rules always choose among "
                    "mentions. Below each baseline stands by how much the head is better on the same mentions. A rule "
                    "is called impossible where no mention of the kind can satisfy it."
                ),
            ),
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
    """The row of a predictor, with a column for each kind of mention; no row if nothing is stored."""
    kinds = {row["kind"]: row for row in records(rows[rows["predictor"] == predictor])}
    if kinds:
        cells = (_kind(kinds[kind]) if kind in kinds else NOTHING for kind in KINDS)
        yield name, Cell(CANDIDATES[candidates]), Cell(protocol), *cells


def _kind(row: dict[str, Any]) -> Cell:
    if row["n"] and math.isnan(row["value"]):
        return Cell("-", note=f"impossible, n {row['n']}")
    found = measured(row)
    return Cell(found.text, note=f"{found.note}, n {row['n']}" if found.note else f"n {row['n']}")
