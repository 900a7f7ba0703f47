"""What the pages about models and measures say of the heads together, recounted."""

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from generator.corpora.kinds import CorpusKind
from generator.measures import MEASURES, OF_COLUMN
from generator.numbers.number import Number
from generator.numbers.writing import number, pieces
from generator.pages.figures import SINGLE
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.page import NEIGHBOURS, head_page
from generator.pages.heads.studies import HeadStudies
from generator.pages.heads.summary import KINDS, TARGETS
from generator.pages.methods import TOP, method_page
from generator.pages.models import IN_TABLE, model_page
from generator.results.manifest import CorpusRecord
from tests.pages.conftest import Setter


def test_lead_counts_every_head_once(atlas: Atlas) -> None:
    counts = [int(word) for word in re.findall(r"\d+", model_page(atlas).lead)]
    assert counts[0] == sum(counts[1:]) == len(atlas.places)


@pytest.mark.parametrize("kinds", [1, 2, 6])
def test_lead_is_a_sentence_whatever_the_kinds(with_values: Setter, kinds: int) -> None:
    values = {target.column: np.zeros((3, 4)) for target in TARGETS}
    for at, target in enumerate(TARGETS[:kinds]):
        values[target.column].ravel()[at] = 0.9
    changed = with_values(values)
    lead = model_page(changed).lead
    counts = Counter(summary.kind for summary in changed.summaries.values())
    assert lead.startswith(f"{len(changed.places)} heads by kind: ")
    assert sorted(lead.removesuffix(".").split(": ")[1].split(", ")) == sorted(
        f"{count} {KINDS[kind]}" for kind, count in counts.items()
    )


def test_squares_fill_the_share_of_their_first_target(atlas: Atlas) -> None:
    cells = [cell for row in model_page(atlas).card.rows for cell in row]
    assert [cell.name for cell in cells] == [f"{layer}-{head}" for layer, head in atlas.places]
    for cell, summary in zip(cells, atlas.summaries.values(), strict=True):
        assert (cell.side / 100) ** 2 == pytest.approx(summary.share, abs=0.011)
        assert (cell.first.key, cell.summary) == (summary.first, summary.text)


def test_legend_names_the_kinds_that_the_map_shows(atlas: Atlas) -> None:
    card = model_page(atlas).card
    assert {kind.key for kind in card.legend} == {cell.first.key for row in card.rows for cell in row}


def test_notable_head_is_the_one_that_gives_its_target_most(atlas: Atlas) -> None:
    notable = {item.kind.key: item for item in model_page(atlas).card.notable}
    for target in TARGETS:
        grid = atlas.estimates[target.column]
        values = grid.value
        layer, head = max(atlas.places, key=lambda place: values[place[0] - 1, place[1] - 1])
        assert notable[target.kind].head.text == f"{layer}-{head}"
        assert notable[target.kind].value == number(
            values.max(), *(ends[layer - 1, head - 1] for ends in (grid.low, grid.high))
        )


def test_table_of_heads_has_the_stored_numbers(atlas: Atlas) -> None:
    page = model_page(atlas)
    for row, (layer, head) in zip(page.heads, atlas.places, strict=True):
        for (value, between), name in zip(row.numbers, IN_TABLE, strict=True):
            estimate, at = atlas.estimates[name], (layer - 1, head - 1)
            assert (value, between) == pieces(
                Number(*(ends[at] for ends in (estimate.value, estimate.low, estimate.high)), 1)
            )
        assert len(row.numbers) == len(page.columns)


def test_numbers_of_a_head_have_value_interval_reference_rank_unit_and_count(atlas: Atlas) -> None:
    page = head_page(atlas, HeadStudies(atlas), 2, 3)
    for measure, shown in zip(SINGLE, page.numbers, strict=True):
        estimate = atlas.estimates[measure.name]
        value = estimate.value[1, 2]
        rank = 1 + int((estimate.value > value).sum())
        assert shown[1:] == (
            *pieces(Number(value, estimate.low[1, 2], estimate.high[1, 2], estimate.n)),
            number(estimate.uniform),
            f"{rank} of {len(atlas.places)}",
            measure.unit,
            str(estimate.n),
        )


def test_first_and_last_head_have_one_neighbour_and_the_others_two(atlas: Atlas) -> None:
    studies = HeadStudies(atlas)
    steps = [(page.previous, page.next) for page in (head_page(atlas, studies, *place) for place in atlas.places)]
    assert [before.text if before else None for before, _ in steps][1:] == [
        f"{layer}-{head}" for layer, head in atlas.places[:-1]
    ]
    assert [after.text if after else None for _, after in steps][:-1] == [
        f"{layer}-{head}" for layer, head in atlas.places[1:]
    ]
    assert (steps[0][0], steps[-1][1]) == (None, None)


def test_similar_heads_stand_nearest_first(atlas: Atlas) -> None:
    studies = HeadStudies(atlas)
    for place in atlas.places:
        similar = head_page(atlas, studies, *place).similar
        distances = [float(other.distance) for other in similar]
        assert distances == sorted(distances)
        assert len(similar) == NEIGHBOURS


def test_methods_list_the_highest_heads_in_order(atlas: Atlas) -> None:
    for measure in MEASURES:
        (top,) = method_page(measure, [atlas]).top or (None,)
        if top is not None:
            values = atlas.estimates[measure.name].value
            best = sorted(atlas.places, key=lambda place: -values[place[0] - 1, place[1] - 1])[:TOP]
            assert [link.text for link, _ in top.heads] == [f"{layer}-{head}" for layer, head in best]
        assert (top is None) == bool(measure.parts)


def test_undefined_heads_are_in_no_list_of_the_highest(with_values: Setter) -> None:
    values = np.full((3, 4), np.nan)
    values[0, 1] = 0.5
    (top,) = method_page(OF_COLUMN["attention.cls"], [with_values({"attention.cls": values})]).top
    assert [link.text for link, _ in top.heads] == ["1-2"]


def test_target_that_no_head_defines_is_not_notable(with_values: Setter) -> None:
    nothing = with_values({"attention.cls": np.full((3, 4), np.nan), "norm.cls": np.full((3, 4), np.nan)})
    assert "begin" not in {item.kind.key for item in model_page(nothing).card.notable}


@pytest.mark.parametrize("kind", CorpusKind)
def test_a_corpus_of_any_kind_is_named_with_what_was_counted_in_it(atlas: Atlas, kind: CorpusKind) -> None:
    counts = {name: 10 + at for at, name in enumerate(kind.counted)}
    more = CorpusRecord("another", kind, "0" * 64, "de", counts)
    record = replace(atlas.results.manifest, corpora=(*atlas.results.manifest.corpora, more))
    facts = dict(model_page(Atlas(replace(atlas.results, manifest=record))).facts)
    told = ", ".join(f"{10 + at} {text}" for at, text in enumerate(kind.counted.values()))
    assert facts.get("Corpus another", "") == (f"{told}; in German; sha256 {'0' * 12}" if counts else "")
