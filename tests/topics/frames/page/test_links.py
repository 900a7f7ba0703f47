"""Links between words, and identical words across segments."""

import re

import pytest
from scipy.stats import spearmanr

from generator.numbers.number import Number
from generator.numbers.writing import pieces
from generator.pages.blocks import Table
from generator.topics.frames.page.tables import TOP
from tests.pages.reading import below, block
from tests.topics.frames.page.annotated import (
    LINKS,
    MATCHING,
    OTHER,
    PLACES,
    TEXTS,
    TREEBANK,
    highest,
    is_head,
    one,
    shows,
)


def test_heads_with_the_largest_links_stand_beside_attention_next_door(made, atlas, page):
    for part, corpus in enumerate((TREEBANK, OTHER), start=1):
        kinds = below(page, f"links-{part}")
        assert [kind.title for kind in kinds] == list(LINKS)
        for kind in kinds:
            best = highest(made["head_facts"], TOP, study="words", corpus=corpus, name=LINKS[kind.title])
            for row, stored in zip(kind.blocks[0].rows, best, strict=True):
                assert is_head(row[0], stored)
                assert shows(row[1], stored)
                assert row[2].text == f"{stored['n']:,}"
                parts = []
                for cell, name in zip(row[3:5], ("previous", "next"), strict=True):
                    beside = one(
                        atlas.results.heads.to_dict("records"),
                        measure=f"attention.{name}",
                        layer=stored["layer"],
                        head=stored["head"],
                    )
                    assert shows(cell, beside)
                    parts.append([beside[field] for field in ("value", "low", "high")])
                value, low, high = map(sum, zip(*parts, strict=True))
                assert (row[5].text, row[5].note) == pieces(Number(value, low, high, 9))
                assert row[6].text == "9"


def test_correlation_is_over_all_heads_in_their_places(made, atlas, page):
    heads = atlas.results.heads.to_dict("records")
    for part, corpus in enumerate((TREEBANK, OTHER), start=1):
        for kind in below(page, f"links-{part}"):
            pairs = []
            for layer, head in PLACES:
                at = {"layer": layer, "head": head}
                link = one(made["head_facts"], study="words", corpus=corpus, name=LINKS[kind.title], **at)["value"]
                beside = [one(heads, measure=f"attention.{name}", **at)["value"] for name in ("previous", "next")]
                pairs.append((link, sum(beside)))
            found = re.search(r"next token together is (-?[\d.]+) \(", kind.blocks[1])
            assert found
            assert float(found[1]) == pytest.approx(spearmanr(*zip(*pairs, strict=True)).statistic, abs=0.05)
            assert kind.blocks[1].endswith(f", n {len(PLACES)} heads.")


def test_best_heads_for_identical_words_have_all_five_numbers(made, page):
    heads, held_out = (block(page, "matching-1", Table, at).rows for at in (0, 1))
    of = {"study": "matching", "corpus": TEXTS}
    best = highest(made["head_facts"], TOP, name="matched.gain", **of)
    for row, stored in zip(heads, best, strict=True):
        assert is_head(row[0], stored)
        for cell, name in zip(row[1:6], MATCHING, strict=True):
            assert shows(cell, one(made["head_facts"], name=name, layer=stored["layer"], head=stored["head"], **of)), (
                name
            )
        assert row[6].text == f"{stored['n']:,}"
    names = {"gain over other shared words": "best.matched.gain", "gain over any other word": "best.gain"}
    assert [row[0].text for row in held_out] == list(names)
    for row in held_out:
        stored = one(made["facts"], name=names[row[0].text], **of)
        assert shows(row[1], stored)
        assert row[2].text == f"{stored['n']:,}"
