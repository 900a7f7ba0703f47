"""Relations that heads find without being named for them, and why they are not."""

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from generator.claims.cutoffs import FEWEST_WORDS
from generator.claims.gate.statement import Check, Place, Row, given, mostly
from generator.corpora.catalogue import TREEBANK
from generator.corpora.relation_names import in_words
from generator.numbers.number import Number, alone
from generator.numbers.simultaneous import widened
from generator.numbers.writing import listed, percent
from generator.pages.heads.aside import Aside, Reason
from generator.pages.links import head_name
from generator.results.store import Results
from generator.topics.relations.claims.finds import (
    CHOSEN,
    NAMELESS,
    Treebanks,
    elsewhere,
    in_one,
    is_better,
    leads,
    place_of,
)
from generator.topics.relations.derived.tried import Tried
from generator.topics.relations.page.picking import always, picking
from generator.topics.relations.page.tried import tried_in

FEW, UNSURE, DISAGREE = "too few to be sure", "its lead is not sure", "treebanks disagree"
NOT_BEST = "Supported, not the best"
"""How far to believe what another head finds more often, in a few words."""
ARROWS = "not with its strong arrows"
"""Where its pick is right, but not more often where the head looks strongly."""


def reason(treebanks: Treebanks, tried: Tried, place: Place) -> Reason:
    """Why a head is not named for a relation that it may find on all sentences."""
    row = next((row for row in treebanks.of_relation(tried.relation) if row["corpus"] == tried.corpus), None)
    if row is None:
        return Reason(
            FEW, "the words are too few to choose a head on one half of the sentences and test it on the other"
        )
    if place_of(row) != place:
        return _not_chosen(treebanks, tried, place, row)
    if row["n"] < FEWEST_WORDS:
        return Reason(
            FEW, f"a name needs {FEWEST_WORDS} words, and of those on which no head was chosen there are {row['n']}"
        )
    missed = [check for check in treebanks.named(row).checks if not check.met]
    if any(check.asks != "elsewhere" for check in missed):
        return Reason(
            UNSURE,
            "it is chosen on one half of the sentences, but its lead on the other half is not sure enough",
        )
    return _contrary(treebanks, row, missed)


def _not_chosen(treebanks: Treebanks, tried: Tried, place: Place, row: Row) -> Reason:
    """Why a head is not named for a relation for which another one is chosen, in the treebank that decides."""
    other = f"head {head_name(*place_of(row))}"
    rows = treebanks.of_relation(tried.relation)
    own = [str(rival["corpus"]) for rival in rows if place_of(rival) == place and is_better(rival)]
    if own:
        return Reason(DISAGREE, f"in {row['corpus']} {other} is best, and this head in {listed(own)}")
    chosen = (
        "a head is chosen on one half of the sentences and tested on the other, and on the choosing half, "
        f"{other} is right more often"
    )
    if treebanks.right(row) > tried.correct:
        rival = other, tried._replace(correct=treebanks.right(row)).right
        return Reason(f"{other} is right more often", chosen, NOT_BEST, rival)
    return Reason(UNSURE, f"{chosen}, though not on all sentences")


def _contrary(treebanks: Treebanks, row: Row, missed: Sequence[Check]) -> Reason:
    """Why a head that surely finds a relation in its treebank is not named for it: what other treebanks say, or else
    that its strong arrows go elsewhere.
    """
    arrows = [check for check in treebanks.with_arrows(row) if not check.met]
    others = [check.found for check in missed if check not in arrows]
    if not others:
        return Reason(ARROWS, "; ".join(check.found for check in arrows))
    texts = elsewhere(row, [other for other in treebanks.of_relation(row["relation"]) if other is not row])
    return Reason(DISAGREE, "; ".join(texts or others))


def asides(results: Results) -> Mapping[Place, Aside]:
    """Head -> a relation that it finds without being named for it, by what these results hold."""
    return asides_in(results.once(tried_in), results.once(Treebanks.of))


def asides_in(found: pd.DataFrame, treebanks: Treebanks) -> Mapping[Place, Aside]:
    """Head -> a relation that it finds without being named for it; of several, the one with the largest gain.

    First counts a relation for which the head was chosen on one half of a treebank's sentences, and which it finds
    clearly more often than the best fixed offset on the other half; otherwise one of which that is true on all
    sentences, with as many heads in view as were tried. Nothing is told that another treebank contradicts.

    `found` has the rows of `generator.topics.relations.derived.tried.tried`.
    """
    made = dict(_chosen(treebanks))
    heads = len(found[["layer", "head"]].drop_duplicates())
    for place, tried in leads(found[~found["relation"].isin(NAMELESS)]):
        if place not in made and widened(tried.gain, heads).low > 0 and treebanks.finds(tried, place):
            words, plural = _counted(tried.relation, tried.corpus, tried.n), in_words(tried.relation)
            counted_as = tried.direction, words, tried.right, tried.baseline, tried.offset
            why, text = reason(treebanks, tried, place), _text(*counted_as)
            title = f"finds {'most' if mostly(tried.right) else 'some'} {plural} ({why.short})"
            short = _text(*counted_as, ends=False)
            counted = tried.n, tried.relation, tried.direction, tried.right, tried.baseline, False
            made[place] = Aside(plural, title, text, why, *counted, short)
    return made


def _chosen(treebanks: Treebanks) -> Iterator[tuple[Place, Aside]]:
    """Head -> the relation that it finds on the half of the sentences that did not choose it, in the treebank that
    decides on the relation.
    """
    decide = (row for row in treebanks.rows if row is treebanks.of_relation(row["relation"])[0])
    said = given(treebanks.unopposed(in_one(row)) for row in decide if not treebanks.contradicted(row))
    for statement in sorted(said, key=lambda item: item.of(CHOSEN)[0]["gain"]):  # the last one of a head counts
        (row,), plural = statement.of(CHOSEN), in_words(statement.about)
        others = [other for other in treebanks.of_relation(statement.about) if other is not row]
        same = 1 + sum(in_one(other).given and in_one(other).place == statement.place for other in others)
        words = _counted(statement.about, row["corpus"], row["n"])
        baseline = Number.of(row, "baseline", "baseline_low", "baseline_high")
        where = f"in {same} of {1 + len(others)} treebanks"
        why = Reason(f"only {where}", "; ".join(elsewhere(row, others)))
        counted_as = row["direction"], words, statement.number, baseline, row["offset"]
        text, short = _text(*counted_as), _text(*counted_as, ends=False)
        counted = row["n"], statement.about, row["direction"], statement.number, baseline, True
        yield statement.place, Aside(plural, f"finds {plural} {where}", text, why, *counted, short)


def _counted(relation: str, corpus: str, n: int) -> str:
    return f"the {n:,} {in_words(relation)} in {_named(corpus)}"


def _text(direction: str, words: str, right: Number, baseline: Number, offset: int, *, ends: bool = True) -> str:
    clause = picking(direction, percent(right, ends=ends), words)
    return f"{clause}; {always(offset)} would be right for {percent(alone(baseline.value))}."


def _named(corpus: str) -> str:
    """A treebank as a sentence names it: the one that comes with the program has no name of its own."""
    return f"the built-in {corpus}" if corpus == TREEBANK.name else corpus
