"""What single heads find, as the tables of a treebank and of linked mentions have it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from generator.corpora.relation_names import DIRECTIONS, with_label
from generator.numbers.number import Number
from generator.numbers.writing import number, percent, written
from generator.pages.blocks import Figure, Items, Note, Table
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell, Cells, Link, Name, inline
from generator.pages.studies.tables import relation_cell
from generator.studies.halves import HELD_OUT, SAME_DATA
from generator.topics.mentions.records import BEST, GAIN
from generator.topics.relations.page.page import relations_page
from generator.topics.relations.records.relations import EDGE
from tests.pages.invented import HOSTILE, RELATIONS, TREEBANK
from tests.pages.reading import alone, between, block, every, one, prose, seen, text
from tests.topics.inputs.page.test_inputs import again

FIRST = "treebank-1"
TREES = [f"uuas{name}.best{end}" for name in ("", ".to_dependents") for end in ("", ".gain")]


def test_clear_relations_are_named_with_their_held_out_head(full: Atlas) -> None:
    lines = block(relations_page(full), FIRST, Items).lines
    for line, relation in zip(lines, ("det", HOSTILE), strict=True):
        row = one(full.results.table("relation_heads"), relation=relation, protocol=HELD_OUT)
        head = f"{row['layer']}-{row['head']}"
        gain = Number.of(row, "gain", "gain_low", "gain_high")
        assert Link(head, f"../heads/{head}/") in line
        assert seen(line) == f"{with_label(relation)} {head} gain {written(gain)}, n {row['n']}"
    lead = f"In {TREEBANK}, for 2 of 5 dependency relations with 50 words or more some head is "
    assert relations_page(full).lead.startswith(lead), "punctuation is no relation"


def test_a_rare_relation_names_no_head_however_clear_it_is(full: Atlas, tmp_path: Path) -> None:
    rows = full.results.table("relation_heads").assign(twin_high=0.0)
    rare = again(full, tmp_path / "some", relation_heads=rows.assign(n=rows["n"].where(rows["relation"] != "det", 49)))
    page = relations_page(rare)
    (line,) = block(page, FIRST, Items).lines
    assert seen(line).startswith(with_label(HOSTILE))
    assert page.lead.startswith(f"In {TREEBANK}, for 1 of 4 dependency relations with 50 words or more ")
    assert "; 1 of them has fewer than 50 on the half that is counted, too few to name a " in prose(page, FIRST)[2]
    assert block(page, FIRST, Figure).label.startswith("Head 1-3 finds ")
    few = relations_page(again(full, tmp_path / "none", relation_heads=rows.assign(n=49)))
    told = "No relation that could name a head has 50 words or more on the half that is counted."
    assert prose(few, FIRST)[1] == told
    assert few.lead == f"In {TREEBANK} n{told[1:]}"
    assert few.lead.startswith(block(few, FIRST, Figure).label)


@pytest.mark.parametrize(("right", "listed"), [(21, True), (20, False)])
def test_what_another_treebank_contradicts_is_not_called_clear(
    full: Atlas, tmp_path: Path, right: int, listed: bool
) -> None:
    """As indirect objects and head 1-2 of medium-bert: right for 18 of 71 words of EWT, where the offset is for 54."""
    counts, offsets = (full.results.table(name) for name in ("relations", "relation_baselines"))
    counts = counts[counts["relation"] == "det"].assign(corpus="second", n=40, correct=right)
    offsets = offsets[offsets["relation"] == "det"].assign(corpus="second", n=40, correct=20)
    more = {"relations": counts, "relation_baselines": offsets}
    added = {name: pd.concat([full.results.table(name), rows]) for name, rows in more.items()}
    page = relations_page(again(full, tmp_path, **added))
    told = [seen(line) for line in block(page, FIRST, Items).lines]
    assert any(line.startswith(with_label("det")) for line in told) is listed
    assert page.lead.startswith(f"In {TREEBANK}, for {1 + listed} of 5 dependency relations")


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({}, ""),
        ({"gain": 0.05}, "; in second no head is clearly better than the offset"),
        ({"layer": 1, "head": 1}, "; in second head 1-1 is best"),
    ],
)
def test_a_line_says_what_other_treebanks_have_if_none_names_the_same_head(
    full: Atlas, tmp_path: Path, other: dict[str, object], told: str
) -> None:
    rows = full.results.table("relation_heads")
    own = rows[(rows["relation"] == "det") & (rows["protocol"] == HELD_OUT)]
    assert tuple(own[["layer", "head"]].iloc[0]) != (1, 1)
    page = relations_page(again(full, tmp_path, relation_heads=pd.concat([rows, own.assign(corpus="second", **other)])))
    (line,) = (seen(line) for line in block(page, FIRST, Items).lines if seen(line).startswith(with_label("det")))
    assert line.endswith(f", n {own['n'].iloc[0]}{told}")
    assert "and in no other treebank is the head right no more often than the offset" in prose(page, FIRST)[2]


def test_what_an_offset_picks_beyond_an_end_of_the_sentence_is_told(full: Atlas) -> None:
    assert any(EDGE in told for told in prose(relations_page(full), ""))


def label(row: Cells) -> str:
    """The label of a row's relation, which stands below its words if there are any."""
    assert isinstance(row[0], Cell | Name)
    return getattr(row[0], "note", "") or row[0].text


