"""What a head's page says that it finds: relations beside the best offset, and antecedents."""

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from generator.claims.cutoffs import CLEAR_GAIN
from generator.corpora.relation_names import DIRECTIONS
from generator.numbers.number import Number
from generator.numbers.writing import number, pieces
from generator.pages.blocks import Section, Table
from generator.pages.inline import Cell, Cells, Link
from generator.pages.studies.tables import count
from generator.studies.halves import HELD_OUT, SAME_DATA
from generator.topics.mentions.claims.finds import IN_TURN
from generator.topics.mentions.records import BEST
from generator.topics.relations.claims.finds import LOSS
from generator.topics.relations.derived.predictions import OFFSETS
from generator.topics.relations.page.heads import MOST, Tracked
from generator.topics.relations.records.relations import FEW_WORDS
from generator.topics.relations.records.trees import WORDS
from tests.pages.heads.test_specialists import OBJ
from tests.pages.heads.tiny import LARGE, PLACES, SMALL, Rows, atlas_of, fact
from tests.pages.reading import seen, told

PAGE = "models/tiny/heads/2-3/"
LONER = "periods and commas"


def counted(corpus: str, relation: str, n: int, correct: Mapping[tuple[str, int, int], int]) -> Iterator[dict]:
    """Rows of `relations`: by direction, layer and head; 0 of every other head."""
    of = {"model": "Tiny", "corpus": corpus, "relation": relation, "n": n}
    for direction in DIRECTIONS:
        for layer, head in PLACES:
            right = correct.get((direction, layer, head), 0)
            yield of | {"direction": direction, "layer": layer, "head": head, "correct": right}


def shifted(corpus: str, relation: str, n: int, correct: Mapping[int, int]) -> Iterator[dict]:
    """Rows of `relation_baselines`: by offset; 0 of every other."""
    of = {"model": "Tiny", "corpus": corpus, "relation": relation, "n": n}
    return (of | {"offset": offset, "correct": correct.get(offset, 0)} for offset in OFFSETS)


def one_relation(n: int, right: int, base: int) -> dict[str, Rows]:
    """A treebank of one relation that head 2-3 finds so often."""
    relations = [*counted(LARGE, "all", 900, {}), *counted(LARGE, "obj", n, {(DIRECTIONS[0], 2, 3): right})]
    offsets = [*shifted(LARGE, "all", 900, {}), *shifted(LARGE, "obj", n, {1: base})]
    return {"relations": relations, "relation_baselines": offsets}


