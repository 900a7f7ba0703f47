"""Every name that a head might have can be asked for: on the command line, and beside the head's page."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli.app import app
from generator.errors import ResultsError
from generator.pages.heads.why import FILE, candidates_text, why_named
from generator.studies.halves import HELD_OUT
from tests.pages.heads.test_specialists import OBJ
from tests.pages.heads.tiny import LARGE, SMALL, Shares, atlas_of
from tests.topics.relations.page.test_heads import one_relation

WEIGHT: Shares = {(2, 3): (0.6, 0.1, 0.1, 0.2)}


def test_a_candidate_is_told_with_its_checks_and_the_rows_that_were_read(tmp_path: Path) -> None:
    chosen = [OBJ | {"model": "Tiny", "corpus": SMALL, "layer": 2, "head": 3, "protocol": HELD_OUT}]
    atlas = atlas_of(tmp_path, WEIGHT, **one_relation(100, 30, 31), relation_heads=chosen)
    opens, _, *lines = candidates_text(atlas, 2, 3).splitlines()
    assert opens == f"Tiny, head 2-3: {atlas.summaries[2, 3].title}"
    found, target = lines.index("finds direct objects (obj, dep->head): refused"), lines.index("looks at [CLS]: given")
    assert found < target, "in the order of the rules"
    told = lines[found:target]
    assert "  met, premise: counted on 50 words of the other half of a small treebank (at least 50)" in told
    against = "in the large treebank it is right for 30 of 100 words, the offset +1 for 31 of 100"
    assert f"  not met, elsewhere: {against}" in told
    read = [line for line in told if line.startswith("  read from ")]
    assert read[0].startswith(f"  read from relation_heads: corpus {SMALL}, relation obj, protocol held-out")
    assert read[1] == (
        f"  read from relations: corpus {LARGE}, relation obj, direction dep->head, layer 2, head 3, correct 30, "
        "n 100, offset 1, base 31"
    )


def test_what_is_given_is_the_name_and_an_unknown_head_is_refused(tmp_path: Path) -> None:
    atlas = atlas_of(tmp_path, WEIGHT)
    assert "\nlooks at [CLS]: given\n" in why_named([tmp_path], "tiny", "2-3")
    assert atlas.summaries[2, 3].title == "looks at [CLS]"
    assert ": given" not in why_named([tmp_path], "tiny", "1-1")
    with pytest.raises(ResultsError, match="from 1-1 to 2-3, found '3-1'"):
        why_named([tmp_path], "tiny", "3-1")
    with pytest.raises(ResultsError, match="Expected results of nobody"):
        why_named([tmp_path], "nobody", "1-1")


def test_the_command_is_there() -> None:
    told = CliRunner().invoke(app, ["why", "--help"]).output
    assert "Print the names that a head might have" in told
    assert FILE == "why.txt"