@pytest.mark.parametrize(
    ("name", "html"),
    [
        ("obj", "direct objects <small>(obj)</small>"),
        ("obl:tmod", "phrases that describe a verb <small>(obl:tmod)</small>"),
        ("all", "every word"),
        ("<b>", "<bdi>&lt;b&gt;</bdi>"),
    ],
)
def test_a_relation_is_said_in_words_with_its_label_small(name: str, html: str) -> None:
    assert inline(relation_cell(name)) == html


def test_table_of_relations_has_every_stored_number(full: Atlas) -> None:
    table = block(relations_page(full), FIRST, Table)
    stored = full.results.table("relation_heads")
    assert {label(row) for row in table.rows} == set(RELATIONS) - {"all"}
    gains = [one(stored, relation=label(row), protocol=HELD_OUT)["gain"] for row in table.rows]
    assert gains == sorted(gains, reverse=True)
    for row in table.rows:
        held = one(stored, relation=label(row), protocol=HELD_OUT)
        assert row[1].href == f"../heads/{row[1].text}/"
        assert (
            row[1].note == {DIRECTIONS[0]: "dependent to head", DIRECTIONS[1]: "head to dependent"}[held["direction"]]
        )
        assert [cell.text for cell in row[1:8]] == [
            f"{held['layer']}-{held['head']}",
            alone(held),
            str(held["n"]),
            f"{held['offset']:+d}: {alone(held, 'baseline')}",
            alone(held, "gain"),
            alone(held, "twin"),
            str(held["rank"]),
        ]
        notes = [("low", "high"), *((f"{name}_low", f"{name}_high") for name in ("baseline", "gain", "twin"))]
        assert [row[at].note for at in (2, 4, 5, 6)] == [between(held, *ends) for ends in notes]
        if row[0].text == "rare":
            assert [cell.text for cell in row[8:]] == ["-"] * 3
            continue
        same = one(stored, relation=label(row), protocol=SAME_DATA)
        shown = [f"{same['layer']}-{same['head']}", alone(same), alone(same, "gain")]
        assert [cell.text for cell in row[8:]] == shown


def test_what_was_read_is_said(full: Atlas) -> None:
    read, *_ = prose(relations_page(full), FIRST)
    split = one(full.results.table("facts"), corpus=TREEBANK, name="split")
    assert read.startswith("1,234 sentences of 5,678 words were read, in German; 9 sentences longer ")
    assert f"The tokenizer splits {percent(Number.of(split))} of the words" in read
    record = full.results.manifest
    unknown = replace(record, corpora=tuple(replace(corpus, language="") for corpus in record.corpora))
    unnamed = replace(full.results, manifest=unknown)
    assert "were read, in a language that is not known;" in prose(relations_page(Atlas(unnamed)), FIRST)[0]
    linked, *_ = prose(relations_page(full), "coreference-1")
    assert linked == "The start of 21 documents, 432 words in all, with 65 mentions that have an antecedent."


