"""Names that say which dependency relation a head finds.

A head may be named for a relation if it is the best of all heads on one half of the sentences and, on the other half,
clearly beats the best fixed offset and the best head of every untrained twin; the interval of its gain allows for all
relations that could name a head, of which some would do so by chance. The treebank with most words of the
relation decides, but one that was written for this project only where no other has FEWEST_WORDS of them. Of the other
treebanks with FEW_WORDS or more, one must name the same head, and in none may that head be right no more often than the
best fixed offset. If a head has FEWEST_WORDS strong arrows, more of them must be links of the relation than if the same
words looked at that offset.

A pick is a word, never a special token, as in Clark et al. 2019, who add that this hardly changes how often heads are
right (section 4.1). Where it does, a name may be contradicted: in no treebank may a head be right no more often than
the best fixed offset if special tokens could be picked, too. How many words it then loses is stored of all relations
together; of one relation it is taken to keep as many words as it could at most.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd

from generator.claims.cutoffs import CLEAR_GAIN, FEWEST_WORDS, is_clear
from generator.claims.gate.statement import Check, Place, Row, Statement, least
from generator.corpora.catalogue import is_own
from generator.corpora.relation_names import ALL, DIRECTIONS, NOT_RELATIONS
from generator.numbers.number import Number
from generator.numbers.simultaneous import widened
from generator.numbers.writing import listed, percent, pieces
from generator.numbers.writing import number as written
from generator.results.manifest import Manifest
from generator.results.store import Results
from generator.results.tables import records
from generator.studies.halves import HELD_OUT
from generator.topics.relations.derived.tried import Tried, each
from generator.topics.relations.records.relations import ARROWS, FEW_WORDS, NAMES, POSSESSIVE
from generator.topics.relations.records.trees import WORDS

LEAST_GAIN = CLEAR_GAIN
"""The least gain over a baseline that is told."""
RELATION = "relation"
"""The kind of these names."""
NAMELESS = (*NOT_RELATIONS, "dep")
"""Rows of relations after which no head is named."""
CHOSEN, COUNTED, SHIFTED, STRONG = "relation_heads", "relations", "relation_baselines", "head_facts"
"""The tables that are read; a row that counts a head has the best fixed offset beside it, and of the last one only rows
about strong arrows and LOSS are read.
"""
LOSS = "special.loss"
"""The share of all words for which a head is right, but not if special tokens may be picked."""


class Counts:
    """How often every head and the best fixed offset are right, on all sentences of every treebank."""

    def __init__(self, counts: pd.DataFrame, offsets: pd.DataFrame, lost: pd.DataFrame) -> None:
        """Takes the tables `relations` and `relation_baselines`, and the rows of LOSS in `head_facts`."""
        self._counts, self._offsets = counts, offsets
        self._lost = {(row["corpus"], *place_of(row)): row["value"] for row in records(lost)}
        self._heads: dict[str, dict[tuple[str, int, int], list[Row]]] = {}

    @classmethod
    def in_tables(cls, table: Callable[[str], pd.DataFrame]) -> Self:
        """The counts in the tables that a function returns by name."""
        facts = table(STRONG)
        lost = facts[(facts["study"] == WORDS.name) & (facts["name"] == LOSS)]
        return cls(table(COUNTED), table(SHIFTED), lost)

    def of(self, relation: str, direction: str, place: Place) -> list[Row]:
        """A row for each treebank that has FEW_WORDS words of a relation: how often one head is right and, as `base`,
        the best fixed offset; as `kept`, where it is known, how often it may be at most if special tokens could be
        picked.
        """
        rows = self._of_heads(relation).get((direction, *place), ())
        best = self._best
        beside = [(row, (row["corpus"], relation)) for row in rows]
        return [{**row, **self._kept(row), **best[key]} for row, key in beside if key in best]

    def against(self, relation: str, direction: str, place: Place, but: str) -> list[Row]:
        """The rows that contradict what a head is said to find in one treebank: in any other it is right no more often
        than the best fixed offset, or in some no more often if special tokens could be picked.
        """
        rows = self.of(relation, direction, place)
        return [row for row in rows if (row["corpus"] != but and not _beats_offset(row)) or not _undisturbed(row)]

    def _kept(self, row: Row) -> dict[str, int]:
        """At most as many words of one relation as of all; empty where it is not stored how many. A word that sends its
        attention back has no such pick, and words of POSSESSIVE are counted in another way among all.
        """
        if row["direction"] != DIRECTIONS[0] or row["relation"] in POSSESSIVE:
            return {}
        lost = self._lost.get((row["corpus"], *place_of(row)), np.nan)
        words = self._of_heads(ALL).get((row["direction"], *place_of(row)), ())
        whole = next((every for every in words if every["corpus"] == row["corpus"]), None)
        if whole is None or np.isnan(lost):
            return {}
        return {"kept": min(row["correct"], whole["correct"] - round(lost * whole["n"]))}

    def _of_heads(self, relation: str) -> Mapping[tuple[str, int, int], list[Row]]:
        """Direction, layer and head -> the rows of a relation."""
        if relation not in self._heads:
            found = self._heads[relation] = {}
            for row in records(self._of_relations.get(relation, self._counts.iloc[:0])):
                found.setdefault((row["direction"], *place_of(row)), []).append(row)
        return self._heads[relation]

    @cached_property
    def _of_relations(self) -> Mapping[str, pd.DataFrame]:
        kept = self._counts[self._counts["n"] >= FEW_WORDS]
        return {str(name): rows for name, rows in kept.groupby("relation", observed=True)}

    @cached_property
    def _best(self) -> Mapping[tuple[str, str], dict[str, Any]]:
        # Stable, so that of equally good offsets the same one counts on every machine.
        best = self._offsets.sort_values("correct", kind="stable")
        rows = records(best.drop_duplicates(["corpus", "relation"], keep="last"))
        return {(row["corpus"], row["relation"]): {"offset": row["offset"], "base": row["correct"]} for row in rows}


class Treebanks:
    """What the heads of one model may be said to find in the treebanks that it read."""

    def __init__(self, chosen: pd.DataFrame, counts: Counts, own: str = "", arrows: pd.DataFrame | None = None) -> None:
        """Takes the table `relation_heads`; `own` is the name of the treebank that was written for this project, and
        `arrows` has the rows of study "arrows" in `head_facts`.
        """
        self._counts, self.own = counts, own
        arrow_rows = records(arrows) if arrows is not None else ()
        self._arrows = {(row["corpus"], row["name"], *place_of(row)): row for row in arrow_rows}
        self._by: dict[str, list[Row]] = {}
        kept = chosen[(chosen["protocol"] == HELD_OUT) & ~chosen["relation"].isin(NAMELESS)]
        for row in records(kept[kept["n"] >= FEW_WORDS]):
            self._by.setdefault(row["relation"], []).append(row)
        for rows in self._by.values():
            rows.sort(key=lambda row: (row["n"] < FEWEST_WORDS or row["corpus"] == own, -row["n"]))

    @classmethod
    def of(cls, results: Results) -> Self:
        """The treebanks that these results have read."""
        facts = pd.concat([results.of_study(STRONG, study.name) for study in (ARROWS, WORDS)])
        return cls.in_tables(lambda name: facts if name == STRONG else results.table(name), results.manifest)

    @classmethod
    def in_tables(cls, table: Callable[[str], pd.DataFrame], manifest: Manifest) -> Self:
        """The treebanks in the tables that a function returns by name."""
        own = (corpus.name for corpus in manifest.corpora if is_own(corpus.name, corpus.sha256))
        strong = table(STRONG)
        strong = strong[strong["study"] == ARROWS.name]
        return cls(table(CHOSEN), Counts.in_tables(table), next(own, ""), strong)

    @property
    def rows(self) -> list[Row]:
        """The rows of `relation_heads` with words enough to be heard; of each relation the one that decides first."""
        return [row for rows in self._by.values() for row in rows]

    def of_relation(self, relation: str) -> list[Row]:
        """The rows of one relation, the one that decides first; empty if there are none."""
        return self._by.get(relation, [])

    def names(self) -> Iterator[Statement]:
        """A statement for each relation and each head that some treebank chose for it."""
        for rows in self._by.values():
            seen = set()
            for row in rows:
                if (key := (place_of(row), row["direction"])) not in seen:
                    seen.add(key)
                    yield self.named(row)

    def named(self, row: Row) -> Statement:
        """The statement that the head of a row finds its relation, with all that speaks against it."""
        rows = self._by[row["relation"]]
        others = [record for record in rows if record is not row]
        checks = [Check("elsewhere", row is rows[0], f"{rows[0]['corpus']} decides: {_best_in(rows[0])}")]
        if others:
            agree = agreeing(row, others)
            texts = [f"the same head is best in {listed(agree)}"] if agree else []
            checks.append(Check("elsewhere", bool(agree), "; ".join([*texts, *elsewhere(row, others)])))
        checks += self._on_halves(row)
        found = self.unopposed(in_one(row))
        rest = tuple((CHOSEN, other) for other in others)
        return found._replace(checks=(*found.checks, *checks), rows=(found.rows[0], *rest, *found.rows[1:]))

    def _with_all(self, row: Row) -> Check:
        """That the gain is surely above 0 although it is one of those of all relations that could name a head."""
        several = max(sum(rows[0]["n"] >= FEWEST_WORDS for rows in self._by.values()), 1)
        low = widened(_gain_of(row), several).low
        return Check(
            "range", low > 0, f"with all {several} relations in view, its gain is {written(low)} or more (above 0)"
        )

    def unopposed(self, statement: Statement) -> Statement:
        """A statement on a relation, with what speaks against it: its gain must be sure with all relations in view, and
        in no other treebank may the same head be right no more often than the best fixed offset, on all sentences, nor
        may its strong arrows be, nor in any treebank what it finds if special tokens could be picked.
        """
        at = statement.rows[0][1]
        checks = self._with_all(at), *self._on_counts(at), *self.with_arrows(at)
        read = (*((COUNTED, row) for row in self._read(at)), *((STRONG, row) for row in self._strong(at)))
        return statement._replace(checks=(*statement.checks, *checks), rows=(*statement.rows, *read))

    def with_arrows(self, row: Row) -> tuple[Check, ...]:
        """That the strong arrows of the head of a row are links of the relation more often than at the best fixed
        offset; empty if it has too few.
        """
        strong = self._strong(row)
        if not strong or strong[0]["n"] < FEWEST_WORDS:
            return ()
        # Not `>`: a number that is undefined contradicts nothing.
        return (Check("elsewhere", not strong[-1]["value"] <= 0, _arrows(*strong)),)

    def contradicted(self, row: Row) -> bool:
        """Whether the head of a row is right no more often than the best fixed offset in another treebank, on all of
        its sentences or on the half that is counted, or in some treebank if special tokens could be picked.
        """
        return not all(check.met for check in (*self._on_counts(row), *self._on_halves(row)))

    def unshared(self, row: Row) -> list[str]:
        """Which heads other treebanks name for the relation of a row, if none of them names the same one."""
        others = [record for record in self.of_relation(row["relation"]) if record["corpus"] != row["corpus"]]
        return [] if agreeing(row, others) else elsewhere(row, others)

    def _on_halves(self, row: Row) -> list[Check]:
        """That the head of a row gains something on the half of every other treebank that chose it, too."""
        return [
            Check(
                "elsewhere",
                not record["gain"] <= 0,
                f"on the half of {record['corpus']} that is counted, {_gain(record)}",
            )
            for record in self.of_relation(row["relation"])
            if record["corpus"] != row["corpus"] and _same(record, row)
        ]

    def _on_counts(self, row: Row) -> list[Check]:
        """What all sentences of treebanks say of the head of a row."""
        rows = self._read(row)
        beaten = [_beaten(one) for one in rows if one["corpus"] != row["corpus"]]
        return [*beaten, *(_kept(one) for one in rows if "kept" in one)]

    def _read(self, row: Row) -> list[Row]:
        """How often the head of a row and the best fixed offset are right in every other treebank, and in its own where
        it is known what special tokens change.
        """
        rows = self._counts.of(row["relation"], row["direction"], place_of(row))
        return [one for one in rows if one["corpus"] != row["corpus"] or "kept" in one]

    def _strong(self, row: Row) -> tuple[Row, ...]:
        """The rows about the strong arrows of the head of a row in its treebank."""
        return self._of_arrows(row["relation"], str(row["corpus"]), place_of(row))

    def _of_arrows(self, relation: str, corpus: str, place: Place) -> tuple[Row, ...]:
        """The rows about the strong arrows of a head, in the order of NAMES; empty if they are not stored."""
        keys = [(corpus, f"{name}.{relation}", *place) for name in NAMES]
        return tuple(self._arrows[key] for key in keys) if self._arrows.keys() >= {*keys} else ()

    def right(self, row: Row) -> int:
        """For how many words of its whole treebank the head of a row is right; 0 where that is not stored."""
        rows = self._counts.of(row["relation"], row["direction"], place_of(row))
        return next((int(one["correct"]) for one in rows if one["corpus"] == row["corpus"]), 0)

    def finds(self, tried: Tried, place: Place) -> bool:
        """Whether it may be said that a head finds a relation on all sentences of one treebank: there are words enough,
        its lead is clear, and no other treebank contradicts.
        """
        if tried.n < FEWEST_WORDS or not is_lead(tried.gain):
            return False
        return self.stands(tried, place)

    def leads_in_all(self, tried: Tried, place: Place) -> bool:
        """Whether a head beats the best fixed offset in every treebank, special tokens left aside."""
        return all(map(_beats_offset, self._counts.of(tried.relation, tried.direction, place)))

    def stands(self, tried: Tried, place: Place) -> bool:
        """Whether no other treebank contradicts that a head finds a relation."""
        return not self._counts.against(tried.relation, tried.direction, place, but=tried.corpus)


def in_one(row: Row) -> Statement:
    """What a row of `relation_heads` says by itself, of its own treebank."""
    twin = row["twin_high"]
    beaten = f"the best head of an untrained twin reaches {written(twin)}"
    beaten = "there is no untrained model to compare with" if np.isnan(twin) else beaten
    checks = (
        least(row["n"], FEWEST_WORDS, "words", f"of the other half of {row['corpus']}"),
        Check("range", is_clear(row["gain"], row["gain_low"]), f"{_gain(row)} (at least {CLEAR_GAIN}, surely above 0)"),
        # NaN without a twin, and then met.
        Check("null", not twin >= row["value"], f"{beaten}; the head reaches {written(row['value'])}"),
    )
    return Statement(
        place_of(row), kind=RELATION, about=row["relation"], number=Number.of(row), checks=checks, rows=((CHOSEN, row),)
    )


def leads(found: pd.DataFrame) -> Iterator[tuple[Place, Tried]]:
    """Head and relation of the rows of `tried` whose lead over the best fixed offset is clear, in their order."""
    kept = found[found["gain"] >= CLEAR_GAIN]
    for layer, head, tried in zip(kept["layer"].tolist(), kept["head"].tolist(), each(kept), strict=True):
        if is_lead(tried.gain):
            yield (layer, head), tried


def is_lead(gain: Number) -> bool:
    """Whether a gain over a baseline is large enough to be told, and surely above 0."""
    return is_clear(gain.value, gain.low)


def names_some(row: Row) -> bool:
    """Whether a row of `relation_heads` has words enough for a head to be named."""
    return bool(row["n"] >= FEWEST_WORDS) and row["relation"] not in NOT_RELATIONS


def place_of(row: Row) -> Place:
    """The head of a row."""
    return row["layer"], row["head"]


def named_in(rows: Sequence[Row]) -> dict[str, Place | None]:
    """Treebank -> the head that its row names for the relation; None if it names none. Rows with fewer than
    FEWEST_WORDS words are heard, too: what they name is no more than they would on more.
    """
    return {str(row["corpus"]): place_of(row) if is_better(row) else None for row in rows}


def agreeing(row: Row, others: Sequence[Row]) -> list[str]:
    """The other treebanks that name the head of a row, in the same direction."""
    return [str(other["corpus"]) for other in others if _same(other, row) and is_better(other)]


def elsewhere(row: Row, others: Sequence[Row]) -> list[str]:
    """Which heads other treebanks name for the relation of a row, where that is not the same head."""
    where: dict[Place | None, list[str]] = {}
    for corpus, best in named_in(others).items():
        where.setdefault(best, []).append(corpus)
    where.pop(place_of(row), None)
    return [
        f"in {listed(corpora)} "
        + ("no head is clearly better than the offset" if best is None else f"head {best[0]}-{best[1]} is best")
        for best, corpora in where.items()
    ]


def is_better(row: Row) -> bool:
    """Whether the head of a row is clearly better than the best fixed offset and every untrained twin in its own
    treebank: it meets every check there but that on the number of words, which a name needs.
    """
    return all(check.met for check in in_one(row).checks if check.asks != "premise")


def _beats_offset(row: Row) -> bool:
    return bool(row["correct"] > row["base"])


def _undisturbed(row: Row) -> bool:
    return "kept" not in row or bool(row["kept"] > row["base"])


def _beaten(row: Row) -> Check:
    """That a head is right more often than the best fixed offset in one treebank."""
    there = f"in {row['corpus']} it is right for"
    return Check("elsewhere", _beats_offset(row), _beside_offset(there, row["correct"], row))


def _kept(row: Row) -> Check:
    """That a head may still be right more often than the best fixed offset if special tokens could be picked."""
    there = f"in {row['corpus']}, where special tokens may be picked, it is right for at most"
    return Check("elsewhere", _undisturbed(row), _beside_offset(there, row["kept"], row))


def _beside_offset(there: str, right: int, row: Row) -> str:
    return f"{there} {right} of {row['n']} words, the offset {row['offset']:+d} for {row['base']} of {row['n']}"


def _arrows(right: Row, offset: Row, _: Row) -> str:
    found, base = (percent(Number.of(row), ends=False) for row in (right, offset))
    text = f"of its {right['n']:,} strong arrows in {right['corpus']}, {found} are of the relation"
    return f"{text}, and {base} at the best fixed offset"


def _same(row: Row, other: Row) -> bool:
    return place_of(row) == place_of(other) and row["direction"] == other["direction"]


def _best_in(row: Row) -> str:
    return f"head {row['layer']}-{row['head']} is chosen there, on {row['n']:,} words"


def _gain_of(row: Row) -> Number:
    return Number.of(row, "gain", "gain_low", "gain_high")


def _gain(row: Row) -> str:
    value, ends = pieces(_gain_of(row))
    return f"its gain over the best fixed offset is {value} ({ends})"
