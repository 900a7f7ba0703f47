"""What a head's page says of the studies: relations it tracks, its antecedents, and whether weights can be believed."""

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from generator.corpora.kinds import CorpusKind
from generator.numbers.number import Number
from generator.numbers.writing import number, pieces
from generator.pages.blocks import Section, Table
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.studies import AGREE, CLASSES, DIFFER, FEW_WORDS, GAIN, MOST, HeadStudies
from generator.pages.inline import Cells, Link
from generator.results.store import Results, write
from generator.results.tables import TABLES
from generator.studies.syntax.predictions import DIRECTIONS, OFFSETS
from tests.pages.reading import told
from tests.results.samples import corpus_of, manifest

LAYERS, HEADS = 2, 3
PLACES = [(layer, head) for layer in range(1, LAYERS + 1) for head in range(1, HEADS + 1)]
TEXT, SECOND = "texts", "further"
SMALL, LARGE = "a small treebank", "the large treebank"
PAGE = "models/tiny/heads/2-3/"
EVEN = (0.25, 0.25, 0.25, 0.25)
Shares = Mapping[tuple[int, int], tuple[float, ...]]
Rows = list[dict[str, Any]]


def atlas_of(place: Path, weight: Shares | None = None, norms: Shares | None = None, **studies: Rows) -> Atlas:
    """Stored results of two layers of three heads: shares of the four classes, even where none is given."""
    rows = [
        {"corpus": TEXT, "measure": f"{kind}.{name}", "layer": layer, "head": head, "n": 9, "uniform": 0.1}
        | dict.fromkeys(("value", "low", "high"), shares.get((layer, head), EVEN)[at])
        for kind, shares in (("attention", weight or {}), ("norm", norms or {}))
        for at, (_, name) in enumerate(CLASSES)
        for layer, head in PLACES
    ]
    heads = pd.DataFrame(rows).assign(model="Tiny")
    layers = heads.drop_duplicates(["measure", "layer"])
    filled = {name: pd.DataFrame(table) for name, table in studies.items() if table}
    tables = {name: TABLES[name].empty_table().to_pandas() for name in ("documents", "uniform", "examples")}
    tables |= {"heads": heads, "layers": layers} | filled
    read = tuple(corpus_of(CorpusKind.TEXT, name, documents=9) for name in (TEXT, SECOND))
    record = manifest(layers=LAYERS, heads=HEADS, corpora=read)
    return Atlas(Results.open(write(place, record, tables)))


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
    """Random counts of two treebanks, no two alike; the small one stands first and would give other relations."""
    rng = np.random.default_rng(3)
    relations, offsets = [], []
    for corpus, words in ((SMALL, 500), (LARGE, 5000)):
        sizes = {"all": words, "rare": FEW_WORDS - 1, "few": FEW_WORDS}
        sizes |= {f"r{n}": n for n in (53, 61, 67, 71, 73, 79, 83, 97)}  # primes: no gain is exactly the limit
        for relation, n in sizes.items():
            keys = [(direction, *place) for direction in DIRECTIONS for place in PLACES]
            right = rng.permutation(n + 1)[: len(keys)]
            relations += counted(corpus, relation, n, dict(zip(keys, map(int, right), strict=True)))
            base = rng.permutation(n // 2)[: len(OFFSETS)]
            offsets += shifted(corpus, relation, n, dict(zip(OFFSETS, map(int, base), strict=True)))
    return {"relations": relations, "relation_baselines": offsets}


def slowly(tables: Mapping[str, Rows], layer: int, head: int) -> list[tuple[str, str, int, int, int, Fraction]]:
    """Relation, direction, correct, n, offset and baseline of all that a head tracks, in fractions, loop by loop."""
    found = []
    mine = [row for row in tables["relations"] if (row["corpus"], row["layer"], row["head"]) == (LARGE, layer, head)]
    for relation in {row["relation"] for row in mine} - {"all"}:
        first, second = (row for row in mine if row["relation"] == relation)
        better = first if first["correct"] > second["correct"] else second
        base, offset = max(
            (Fraction(row["correct"], row["n"]), row["offset"])
            for row in tables["relation_baselines"]
            if (row["corpus"], row["relation"]) == (LARGE, relation)
        )
        gain = Fraction(better["correct"], better["n"]) - base
        if better["n"] >= FEW_WORDS and gain >= Fraction(str(GAIN)):
            found.append((gain, relation, better["direction"], better["correct"], better["n"], offset, base))
    return [rest for _, *rest in sorted(found, reverse=True)]


def wilson(right: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval, from its formula."""
    z = norm.ppf(0.975)
    middle, half = right + z * z / 2, z * math.sqrt(right * (n - right) / n + z * z / 4)
    return (middle - half) / (n + z * z), (middle + half) / (n + z * z)


def rows_of(found: Section) -> tuple[Cells, ...]:
    """The rows of the section's table, if it has one."""
    return next((one.rows for one in found.blocks if isinstance(one, Table)), ())


@pytest.mark.parametrize(("layer", "head"), PLACES)
def test_a_head_tracks_what_it_finds_more_often_than_the_best_offset(tmp_path, treebanks, layer, head):
    tracked = HeadStudies(atlas_of(tmp_path, **treebanks)).tracked(layer, head, PAGE)
    slow = slowly(treebanks, layer, head)
    assert [(row[0].text, row[1]) for row in rows_of(tracked)] == [tuple(one[:2]) for one in slow[:MOST]]
    for row, (_, _, right, n, offset, base) in zip(rows_of(tracked), slow, strict=False):
        low, high = wilson(right, n)
        assert row[2:] == (
            *pieces(Number(right / n, low, high, n)),
            str(n),
            f"{number(float(base))} at {offset:+d}",
        )


def test_more_than_most_are_tracked_and_both_ends_of_the_limit_occur(treebanks):
    """What the test above rests on."""
    tracked = [slowly(treebanks, *place) for place in PLACES]
    assert max(map(len, tracked)) > MOST
    names = {one[0] for found in tracked for one in found}
    assert "few" in names
    assert not {"rare", "all"} & names
    assert {one[1] for found in tracked for one in found} == set(DIRECTIONS)


def test_the_lead_and_the_links_name_the_largest_treebank_and_its_page(tmp_path, treebanks):
    tracked = HeadStudies(atlas_of(tmp_path, **treebanks)).tracked(2, 3, PAGE)
    assert told(tracked).startswith(f"In {LARGE} it finds these dependency relations at least {GAIN} more often than")
    assert f"{FEW_WORDS} words or more" in told(tracked)
    more = next(one for one in tracked.blocks[0] if isinstance(one, Link))
    assert {row[0].href for row in rows_of(tracked)} == {more.href} == {"../../relations/"}


def test_a_head_that_finds_nothing_says_so_and_lists_nothing(tmp_path):
    studies = HeadStudies(atlas_of(tmp_path, **one_relation(100, 90, 10)))
    assert [row[0].text for row in rows_of(studies.tracked(2, 3, PAGE))] == ["obj"]
    for place in PLACES[:-1]:
        tracked = studies.tracked(*place, PAGE)
        assert rows_of(tracked) == ()
        assert f"it finds no dependency relation {GAIN} more often" in told(tracked)


@pytest.mark.parametrize(("right", "listed"), [(29, False), (31, True)])
def test_a_gain_just_below_and_just_above_the_limit(tmp_path, right, listed):
    tracked = HeadStudies(atlas_of(tmp_path, **one_relation(100, right, 20))).tracked(2, 3, PAGE)
    assert bool(rows_of(tracked)) == listed


@pytest.mark.parametrize("base", [0, 20, 50])
def test_a_gain_of_exactly_the_limit_is_at_least_the_limit(tmp_path, base):
    assert rows_of(HeadStudies(atlas_of(tmp_path, **one_relation(100, base + 10, base))).tracked(2, 3, PAGE))


def test_a_treebank_too_small_for_any_relation_is_said_to_be_so(tmp_path):
    tables = one_relation(FEW_WORDS - 1, FEW_WORDS - 1, 0)
    tracked = HeadStudies(atlas_of(tmp_path, **tables)).tracked(2, 3, PAGE)
    few = f"No dependency relation of {LARGE} has {FEW_WORDS} words or more, so none was tried."
    assert told(tracked) == f"{few} See all relations."
    assert rows_of(tracked) == ()


def test_nothing_is_tracked_without_a_treebank(tmp_path):
    studies = HeadStudies(atlas_of(tmp_path))
    assert [studies.tracked(*place, PAGE) for place in PLACES] == [None] * len(PLACES)


def fact(study: str, name: str, place: tuple[int, int], value: float, corpus: str = TEXT) -> dict:
    of = {"model": "Tiny", "corpus": corpus, "study": study, "name": name, "n": 40}
    return of | {"layer": place[0], "head": place[1], "value": value, "low": value - 0.1, "high": value + 0.1}


def test_antecedents_stand_below_relations_for_all_kinds_of_mention_together(tmp_path):
    facts = [
        fact("antecedents", f"{candidates}.{kind}", place, value, "linked")
        for place, share in (((2, 3), 0.5), ((1, 1), 0.2))
        for candidates, kind, value in (
            ("words", "all", share),
            ("words", "pronoun", 0.9),
            ("mentions", "all", share + 0.2),
            ("mentions", "proper", 0.9),
        )
    ]
    studies = HeadStudies(atlas_of(tmp_path, **one_relation(100, 90, 10), head_facts=facts))
    assert [(row[0].text, row[1:]) for row in rows_of(studies.tracked(2, 3, PAGE))][1:] == [
        ("antecedent", ("words", "0.50", "0.40 to 0.60", "40", "-")),
        ("antecedent", ("mentions", "0.70", "0.60 to 0.80", "40", "-")),
    ]
    assert [row[2] for row in rows_of(studies.tracked(1, 1, PAGE))] == ["0.20", "0.40"]
    assert rows_of(studies.tracked(1, 2, PAGE)) == ()


@pytest.mark.parametrize(
    ("moved", "words"),
    [
        (0.0, "one picture: 0 of"),
        (AGREE - 0.01, "one picture: 0.14 of"),
        (AGREE, "similar pictures: 0.15 of"),
        (AGREE + 0.01, "similar pictures: 0.16 of"),
        (DIFFER - 0.01, "similar pictures: 0.39 of"),
        (DIFFER, "similar pictures: 0.4 of"),
        (DIFFER + 0.01, "different pictures: 0.41 of"),
        (1.0, "different pictures: 1 of"),
    ],
)
@pytest.mark.parametrize("at", range(3))
def test_weight_and_norm_are_one_picture_when_little_would_have_to_move(tmp_path, moved, words, at):
    """From any class to the last; only the head it is true of says so."""
    shares = [0.0, 0.0, 0.0, 1.0 - moved]
    shares[at] = moved
    atlas = atlas_of(tmp_path, dict.fromkeys(PLACES, (0.0, 0.0, 0.0, 1.0)) | {(2, 1): tuple(shares)})
    atlas_norms = atlas_of(tmp_path / "n", {(2, 1): tuple(shares)}, {(2, 1): (0.0, 0.0, 0.0, 1.0)})
    assert f"Weight and norm give {words} the attention would have to move" in HeadStudies(atlas_norms).believed(2, 1)
    assert "one picture: 0 of" in HeadStudies(atlas_norms).believed(1, 2)
    assert "different pictures: 0.75 of" in HeadStudies(atlas).believed(1, 2)


def test_half_of_the_summed_differences_would_have_to_move(tmp_path):
    weight, norms = (0.5, 0.3, 0.1, 0.1), (0.1, 0.4, 0.2, 0.3)
    gains = sum(max(one - other, 0) for one, other in zip(norms, weight, strict=True))
    text = HeadStudies(atlas_of(tmp_path, {(1, 3): weight}, {(1, 3): norms})).believed(1, 3)
    assert f" {number(gains)} of the attention" in text


def test_without_norms_only_the_weights_are_known_and_one_undefined_class_is_passed_over(tmp_path):
    nan = math.nan
    atlas = atlas_of(
        tmp_path, {(1, 1): (nan, 0.5, 0.0, 0.5)}, {(1, 1): (nan, 0.3, 0.0, 0.7), (1, 2): (nan, nan, nan, nan)}
    )
    assert "similar pictures: 0.2 of" in HeadStudies(atlas).believed(1, 1)
    assert HeadStudies(atlas).believed(1, 2).startswith("How much it writes from where is unknown")


@pytest.mark.parametrize("most", range(len(CLASSES)))
def test_the_class_of_the_largest_gradient_is_named_for_its_own_head(tmp_path, most):
    facts = []
    for at, (_, name) in enumerate(CLASSES):
        facts += [
            fact("gradient", f"gradient.{name}", (2, 3), 0.9 if at == most else 0.1),
            fact("gradient", f"gradient.{name}", (1, 1), 0.9 if at == (most + 1) % 4 else 0.1),
            fact("gradient", f"product.{name}", (2, 3), 5.0 if at == (most + 1) % 4 else 0.0),
            fact("words", f"gradient.{name}", (2, 3), 5.0 if at == (most + 2) % 4 else 0.0),
        ]
    studies = HeadStudies(atlas_of(tmp_path, head_facts=facts))
    ending = " The masked-LM loss depends most, per weight, on what it gives to {}."
    assert studies.believed(2, 3).endswith(ending.format(CLASSES[most][0]))
    assert studies.believed(1, 1).endswith(ending.format(CLASSES[(most + 1) % 4][0]))
    assert "loss" not in studies.believed(1, 2)


def test_an_undefined_gradient_is_passed_over(tmp_path):
    values = (math.nan, 0.1, 0.3, 0.2)
    facts = [
        fact("gradient", f"gradient.{name}", (1, 1), value) for (_, name), value in zip(CLASSES, values, strict=True)
    ]
    assert HeadStudies(atlas_of(tmp_path, head_facts=facts)).believed(1, 1).endswith("gives to periods and commas.")


@pytest.mark.parametrize("order", [1, -1], ids=["shown first", "shown last"])
def test_gradients_are_those_of_the_text_that_is_shown(tmp_path, order):
    facts = [
        fact("gradient", f"gradient.{name}", (1, 1), float(at == largest), corpus)
        for corpus, largest in ((TEXT, 1), (SECOND, 3))
        for at, (_, name) in enumerate(CLASSES)
    ]
    studies = HeadStudies(atlas_of(tmp_path, head_facts=facts[::order]))
    assert studies.believed(1, 1).endswith("gives to separators.")


def distances(corpus: str, rows: np.ndarray) -> Rows:
    of = {"corpus": corpus, "tokens": 9.0}
    return [of | {"document": f"d{at}", "divergence": row.astype(np.float32)} for at, row in enumerate(rows)]


def test_divergence_is_the_mean_over_documents_of_the_shown_text_for_every_pair(tmp_path):
    pairs = [(one, other) for at, one in enumerate(PLACES) for other in PLACES[at + 1 :]]
    rng = np.random.default_rng(0)
    mine, others = rng.random((4, len(pairs))), 9 + rng.random((3, len(pairs)))
    found = atlas_of(tmp_path, divergence=distances(SECOND, others) + distances(TEXT, mine)).divergence
    assert found.shape == (len(PLACES), len(PLACES))
    assert np.diag(found).tolist() == [0] * len(PLACES)
    for at, (one, other) in enumerate(pairs):
        mean = sum(float(row[at]) for row in mine) / len(mine)
        here, there = PLACES.index(one), PLACES.index(other)
        assert found[here, there] == found[there, here] == pytest.approx(mean, rel=1e-6)


def test_divergence_of_another_text_or_none_is_not_measured(tmp_path):
    assert atlas_of(tmp_path / "a").divergence is None
    assert atlas_of(tmp_path / "b", divergence=distances(SECOND, np.ones((1, 15)))).divergence is None


def test_deciles_come_strongest_first_with_the_map_of_the_right_head(tmp_path):
    rows = []
    for at, (place, decile) in enumerate((place, decile) for decile in (1, 10, 5) for place in PLACES):
        tokens = [f"t{decile}", *("x" * (at % 3 + 1))]
        weights = np.arange(len(tokens) ** 2, dtype=np.float32) + 100 * at
        of = {"corpus": LARGE, "layer": place[0], "head": place[1], "decile": decile, "strength": 0.5}
        rows.append(of | {"tokens": tokens, "weights": weights})
    maps = atlas_of(tmp_path, deciles=rows).deciles
    assert list(maps) == PLACES
    for place, shown in maps.items():
        texts = [text.partition(":")[0] for text, _, _ in shown]
        assert texts == ["Strongest tenth", "Fifth tenth", "Weakest tenth"]
        for (text, tokens, weights), decile in zip(shown, (10, 5, 1), strict=True):
            (stored,) = (row for row in rows if (row["layer"], row["head"], row["decile"]) == (*place, decile))
            assert (text.partition(": ")[2], tokens) == (" ".join(stored["tokens"]), stored["tokens"])
            size = len(tokens)
            for query in range(size):
                for key in range(size):
                    assert weights[query, key] == stored["weights"][query * size + key]


def test_without_deciles_no_head_has_maps_of_them(tmp_path):
    assert atlas_of(tmp_path).deciles == {}
