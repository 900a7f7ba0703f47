"""What the pages about models and measures say of the heads together, recounted."""

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from generator.corpora.kind import Kind
from generator.corpora.kinds import KINDS
from generator.measures import MEASURES, OF_COLUMN
from generator.measures.measure import Measure
from generator.numbers.number import Number
from generator.numbers.writing import listed, number, percent, pieces
from generator.pages.blocks import Facts, Items, Table
from generator.pages.figures import SINGLE
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.map import HeadMap, Square
from generator.pages.heads.page import NEIGHBOURS, head_page
from generator.pages.heads.studies import HeadStudies
from generator.pages.heads.summary import TARGETS
from generator.pages.inline import Count, Link, Prose
from generator.pages.methods import MOST, TOP, method_page
from generator.pages.models import model_page
from generator.results.manifest import CorpusRecord
from tests.pages.fixtures import Setter
from tests.pages.reading import anchors, block, every, section, seen, text


@pytest.mark.parametrize("kinds", [0, 1, 2, 6])
def test_lead_counts_every_head_once(with_values: Setter, kinds: int) -> None:
    values = {target.column: np.zeros((3, 4)) for target in TARGETS}
    for at, target in enumerate(TARGETS[:kinds]):
        values[target.column].ravel()[at] = 0.9
    changed = with_values(values)
    lead = str(model_page(changed).lead)
    counts = Counter(summary.kind for summary in changed.summaries.values())
    assert lead.startswith(f"None of its {len(changed.places)} heads is named for a relation"), (
        "a model without a treebank"
    )
    assert re.search(
        rf" {counts['broad']} looks? broadly, and {counts['none']} (is|are) named for none of this\.", lead
    )
    named = {place: one._replace(kind="broad") for place, one in changed.summaries.items() if one.kind == "none"}
    changed.__dict__["summaries"] = {**changed.summaries, **named}
    everywhere = str(model_page(changed).lead)
    assert everywhere.endswith(" look broadly.")
    assert "none of this" not in everywhere
    told = [f"{counts[target.kind]} to {target.words}" for target in TARGETS[:kinds]]
    assert (f"attention to one target: {listed(told)}." in lead) is bool(kinds)


def squares(atlas: Atlas) -> list[Square]:
    """Those of a model's map, in the order of its heads."""
    (found,) = every(model_page(atlas), HeadMap)
    return [cell for row in found.rows for cell in row]


def notable(atlas: Atlas) -> dict[str, list[str]]:
    """Kind -> what is said of the head that gives its target most, piece by piece."""
    return {line[0].key: list(map(text, line)) for line in block(model_page(atlas), "notable", Items).lines}


def test_squares_fill_the_share_of_their_first_target(atlas: Atlas) -> None:
    cells = squares(atlas)
    assert [cell.name for cell in cells] == [f"{layer}-{head}" for layer, head in atlas.places]
    for cell, summary in zip(cells, atlas.summaries.values(), strict=True):
        assert (cell.side / 100) ** 2 == pytest.approx(summary.share, abs=0.011)
        assert (cell.first, cell.summary) == (summary.first, summary.text)


def test_legend_names_the_kinds_that_the_map_shows(atlas: Atlas) -> None:
    legend = every(model_page(atlas), Items)[0]
    assert {line[0].key for line in legend.lines} == {cell.first for cell in squares(atlas)}


def test_notable_head_is_the_one_named_for_its_target_that_gives_it_most(atlas: Atlas) -> None:
    found = notable(atlas)
    for target in TARGETS:
        grid = atlas.estimates[target.column]
        named = [place for place in atlas.places if atlas.summaries[place].kind == target.kind]
        layer, head = max(named, key=lambda place: grid.value[place[0] - 1, place[1] - 1], default=(1, 1))
        share = grid.of(layer, head)
        if named:
            words = atlas.special_tokens.get(target.kind, target.words)
            said = [target.name, f"{layer}-{head}", f" gives {percent(share)} of its attention to {words}"]
            assert found[target.kind] == said
        else:
            assert target.kind not in found


def test_a_share_hard_by_the_line_for_which_a_head_is_named_reads_as_lying_above_it(with_values: Setter) -> None:
    values = {target.column: np.zeros((3, 4)) for target in TARGETS}
    values["attention.cls"][1, 2] = 0.50004
    assert notable(with_values(values))["begin"][1:] == ["2-3", " gives 50.004 % of its attention to [CLS]"]


