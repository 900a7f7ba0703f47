"""How a verdict came about: the text holds what a reviewer needs to compute it again, and the CSV all rows."""

import io

import numpy as np
import pandas as pd
import pytest

from generator.claims.all import CLAIMS
from generator.claims.claim import judge
from generator.claims.explain import SHOWN, evidence_csv, explain
from generator.numbers.writing import pieces
from generator.pages import addresses
from generator.pages.claims.page import claim_files
from tests.claims.made import LAYERS, TREEBANK, by_layer, evidence, fact, relation, text
from tests.cli.command import fieldguide

BY_ID = {claim.id: claim for claim in CLAIMS}


def read(claim, made):
    """The rows behind a claim as a reader of its CSV file gets them."""
    return pd.read_csv(io.StringIO(evidence_csv(BY_ID[claim], made)))


def test_the_text_tells_rows_halves_bounds_and_verdict():
    told = explain(BY_ID["C14"], evidence(relation("obj", 0.8, 0.4, place=(3, 1), n=622)))
    for words in (
        "C14: A head finds the verbs of direct objects",
        "read from relation_heads.parquet, protocol = held-out: 1 row (",
        "chosen on one half of the sentences and are reported on the other",
        "number: 0.800, 95 % interval 0.790 to 0.810, n = 622 words (at least 50)",
        "bound set on 2026-11-21: above 0.5.",
        "this threshold: met, because both ends of the interval meet every bound",
        "Verdict: holds.",
    ):
        assert words in told
    assert "\n\n\n" not in told


@pytest.mark.parametrize(
    ("claim", "part", "resampled"),
    [
        ("C04", "C04.1", "one row per document and head; documents are drawn with replacement 1000 times"),
        ("C05", "C05.1", "documents, and the heads of every layer, are drawn with replacement 1000 times"),
        ("C01", "C01.2", "the line above that begins with 'Measured' says what is resampled"),
    ],
)
def test_the_text_tells_what_is_resampled(claim, part, resampled):
    lines = explain(BY_ID[claim], evidence(text({}))).splitlines()
    begins = next(at for at, line in enumerate(lines) if line.startswith(f"Part {part}"))
    assert resampled in lines[begins + 1]


def test_what_is_missing_and_what_is_open_is_told():
    assert "this threshold: no number, because nothing that Tiny read gives what the study relations" in explain(
        BY_ID["C14"], evidence()
    )
    told = explain(BY_ID["C14"], evidence(relation("obj", 0.6, 0.3, spread=0.15)))
    assert " would decide the accuracy of the best head for direct objects if the estimate stays." in told


def test_the_rows_are_those_of_the_store_and_give_the_number_again():
    rows = np.random.default_rng(0).random((24, LAYERS, 2))
    made = evidence(text({"attention.sep_to_sep": rows}))
    told = explain(BY_ID["C07"], made)
    assert f"and {24 * 24 - SHOWN:,} rows more" in told
    assert dict(claim_files(made, []))[addresses.claim_rows("C07", made.slug)] == evidence_csv(BY_ID["C07"], made)
    frame = read("C07", made)
    assert list(frame.columns[:2]) == ["table", "chosen"]
    middle = frame[frame["layer"].between(5, 9)]
    by_document = middle.groupby("document")["attention.sep_to_sep"].mean()
    np.testing.assert_allclose(by_document.mean(), rows[:, 4:9].mean())
    number = judge(BY_ID["C07"], made).findings[0].number
    assert number is not None
    assert f"number: {pieces(number)[0]}, 95 % interval {pieces(number)[1]}, n = 24" in told


def test_rows_are_written_as_all_other_numbers_are():
    rows = np.full((24, LAYERS, 2), 2 / 3)
    rows[0, 0] = np.nan, 4.2e-8
    lines = explain(BY_ID["C07"], evidence(text({"attention.sep_to_sep": rows}))).splitlines()
    first = next(at for at, line in enumerate(lines) if "document 00" in line)
    assert [line.split()[-1] for line in lines[first : first + 3]] == ["-", "4.2e-8", "0.667"]


def test_columns_of_the_same_documents_stand_side_by_side():
    made = evidence(text({"entropy.cls": 2.5, "entropy.all": 2.0}), fact("words", "split", 0.1, corpus=TREEBANK))
    rows = read("C11", made)
    assert len(rows) == 24 * 24, "both parts read the same rows"
    assert set(rows["entropy.cls"]) == {2.5}
    assert set(rows["entropy.all"]) == {2.0}
    both = read("C04", made)
    assert both["table"].value_counts().to_dict() == {"documents": 24 * 24, "uniform": 24}


def test_rows_of_nothing_are_a_heading():
    assert evidence_csv(BY_ID["C14"], evidence()) == '"table","chosen"\n'


def test_every_claim_can_be_explained():
    made = evidence(text({"attention.sep": by_layer({(6, 10): 0.6})}), fact("words", "split", 0.1, corpus=TREEBANK))
    for claim in CLAIMS:
        told = explain(claim, made)
        assert told.count("  this threshold: ") == len(claim.parts)
        assert told.endswith(".\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("C99", "--model", "m"), "Expected the id of a claim, found 'C99'; did you mean"),
        (("C14", "--model", "m"), "Expected results of m among the stored ones (none), found none"),
    ],
)
def test_what_is_not_there_is_said_in_one_sentence(tmp_path, words, said):
    (tmp_path / "fieldguide.toml").write_text('results = "mine"\n', encoding="utf-8")
    outcome = fieldguide("claims", "explain", *words, "--config", tmp_path / "fieldguide.toml")
    assert (outcome.exit, outcome.out) == (1, "")
    assert said in outcome.err
    assert outcome.err.count("\n") == 1
