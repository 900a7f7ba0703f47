"""Hand-written pages say whether the layers of a model fall into phases."""

from dataclasses import replace
from typing import Any

from generator.numbers.number import alone
from generator.numbers.writing import percent
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, plain
from generator.pages.studies.seen import RARE
from generator.topics.layers.page.division import DIVISION
from generator.topics.layers.page.phases.sentences import BETTER, COLUMNS, division_sentence, phases_table


def test_each_model_has_a_row_with_its_groups_and_both_shares(full: Atlas) -> None:
    atlas = with_chance(full, 0.0)
    division = DIVISION.of(atlas)
    assert division
    found = division.found
    ((link, groups, *shares),) = phases_table([atlas], "findings/three-phases/")
    assert link == Link(full.results.manifest.model, f"../../models/{full.slug}/phases/")
    assert shares == [percent(alone(share)) for share in (found.explained, found.shuffled, found.p)]
    ends = [int(one.split(" to ")[-1]) for one in str(groups).split(", ")]
    assert ends == [*found.boundaries, found.layers]
    assert len(COLUMNS) == 5


def test_one_sentence_tells_apart_the_models_whose_layers_do_and_those_whose_do_not(full: Atlas) -> None:
    name, do, do_not = full.results.manifest.model, with_chance(full, 0.0), with_chance(full, RARE)
    assert plain(division_sentence([do], "")) == f"The layers of {name} do {BETTER}."
    assert plain(division_sentence([do_not] * 3, "")) == f"The layers of {name}, {name} and {name} do not {BETTER}."
    assert division_sentence([], "") == ""
    told = division_sentence([do_not, do], "findings/three-phases/")
    assert plain(told) == f"The layers of {name} do {BETTER}; those of {name} do not."
    assert Link(name, f"../../models/{full.slug}/phases/") in told


def test_phases_are_named_where_no_resample_of_the_text_moves_them(full: Atlas) -> None:
    base = {"boundaries": (3, 10), "low": (3.0, 10.0), "high": (3.0, 10.0), "expected": (3, 10)}

    def layers(p: float = 0.0, **changes: object) -> str:
        said = plain(division_sentence([with_chance(full, p, **base | changes)], ""))
        return said.partition(" (")[2].partition(")")[0]

    assert layers() == "1 to 3, 4 to 10, 11 to 12, as we read the hypothesis"
    assert layers(expected=(3, 9)) == "1 to 3, 4 to 10, 11 to 12"
    assert layers(boundaries=(1, 10), low=(1.0, 10.0), high=(1.0, 10.0)) == "1, 2 to 10, 11 to 12"
    assert layers(low=(2.0, 10.0)) == layers(high=(3.0, 11.0)) == layers(RARE) == ""


def with_chance(atlas: Atlas, p: float, **changes: Any) -> Atlas:
    """The same model with twelve layers, where this share of random orders explains as much as the phases; boundaries
    that differ between resamples unless the changes say otherwise.
    """
    division = DIVISION.of(atlas)
    assert division
    other, unsure = Atlas(atlas.results), {"low": (0.0, 0.0)}
    found = replace(division.found, p=p, **{"layers": 12} | unsure | changes)
    other.__dict__["division"] = division._replace(found=found)
    return other