def test_numbers_of_a_head_have_value_interval_reference_and_rank_and_name_a_unit_and_a_count_of_their_own(
    atlas: Atlas,
) -> None:
    table = block(head_page(atlas, HeadStudies(atlas), 2, 3), "numbers", Table)
    assert table.columns[-1] == f"rank of {len(atlas.places)}"
    counts = set()
    for measure, shown in zip(SINGLE, table.rows, strict=True):
        estimate = atlas.estimates[measure.name]
        value = estimate.value[1, 2]
        rank = 1 + int((estimate.value > value).sum())
        counts.add(estimate.n)
        fewer = f"n = {estimate.n}" if estimate.n != atlas.documents else ""
        own = ", ".join(filter(None, (measure.unit.replace("share", ""), fewer)))
        assert seen(shown[0]) == (f"{measure.title} ({own})" if own else measure.title)
        assert shown[1:] == (
            *pieces(Number(value, estimate.low[1, 2], estimate.high[1, 2], estimate.n)),
            number(estimate.uniform),
            str(rank),
        )
    assert atlas.documents in counts


def test_first_and_last_head_have_one_neighbour_and_the_others_two(atlas: Atlas) -> None:
    studies, names = HeadStudies(atlas), [f"{layer}-{head}" for layer, head in atlas.places]
    for at, place in enumerate(atlas.places):
        steps = [(step.text, step.back) for step in head_page(atlas, studies, *place).steps]
        before = [(names[at - 1], True)] if at else []
        assert steps == before + [(name, False) for name in names[at + 1 : at + 2]]


def test_similar_heads_stand_nearest_first(atlas: Atlas) -> None:
    studies = HeadStudies(atlas)
    for place in atlas.places:
        similar = block(head_page(atlas, studies, *place), "similar", Items).lines
        counts = (one.text for line in similar for one in line if isinstance(one, Count))
        distances = [float(count.removeprefix("at ")) for count in counts]
        assert distances == sorted(distances)
        assert len(similar) == NEIGHBOURS


def highest(measure: Measure, atlas: Atlas) -> list[str]:
    """The heads that the page of a measure names, in its order."""
    page = method_page(measure, [atlas])
    return named(block(page, "highest", Facts).lines[0]) if "highest" in anchors(page) else []


def named(line: tuple[Prose, Prose]) -> list[str]:
    """The heads that a line names."""
    return [one.text for one in line[1] if isinstance(one, Link)]


def test_methods_list_the_highest_heads_in_order(atlas: Atlas) -> None:
    for measure in MEASURES:
        best = []
        if not measure.parts:
            values = atlas.estimates[measure.name].value
            best = sorted(atlas.places, key=lambda place: -values[place[0] - 1, place[1] - 1])[:TOP]
        assert highest(measure, atlas) == [f"{layer}-{head}" for layer, head in best]


@pytest.mark.parametrize(("models", "heads"), [(1, TOP), (6, TOP), (7, TOP - 1), (MOST, 1), (MOST + 1, 1)])
def test_of_many_models_a_definition_names_fewer_heads_each_and_leads_to_all(
    atlas: Atlas, models: int, heads: int
) -> None:
    page = method_page(OF_COLUMN["sink.mass"], [atlas] * models)
    assert [len(named(line)) for line in block(page, "highest", Facts).lines] == [heads] * models
    (link,) = [one for one in section(page, "highest").blocks[0] if isinstance(one, Link)]
    assert link.href == "../../heads/?sort=sink", "by the name that the finder has for it"


def test_undefined_heads_are_in_no_list_of_the_highest(with_values: Setter) -> None:
    values = np.full((3, 4), np.nan)
    values[0, 1] = 0.5
    assert highest(OF_COLUMN["attention.cls"], with_values({"attention.cls": values})) == ["1-2"]


def test_target_that_no_head_defines_is_not_notable(with_values: Setter) -> None:
    nothing = np.full((3, 4), np.nan)
    assert "begin" not in notable(with_values({"attention.cls": nothing, "norm.cls": nothing}))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_corpus_of_any_kind_is_named_with_what_was_counted_in_it(atlas: Atlas, kind: Kind) -> None:
    counts = {name: 10 + at for at, name in enumerate(kind.counted)}
    more = CorpusRecord("another", kind, "0" * 64, "de", counts)
    record = replace(atlas.results.manifest, corpora=(*atlas.results.manifest.corpora, more))
    page = model_page(Atlas(replace(atlas.results, manifest=record)))
    facts = dict(block(page, "provenance", Facts).lines)
    told = ", ".join(f"{10 + at} {text}" for at, text in enumerate(kind.counted.values()))
    assert facts.get("Corpus another", "") == (f"{told}; in German; sha256 {'0' * 12}" if counts else "")