@pytest.fixture(scope="module")
def treebanks() -> dict[str, Rows]:
    """Random counts of two treebanks, no two alike; the small one stands first and has more words of one relation."""
    rng = np.random.default_rng(3)
    relations, offsets = [], []
    primes = (211, 223, 227, 229, 233, 239, 241, 251)  # so that no gain is exactly the limit
    for corpus, words, sizes_of in ((SMALL, 500, (307, *[47] * 7)), (LARGE, 5000, primes)):
        few = FEW_WORDS - (corpus == SMALL)
        sizes = {"all": words, "rare": few - 1, "few": few}
        sizes |= {f"r{n}": size for n, size in zip(primes, sizes_of, strict=True)}
        for relation, n in sizes.items():
            keys = [(direction, *place) for direction in DIRECTIONS for place in PLACES]
            right = rng.permutation(n + 1)[: len(keys)]
            relations += counted(corpus, relation, n, dict(zip(keys, map(int, right), strict=True)))
            base = rng.permutation(n // 2)[: len(OFFSETS)]
            offsets += shifted(corpus, relation, n, dict(zip(OFFSETS, map(int, base), strict=True)))
    return {"relations": relations, "relation_baselines": offsets}


def slowly(tables: Mapping[str, Rows], layer: int, head: int) -> list[tuple[str, str, int, int, int, Fraction, str]]:
    """Relation, direction, correct, n, offset, baseline and treebank of all that a head tracks, in fractions, loop by
    loop.
    """
    found = []
    mine = [row for row in tables["relations"] if (row["layer"], row["head"]) == (layer, head)]
    for relation in {row["relation"] for row in mine} - {"all"}:
        _, corpus = max((row["n"], row["corpus"]) for row in mine if row["relation"] == relation)
        first, second = (row for row in mine if (row["relation"], row["corpus"]) == (relation, corpus))
        better = first if first["correct"] > second["correct"] else second
        base, offset = max(
            (Fraction(row["correct"], row["n"]), row["offset"])
            for row in tables["relation_baselines"]
            if (row["corpus"], row["relation"]) == (corpus, relation)
        )
        gain = Fraction(better["correct"], better["n"]) - base
        sure = wilson(better["correct"], better["n"])[0] > wilson(round(base * better["n"]), better["n"])[1]
        if better["n"] >= FEW_WORDS and gain >= Fraction(str(CLEAR_GAIN)) and sure and not denied(tables, better):
            found.append((gain, relation, better["direction"], better["correct"], better["n"], offset, base, corpus))
    return [rest for _, *rest in sorted(found, reverse=True)]


def denied(tables: Mapping[str, Rows], found: Mapping[str, object]) -> bool:
    """Whether a head is right no more often than the best offset in another treebank that has FEW_WORDS words."""
    fixed = ("relation", "direction", "layer", "head")
    others = [row for row in tables["relations"] if all(row[name] == found[name] for name in fixed)]
    return any(
        row["correct"]
        <= max(
            one["correct"]
            for one in tables["relation_baselines"]
            if (one["corpus"], one["relation"]) == (row["corpus"], row["relation"])
        )
        for row in others
        if row["corpus"] != found["corpus"] and row["n"] >= FEW_WORDS
    )


def wilson(right: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval, from its formula."""
    z = norm.ppf(0.975)
    middle, half = right + z * z / 2, z * math.sqrt(right * (n - right) / n + z * z / 4)
    return round((middle - half) / (n + z * z), 12), round((middle + half) / (n + z * z), 12)


@pytest.mark.parametrize(
    ("gum", "ewt", "told"),
    [
        (
            (0.6, 0.3),
            (0.7, 0.3),
            "In single sentences [CLS] gets more, 70 % in ewt and 60 % in gum.",
        ),
        ((0.49, 0.3), (0.7, 0.3), "In single sentences [CLS] gets more, 70 % in ewt."),
        ((0.49, 0.3), (0.49, 0.3), ""),
    ],
)
def test_where_sentences_send_more_elsewhere_the_page_of_the_head_says_so(
    tmp_path: Path, gum: tuple[float, float], ewt: tuple[float, float], told: str
) -> None:
    """As mpnet 10-11, which looks at periods and commas in articles; where no treebank surely does nothing is said."""
    rows = [
        fact("resting", f"{kind}.outside", (1, 1), share, corpus)
        for corpus, shares in (("gum", gum), ("ewt", ewt))
        for kind, share in zip(("cls", "punctuation"), shares, strict=True)
    ]
    made = atlas_of(tmp_path, head_facts=rows)
    summary = made.summaries[1, 1]._replace(looks=("attention.punctuation",))
    made.__dict__["summaries"] = {**made.summaries, (1, 1): summary}
    assert Tracked(made).looks(1, 1) == told
    assert Tracked(made).looks(1, 2) == "", "nothing is known of it"


def rows_of(found: Section) -> tuple[Cells, ...]:
    """The rows of the section's table, if it has one."""
    return next((block.rows for block in found.blocks if isinstance(block, Table)), ())


@pytest.mark.parametrize(("layer", "head"), PLACES)
def test_a_head_tracks_what_it_finds_more_often_than_the_best_offset(tmp_path, treebanks, layer, head):
    tracked = Tracked(atlas_of(tmp_path, **treebanks)).section(layer, head, PAGE)
    slow = slowly(treebanks, layer, head)
    assert [(seen(row[0]), row[1]) for row in rows_of(tracked)] == [
        (relation, {"dep->head": "dependent to head", "head<-dep": "head to dependent"}[direction])
        for relation, direction, *_ in slow[:MOST]
    ]
    for row, (_, _, right, n, offset, base, corpus) in zip(rows_of(tracked), slow, strict=False):
        low, high = wilson(right, n)
        shown = *pieces(Number(right / n, low, high, n)), count(n), f"{number(float(base))} at {offset:+d}"
        assert row[2:6] == shown
        assert row[7] == corpus
        below, above = wilson(round(base * n), n)
        lead = Number(float(right / n - base), low - above, high - below, n)
        assert row[6] == Cell(*pieces(lead, against=(CLEAR_GAIN,))[:1], note=pieces(lead, against=(CLEAR_GAIN,))[1])


def test_more_than_most_are_tracked_and_both_ends_of_the_limit_occur(treebanks):
    """What the test above rests on."""
    tracked = [slowly(treebanks, *place) for place in PLACES]
    assert max(map(len, tracked)) > MOST
    names = {one[0] for found in tracked for one in found}
    assert "few" in names
    assert not {"rare", "all"} & names
    assert {one[1] for found in tracked for one in found} == set(DIRECTIONS)
    assert {one[-1] for found in tracked for one in found} == {SMALL, LARGE}


def test_the_lead_says_what_was_tried_and_leads_to_all_relations(tmp_path, treebanks):
    chosen = [OBJ | {"model": "Tiny", "corpus": LARGE, "layer": 2}]
    tracked = Tracked(atlas_of(tmp_path, **treebanks, relation_heads=chosen)).section(2, 3, PAGE)
    assert told(tracked).startswith(
        "On all sentences it finds five dependency relations surely more often than the best fixed offset, by "
        f"an estimated {CLEAR_GAIN} or more; below are the three with the largest gain. Every"
    )
    assert f"{FEW_WORDS} words or more" in told(tracked)
    more = next(one for one in tracked.blocks[0] if isinstance(one, Link))
    assert more.href == "../../relations/"


def test_a_head_that_finds_nothing_says_so_and_lists_nothing(tmp_path):
    tracks = Tracked(atlas_of(tmp_path, **one_relation(100, 90, 10)))
    finding = tracks.section(2, 3, PAGE)
    assert [seen(row[0]) for row in rows_of(finding)] == ["direct objects (obj)"]
    more = f"surely more often than the best fixed offset, by an estimated {CLEAR_GAIN} or more."
    assert f"it finds these dependency relations {more} " in told(finding)
    for place in PLACES[:-1]:
        tracked = tracks.section(*place, PAGE)
        assert rows_of(tracked) == ()
        assert f"it finds no dependency relation {more}" in told(tracked)


@pytest.mark.parametrize(("right", "denied"), [(20, True), (21, False)])
def test_a_relation_that_another_treebank_contradicts_is_named_and_not_listed(tmp_path, right, denied):
    """As mpnet 3-5, whose direct objects would else be missed without a word."""
    tables = one_relation(100, 90, 10)
    tables["relations"] += [*counted(SMALL, "all", 90, {}), *counted(SMALL, "obj", 60, {(DIRECTIONS[0], 2, 3): right})]
    tables["relation_baselines"] += [*shifted(SMALL, "all", 90, {}), *shifted(SMALL, "obj", 60, {1: 20})]
    tracked = Tracked(atlas_of(tmp_path, **tables)).section(2, 3, PAGE)
    assert ("Not told, as some treebank contradicts it: direct objects." in told(tracked)) is denied
    assert bool(rows_of(tracked)) is not denied


@pytest.mark.parametrize(("lost", "denied"), [(0.08, True), (0.07, False)])
def test_a_relation_that_special_tokens_hide_is_named_and_not_listed(tmp_path, lost, denied):
    """As mpnet 4-5: in every treebank it leads, as long as special tokens are no picks."""
    tables = one_relation(100, 90, 20)
    tables["relations"] = [row for row in tables["relations"] if row["relation"] != "all"]
    tables["relations"] += counted(LARGE, "all", 900, {(DIRECTIONS[0], 2, 3): 90})
    tables["head_facts"] = [fact(WORDS.name, LOSS, (2, 3), lost, LARGE)]
    tracked = Tracked(atlas_of(tmp_path, **tables)).section(2, 3, PAGE)
    assert ("Not told, as its picks may often be special tokens: direct objects." in told(tracked)) is denied
    assert bool(rows_of(tracked)) is not denied


def test_a_head_that_is_named_for_a_relation_is_said_to_find_no_other(tmp_path):
    """As mpnet 2-9: it is named by halves, and its lead on all sentences of one treebank is not sure."""
    rows = [OBJ | {"model": "Tiny", "corpus": LARGE, "layer": 2, "head": 3}]
    made = atlas_of(tmp_path, relation_heads=rows, **one_relation(100, 21, 20))
    assert made.summaries[2, 3].found
    assert "it finds no other dependency relation surely" in told(Tracked(made).section(2, 3, PAGE))


@pytest.mark.parametrize(("right", "listed"), [(299, False), (301, True)])
def test_a_gain_just_below_and_just_above_the_limit(tmp_path, right, listed):
    tracked = Tracked(atlas_of(tmp_path, **one_relation(1000, right, 200))).section(2, 3, PAGE)
    assert bool(rows_of(tracked)) == listed


@pytest.mark.parametrize(("right", "listed"), [(37, False), (38, True)])
def test_a_gain_is_listed_if_its_interval_lies_above_0(tmp_path, right, listed):
    """Of 100 words, 37 and 20 have intervals that meet."""
    tracked = Tracked(atlas_of(tmp_path, **one_relation(100, right, 20))).section(2, 3, PAGE)
    assert bool(rows_of(tracked)) == listed
    assert (wilson(right, 100)[0] > wilson(20, 100)[1]) == listed


@pytest.mark.parametrize("base", [0, 200, 500])
def test_a_gain_of_exactly_the_limit_is_at_least_the_limit(tmp_path, base):
    atlas = atlas_of(tmp_path, **one_relation(1000, base + 100, base))
    (row,) = rows_of(Tracked(atlas).section(2, 3, PAGE))
    assert float(row[6].text) == CLEAR_GAIN


def test_a_treebank_too_small_for_any_relation_is_said_to_be_so_and_has_no_page_to_lead_to(tmp_path):
    tables = one_relation(FEW_WORDS - 1, FEW_WORDS - 1, 0)
    tracked = Tracked(atlas_of(tmp_path, **tables)).section(2, 3, PAGE)
    few = f"No dependency relation that was read has {FEW_WORDS} words or more, so none was tried."
    assert told(tracked) == few
    assert rows_of(tracked) == ()


def test_nothing_is_tracked_without_a_treebank(tmp_path):
    tracks = Tracked(atlas_of(tmp_path))
    assert [tracks.section(*place, PAGE) for place in PLACES] == [None] * len(PLACES)


RULES = {"words": 0.30, "mentions": 0.55}
"""How often the best simple rule is right, of each kind of candidates."""

OTHERS: tuple[Mapping[str, object], ...] = ({"kind": "pronoun"}, {"protocol": HELD_OUT}, {"predictor": "nearest"})


def linked(shares: Mapping[tuple[int, int], Mapping[str, float]], width: float = 0.1) -> dict[str, Rows]:
    """Tables of a corpus of mentions: what heads find by candidates, and numbers that must not be taken for them."""
    facts = [
        fact("antecedents", f"{candidates}.{kind}", place, value, "linked") | {"low": value - width}
        for place, found in shares.items()
        for candidates, share in found.items()
        for kind, value in (("all", share), ("pronoun", 0.9))
    ]
    base = {"model": "Tiny", "corpus": "linked", "kind": "all", "protocol": SAME_DATA, "predictor": BEST, "n": 40}
    base |= {"layer": 0, "head": 0}
    rules = [
        base | {"candidates": candidates, "value": value, "low": value - 0.04, "high": value + 0.04} | other
        for candidates, rule in RULES.items()
        for value, other in ((rule, {}), *((0.0, one) for one in OTHERS))
    ]
    return {**one_relation(100, 90, 10), "head_facts": facts, "antecedents": rules}


def test_antecedents_stand_below_relations_for_all_kinds_of_mention_together(tmp_path):
    tables = linked({(2, 3): {"words": 0.5, "mentions": 0.7}, (1, 1): {"words": 0.2, "mentions": 0.4}})
    tracks = Tracked(atlas_of(tmp_path, **tables))
    assert [(row[0], row[1:]) for row in rows_of(tracks.section(2, 3, PAGE))][1:] == [
        (
            "antecedents",
            (
                *("among words", "0.50", "0.40 to 0.60", count(40), "0.3 by the best simple rule"),
                *(Cell("0.20", note="0.06 to 0.34"), "linked"),
            ),
        ),
        (
            "antecedents",
            (
                *("among mentions", "0.70", "0.60 to 0.80", count(40), "0.55 by the best simple rule"),
                *(Cell("0.15", note="0.010 to 0.29"), "linked"),
            ),
        ),
    ]
    assert [rows_of(tracks.section(*place, PAGE)) for place in ((1, 1), (1, 2))] == [(), ()]


@pytest.mark.parametrize(
    ("share", "width", "shown"), [(0.399, 0.01, False), (0.401, 0.01, True), (0.401, 0.06, True), (0.401, 0.062, False)]
)
def test_antecedents_are_listed_from_a_clear_gain_over_the_best_simple_rule(tmp_path, share, width, shown):
    tracks = Tracked(atlas_of(tmp_path, **linked({(1, 1): {"words": share}}, width)))
    assert bool(rows_of(tracks.section(1, 1, PAGE))) == shown


@pytest.mark.parametrize(("in_turn", "more"), [(0.701, ", 0.701 by all rules in turn"), (0.699, "")])
def test_beside_them_stand_all_rules_in_turn_where_they_are_right_more_often(tmp_path, in_turn, more):
    tables = linked({(2, 3): {"mentions": 0.7}})
    best = next(row for row in tables["antecedents"] if row["candidates"] == "mentions" and row["value"])
    tables["antecedents"].append(best | {"predictor": IN_TURN, "value": in_turn, "low": 0.6, "high": 0.8})
    row = rows_of(Tracked(atlas_of(tmp_path, **tables)).section(2, 3, PAGE))[-1]
    assert row[5] == f"0.55 by the best simple rule{more}"


@pytest.mark.parametrize(("elsewhere", "listed"), [(31, True), (30, False)])
def test_what_another_treebank_contradicts_is_not_listed(tmp_path, elsewhere, listed):
    small = {
        "relations": [*counted(SMALL, "obj", 60, {(DIRECTIONS[0], 2, 3): elsewhere})],
        "relation_baselines": [*shifted(SMALL, "obj", 60, {-1: 30})],
    }
    tables = {name: [*rows, *small[name]] for name, rows in one_relation(100, 90, 10).items()}
    section = Tracked(atlas_of(tmp_path, **tables)).section(2, 3, PAGE)
    assert bool(rows_of(section)) is listed
    assert ("these dependency relations" if listed else "no dependency relation") in told(section)


@pytest.mark.parametrize(("elsewhere", "listed"), [(0.56, True), (0.55, False)])
def test_nor_are_antecedents_that_another_text_contradicts(tmp_path, elsewhere, listed):
    tables = linked({(2, 3): {"mentions": 0.8}})
    other = linked({(2, 3): {"mentions": elsewhere}})
    for name in ("head_facts", "antecedents"):
        tables[name] = [*tables[name], *({**row, "corpus": "more"} for row in other[name])]
    rows = rows_of(Tracked(atlas_of(tmp_path, **tables)).section(2, 3, PAGE))
    assert ("antecedents" in [row[0] for row in rows]) is listed
