"""Divergence and deciles as pages read them."""

import numpy as np
import pytest

from tests.pages.heads.tiny import LARGE, PLACES, SECOND, TEXT, Rows, atlas_of


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
        assert texts == ["Strongest tenth", "Middle tenth", "Weakest tenth"]
        for (text, tokens, weights), decile in zip(shown, (10, 5, 1), strict=True):
            (stored,) = (row for row in rows if (row["layer"], row["head"], row["decile"]) == (*place, decile))
            assert (text.partition(": ")[2], tokens) == (" ".join(stored["tokens"]), stored["tokens"])
            size = len(tokens)
            for query in range(size):
                for key in range(size):
                    assert weights[query, key] == stored["weights"][query * size + key]


def test_without_deciles_no_head_has_maps_of_them(tmp_path):
    assert atlas_of(tmp_path).deciles == {}
