"""Frames: best heads against their own distances and the published ones."""

import tomllib
from typing import Any

from generator.home import DATA
from generator.numbers.writing import number
from generator.pages.blocks import Table
from generator.topics.frames.page.frames import PLOTTED
from generator.topics.frames.page.tables import TOP
from tests.pages.reading import block, prose, section, seen
from tests.topics.frames.page.annotated import FRAME_TABLES, FRAMES, highest, is_head, one, shows


def test_best_heads_of_frames_stand_against_their_own_distances(made, page):
    of = {"study": "frames", "corpus": FRAMES}
    *tables, _ = section(page, "frames-1-heads").blocks
    for table, (prefix, direction) in zip(tables, FRAME_TABLES, strict=True):
        heading = seen(table.columns[0])
        assert direction.replace("_", " ") in heading
        assert ("paper" in heading) == bool(prefix)
        name = prefix + direction
        for row, stored in zip(table.rows, highest(made["head_facts"], TOP, name=name, **of), strict=True):
            at = of | {"layer": stored["layer"], "head": stored["head"]}
            matched, gain, family = (
                one(made["head_facts"], name=name + end, **at) for end in (".matched", ".gain", ".gain.family")
            )
            assert is_head(row[0], stored)
            assert shows(row[1], stored)
            assert shows(row[3], matched)
            assert shows(row[4], family)
            assert not shows(row[4], gain)
            assert [row[2].text, row[5].text] == [f"{stored['n']:,}", f"{matched['n']:,}"]


def test_numbers_of_all_heads_are_those_of_direction_and_filter(made, page):
    for row, (prefix, direction) in zip(block(page, "frames-1", Table).rows, FRAME_TABLES, strict=True):

        def fact(end: str, start: str = f"{prefix}{direction}.") -> dict[str, Any]:
            return one(made["facts"], study="frames", corpus=FRAMES, name=start + end)

        assert row[0].text == ("the paper's filters" if prefix else "all frames")
        assert row[1].text == direction.replace("_", " ")
        assert shows(row[2], fact("percentile99"))
        assert (row[3].text, row[4].text) == ("7", f"{fact('percentile99')['n']:,}")
        assert is_head(row[5], {part: int(fact(f"best.{part}")["value"]) for part in ("layer", "head")})
        assert shows(row[6], fact("best.gain"))
        assert row[7].text == f"{fact('best.gain')['n']:,}"
    all_frames, paper = (one(made["facts"], name=f"{prefix}frames") for prefix in ("", "paper."))
    assert (
        f"1,234 frames in {all_frames['n']:,} sentences; the paper's filters: 1,234 frames in {paper['n']:,} "
        in " ".join(prose(page, "frames-1"))
    )


def test_published_weights_stand_beside_our_heads_of_their_rank(made, page):
    groups = tomllib.loads((DATA / "published" / "kovaleva.toml").read_text())["group"]
    printed, plotted = (
        next(group["values"] for group in groups if group["key"] == f"kovaleva.{key}")
        for key in ("frames", "frames_plot")
    )
    assert f"in the paper: {printed['sentences']} sentences" in " ".join(prose(page, "frames-1"))
    expected = [("7-6", printed["second"]), ("1-2", printed["first"])]
    expected += [(name.removeprefix("head"), value) for name, value in plotted.items()]
    for group in (expected[:2], expected[2:]):
        assert [value for _, value in group] == sorted((value for _, value in group), reverse=True)
    assert len(PLOTTED) == len(plotted)
    ours = highest(made["head_facts"], len(PLOTTED), study="frames", corpus=FRAMES, name="paper.element_to_target")
    for row, (head, value) in zip(block(page, "frames-1-published", Table).rows, expected, strict=True):
        here = ours[int(row[0].text) - 1]
        assert (row[1].text, row[2].text) == (head, number(value))
        assert row[2].href.endswith("/references/#kovaleva2019")
        assert is_head(row[4], here)
        assert shows(row[5], here)
        assert row[6].text == f"{here['n']:,}"
    assert [row[0].text for row in block(page, "frames-1-published", Table).rows] == [*"12", *"12345678"]
