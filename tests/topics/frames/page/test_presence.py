"""Which sections there are, and what the lead says."""

import pytest

from generator.home import TEMPLATES
from generator.numbers.number import Number
from generator.numbers.quantity import Undeclared
from generator.numbers.writing import listed, percent
from generator.pages.blocks import Table
from generator.pages.renderer import Renderer
from generator.topics.frames.page import frames, page
from generator.topics.frames.page.page import features_page, there
from tests.pages.reading import anchors as anchors_of
from tests.pages.reading import below, block, section
from tests.topics.frames.page.annotated import KINDS, OTHER, SPECIAL, TREEBANK, atlas_of, highest, one

STUDIES = {"features": "kinds", "words": "links", "matching": "matching", "frames": "frames"}
"""Study -> how the anchors of its sections begin."""


@pytest.mark.parametrize("study", STUDIES)
def test_section_is_absent_where_its_study_has_no_rows(made, tmp_path, study):
    less = {name: [row for row in rows if row["study"] != study] for name, rows in made.items()}
    atlas = atlas_of(tmp_path, less)
    context = features_page(atlas)
    assert there(atlas)
    parts = {anchor.partition("-")[0] for anchor in anchors_of(context)}
    assert parts == {"claims", *STUDIES.values()} - {STUDIES[study]}


@pytest.mark.parametrize("study", STUDIES)
def test_page_is_there_for_one_study_alone(made, tmp_path, study):
    alone = {name: [row for row in rows if row["study"] == study] for name, rows in made.items()}
    atlas = atlas_of(tmp_path, alone)
    assert there(atlas)
    assert Renderer(TEMPLATES).render("page.html", features_page(atlas))


def test_page_is_absent_where_only_other_studies_have_rows(made, tmp_path):
    others = [row for row in made["head_facts"] if row["study"] not in STUDIES or row["name"] == "sep.outside"]
    assert others
    assert not there(atlas_of(tmp_path, {"facts": [], "head_facts": others}))


@pytest.mark.parametrize(
    ("module", "constant", "names"),
    [(page, "LINKS", {"link.misspelt": "Links"}), (frames, "DIRECTIONS", ("element_to_target", "misspelt"))],
    ids=["links", "frames"],
)
def test_a_misspelt_name_costs_no_page_and_no_table_in_silence(made, tmp_path, monkeypatch, module, constant, names):
    atlas = atlas_of(tmp_path, made)
    monkeypatch.setattr(module, constant, names)
    with pytest.raises(Undeclared, match="misspelt"):
        _ = there(atlas) and features_page(atlas)


def test_numbers_of_heads_alone_leave_out_the_tables_of_layers(made, tmp_path):
    context = features_page(atlas_of(tmp_path, made | {"facts": []}))
    for part in (1, 2):
        assert below(context, f"kinds-{part}") == []
    assert [isinstance(one, Table) for one in section(context, "matching-1").blocks] == [True, False]
    assert {cell.text for row in block(context, "frames-1", Table).rows for cell in row[2:]} == {"-"}


def test_lead_has_the_largest_numbers_and_what_was_held_out(made, page):
    for place, corpus in enumerate((TREEBANK, OTHER), start=1):
        where = str(page.lead) if place == 1 else " ".join(map(str, section(page, f"kinds-{place}").blocks[:2]))
        of = {"study": "features", "corpus": corpus}
        said = (
            "Punctuation aside, single {kind} receive most: on average {share} of the attention of head {head} in ",
            "Of special tokens, {kind} receives most: {share} of the attention of head {head}.",
        )
        for kinds, words in zip((("noun", "verb", "pronoun", "subject", "object"), SPECIAL), said, strict=True):
            each = [highest(made["head_facts"], 1, name=f"{kind}.max", **of)[0] for kind in kinds]
            best, *_ = each = sorted(each, key=lambda row: -row["value"])
            as_large = [row for row in each if row["high"] >= best["low"]]
            kind = listed([KINDS[row["name"].partition(".")[0]] for row in as_large], "or")
            head = f"{best['layer']}-{best['head']}"
            assert words.format(kind=kind, head=head, share=percent(Number.of(best))) in where
    for name, over in (("best.matched.gain", "documents"), ("element_to_target.best.gain", "sentences")):
        row = one(made["facts"], name=name)
        assert f"{percent(Number.of(row), 'points')} more weight" in page.lead
        assert f"(held-out, n {row['n']:,} {over})" in page.lead


@pytest.mark.parametrize(("sentences", "told"), [(20, True), (19, False)])
def test_the_lead_leaves_out_a_kind_of_word_that_fewer_sentences_have_than_a_claim_asks_for(
    made, tmp_path, sentences, told
):
    rows = [
        row | {"value": 0.99, "low": 0.98, "high": 1.0, "n": sentences} if row["name"] == "verb.max" else row
        for row in made["head_facts"]
    ]
    lead = str(features_page(atlas_of(tmp_path, made | {"head_facts": rows})).lead)
    assert ("single verbs receive most: on average 99 %" in lead) == told
    assert ("verbs" in lead.partition("receive most")[0]) == told
