"""What heads are said to find of dependency relations, in words.

The rule stands in `generator.topics.relations.claims.finds`; what it does not give is not said.
"""

import math
from collections.abc import Iterable, Mapping

import numpy as np

from generator.claims.bounds import counted
from generator.claims.gate.statement import Row, Statement
from generator.corpora.relation_names import ALL, in_words, with_label
from generator.numbers.number import Number
from generator.numbers.writing import listed, percent
from generator.pages.heads.naming.naming import Find
from generator.pages.heads.naming.specialty import LEVELS, UNTRAINED, Specialty
from generator.results.store import Results
from generator.topics.relations.claims.finds import (
    CHOSEN,
    COUNTED,
    RELATION,
    STRONG,
    Treebanks,
    agreeing,
    elsewhere,
)
from generator.topics.relations.derived.tried import accuracies
from generator.topics.relations.page.asides import asides
from generator.topics.relations.page.picking import always, picking
from generator.topics.relations.records.relations import FEW_WORDS

NO_TWIN = "there is no untrained model to compare with"


def _names(results: Results) -> Iterable[Statement]:
    return results.once(Treebanks.of).names()


def relation_specialty(statement: Statement) -> Specialty:
    """The head that finds a relation, in words."""
    row, *others = statement.of(CHOSEN)
    offset = Number.of(row, "baseline", "baseline_low", "baseline_high")
    twin = Number.of(row, "twin", "twin_low", "twin_high")
    plural = in_words(statement.about)
    right, few = percent(statement.number), percent(statement.number, ends=False)
    whole = picking(row["direction"], right, f"the {plural}")
    brief = picking(row["direction"], few, f"{statement.number.n:,} {plural}")
    text = f"{whole}; {always(row['offset'])} would be right for {percent(offset)}."
    short = f"{brief}; {always(row['offset'])} would be right for {percent(offset, ends=False)}."
    level, trust, sure = _trust(row, others)
    beside = (("best fixed offset", offset), *(((UNTRAINED, twin),) if not math.isnan(twin.value) else ()))
    strength = level, row["gain"]
    label, arrows = with_label(statement.about), tuple(Number.of(facts) for facts in statement.of(STRONG))
    return Specialty(
        statement.kind,
        whole=f"finds {plural}",
        found=label,
        text=text,
        trust=trust,
        right=statement.number,
        strength=strength,
        beside=beside,
        relation=statement.about,
        direction=str(row["direction"]),
        short=short,
        arrows=arrows,
        sure=sure,
    )


def _trust(row: Row, others: Iterable[Row]) -> tuple[int, str, str]:
    """The level of the evidence, a sentence about it, and a few words."""
    others = tuple(others)
    agree = agreeing(row, others)
    known = not math.isnan(row["twin"])
    level = 0 if not known else 2 if agree else 1
    parts = [f"chosen on half of the sentences, counted on {row['n']:,} words of the other half of {row['corpus']}"]
    parts += [] if known else [NO_TWIN]
    parts += [f"the same head is best in {listed(agree)}"] if agree else []
    parts += elsewhere(row, others)
    beaten = (
        f"beats every fixed offset in {counted(1 + len(agree), 'treebanks')}"
        if known
        else NO_TWIN.removeprefix("there is ")
    )
    return level, f"{LEVELS[level]}: {'; '.join(parts)}.", f"{LEVELS[level]}: {beaten}"


def _title(statement: Statement) -> str:
    return f"finds {in_words(statement.about)} ({statement.about}, {statement.of(CHOSEN)[0]['direction']})"


def _columns(results: Results) -> Mapping[str, np.ndarray]:
    """Relation -> the share of its words that each head gets right in its better direction, `[layer, head]`."""
    table = results.table("relations")
    if not len(table):
        return {}
    whole = table[table["relation"] == ALL].groupby("corpus")["n"].max()
    table = table[(table["corpus"] == whole.idxmax()) & (table["n"] >= FEW_WORDS) & (table["relation"] != ALL)]
    found: dict[str, np.ndarray] = {}
    for (relation, _), rows in table.groupby(["relation", "direction"]):
        grid = np.full((results.manifest.layers, results.manifest.heads), np.nan)
        grid[rows["layer"].to_numpy() - 1, rows["head"].to_numpy() - 1] = accuracies(rows)
        found[str(relation)] = np.fmax(found.get(str(relation), grid), grid)
    return found


NAMING = Find(
    kind=RELATION,
    called="finds a relation",
    story=("what-does-bert-look-at/#heads-that-find-relations", "Do heads know grammar?"),
    words=("syntax", "syntactic", "dependency", "grammar", "relations"),
    statements=_names,
    title=_title,
    specialty=relation_specialty,
    tables=(CHOSEN, COUNTED),
    asides=asides,
    columns=_columns,
)