def test_all_words_stand_against_right_branching_and_the_best_offset(full: Atlas) -> None:
    table = block(relations_page(full), f"{FIRST}-words", Table)
    stored = full.results.table("relation_heads")
    rows = {(row[0].text, row[0].note): row for row in table.rows}
    for protocol in (HELD_OUT, SAME_DATA):
        row = one(stored, relation="all", protocol=protocol)
        assert [text(cell) for cell in rows["best head", protocol][1:3]] == [
            f"{row['layer']}-{row['head']}",
            alone(row),
        ]
        assert [text(cell) for cell in rows["best fixed offset", protocol][1:3]] == [
            f"{row['offset']:+d}",
            alone(row, "baseline"),
        ]
        twin = rows["best heads of the untrained twins", protocol][2]
        assert (twin.text, twin.note) == (alone(row, "twin"), between(row, "twin_low", "twin_high"))
        assert rows["its gain", protocol][2].text == alone(row, "gain")
    right = one(full.results.table("relation_baselines"), relation="all", offset=1)
    assert [text(cell) for cell in rows["right-branching", "all sentences"][1:]] == [
        "+1",
        number(right["correct"] / right["n"]),
        str(right["n"]),
    ]


def test_trees_and_probes_have_the_stored_facts(full: Atlas) -> None:
    page = relations_page(full)
    trees, probes = (block(page, f"{FIRST}-{name}", Table).rows for name in ("trees", "probes"))
    facts = full.results.table("facts")
    expected = [one(facts, corpus=TREEBANK, name=name) for name in (*TREES, "uuas.adjacent")]
    for row, stored in zip(trees, expected, strict=False):
        assert (row[1].text, row[1].note, row[2].text) == (alone(stored), between(stored), str(stored["n"]))
    heads = full.results.table("head_facts")
    best = max(heads[heads["name"] == "uuas"].to_dict("records"), key=lambda row: row["value"])
    last = trees[-1]
    assert (last[0].text, last[1].text) == (f"head {best['layer']}-{best['head']}", alone(best))
    learned, branching = probes
    ends = ("", ".control", ".selectivity")
    assert [cell.text for cell in learned[1:4]] == [
        alone(one(facts, corpus=TREEBANK, name=f"attention+words{end}")) for end in ends
    ]
    assert branching[1].text == alone(one(facts, corpus=TREEBANK, name="right-branching"))
    assert [cell.text for cell in branching[2:4]] == ["-", "-"]


def test_antecedents_have_a_row_per_head_baseline_and_gain_and_a_column_per_kind(full: Atlas) -> None:
    table = block(relations_page(full), "coreference-1", Table)
    stored = full.results.table("antecedents")
    names = {
        "nearest mention": "nearest",
        "nearest that agrees": "nearest agreeing",
        "same head word": "head match",
        "four rules in order": "rules",
        "a candidate drawn at random": "chance",
        "the best of these without the four rules, by kind": BEST,
        "head 2-3": "head",
    }
    candidates = {"among all words before": "words", "among head words of mentions before": "mentions"}
    assert len(table.rows) == 2 * (2 * 1 + 4 * 2 + 2 * 2 * 2)
    baseline = ""
    for row in table.rows:
        predictor = names.get(row[0].text, GAIN + baseline)
        baseline = predictor.removeprefix(GAIN)
        assert baseline in ("head", "chance", BEST) or row[1].text == "among head words of mentions before"
        chosen = {"predictor": predictor, "candidates": candidates[row[1].text], "protocol": row[2].text}
        for cell, kind in zip(row[3:], ("all", "pronoun", "proper", "nominal"), strict=True):
            number_of = one(stored, kind=kind, **chosen)
            expected = (alone(number_of), f"{between(number_of)}, n {number_of['n']}")
            if baseline == "head match" and kind == "pronoun":
                expected = ("-", f"impossible, n {number_of['n']}")
            assert (cell.text, cell.note) == expected


def test_untrained_twins_are_told_of_where_they_were_measured(full: Atlas, tmp_path: Path) -> None:
    rows = full.results.table("relation_heads")
    gone = dict.fromkeys(("twin", "twin_low", "twin_high"), np.nan)
    for atlas, told in ((full, True), (again(full, tmp_path, relation_heads=rows.assign(**gone)), False)):
        page = relations_page(atlas)
        captions = [figure.caption for figure in every(page, Figure)]
        said = " ".join([*map(str, captions), *(str(note.text) for note in every(page, Note))])
        assert captions
        assert ("untrained" in said) == ("twins" in said) == told
        names = [row[0].text for row in block(page, f"{FIRST}-words", Table).rows]
        assert ("best heads of the untrained twins" in names) == told
