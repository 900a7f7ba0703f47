"""Verdicts on claims along the checkpoints."""

from generator.claims.all import CLAIMS
from generator.numbers.number import Number
from generator.numbers.quantity import Maker
from generator.studies.declared import BY_MAKER
from generator.topics.learning.page.claims import LETTERS, claim_course, verdicts
from generator.topics.learning.page.data import Course as Read
from generator.topics.learning.page.data import step_text
from generator.topics.learning.records.curves import CLAIM
from tests.topics.learning.page.courses import STEPS, Course
from tests.topics.learning.page.drawn import drawn, one, rows


def test_bars_of_claims_are_the_verdicts_of_all_parts(made, page):
    columns = drawn(page, "claims")
    known = {row["name"].partition(".")[0] for row in made.curves if row["study"] == "claim"}
    assert list(dict.fromkeys(columns["claim"])) == [claim.id for claim in CLAIMS if claim.id in known]
    assert {row[0].text for row in rows(page, "claims")} == known
    for claim in (claim for claim in CLAIMS if claim.id in known):
        bars = [at for at, name in enumerate(columns["claim"]) if name == claim.id]
        shown = [columns["verdict"][at] for at in bars for _ in range(columns["left"][at], columns["right"][at])]
        expected = []
        for step in STEPS:
            found = []
            for part in claim.parts:
                row = one(made.curves, study="claim", name=part.key, step=step)
                found.append(part.verdict(Number(row["value"], row["low"], row["high"], row["n"])))
                if part.null and found[-1] == "holds":
                    first = one(made.curves, study="claim", name=part.key, step=STEPS[0])
                    room = {side: min(bound.room(row[side]) for bound in part.bounds) for side in ("low", "high")}
                    at_first = max(min(bound.room(first[side]) for bound in part.bounds) for side in ("low", "high"))
                    found[-1:] = ["holds"] if min(room.values()) > at_first else []
            worst = ("fails", "not testable", "inconclusive", "holds")
            expected.append(min(found, key=worst.index, default="not testable"))
        assert shown == expected, claim.id
        assert [columns["since"][at] for at in bars] == [STEPS[columns["left"][at]] for at in bars]
        assert [columns["until"][at] for at in bars] == [STEPS[columns["right"][at] - 1] for at in bars]
        row = next(row for row in rows(page, "claims") if row[0].text == claim.id)
        assert (row[2], row[3]) == (expected[0], expected[-1])
        since = next(step for at, step in enumerate(STEPS) if len(set(expected[at:])) == 1)
        assert row[4] == step_text(since)
    assert {columns["letter"][at] == LETTERS[name] for at, name in enumerate(columns["verdict"])} == {True}
    assert len(set(LETTERS.values())) == len(LETTERS)


def test_a_number_that_is_made_in_another_way_by_now_is_not_judged_and_the_page_says_so(tmp_path):
    course = Course()
    for key in ("C01.2", "C20.2", "H01.2"):
        course.curve("claim", key)
    section = claim_course(Read(course.store(tmp_path)), "")
    told = (
        " What was stored at the checkpoints for C20 and H01 is counted in another way by now; these numbers are not "
        "judged."
    )
    assert section.blocks[0].startswith("1 claims have numbers at the checkpoints. ")
    assert told in section.blocks[0]
    again = Course()
    again.curve("claim", "C01.2")
    assert "in another way" not in claim_course(Read(again.store(tmp_path / "again")), "").blocks[0]


def test_what_an_untrained_model_has_as_well_does_not_count():
    claim = next(claim for claim in CLAIMS if claim.id == "C13")
    first, same, less = (Number(at, at - 0.01, at + 0.01, 100) for at in (0.3, 0.3, 0.2))
    assert verdicts(claim, [[first, same, less]]) == ["not testable", "not testable", "holds"]
    assert verdicts(claim, [[first, same, less]], untrained=False) == ["not testable"] * 3
    missed = Number(0.7, 0.69, 0.71, 100)
    assert verdicts(claim, [[missed, same, missed]]) == ["fails", "holds", "fails"]


def test_part_without_a_number_makes_its_claim_not_testable():
    claim = next(claim for claim in CLAIMS if len(claim.parts) == 2)
    bound = claim.parts[0].bounds[0]
    good = bound.at + (0.1 if bound.side in ("above", "at least") else -0.1)
    assert verdicts(claim, [[Number(good, good, good, 100)], [None]]) == ["not testable"]
    bad = 2 * bound.at - good
    assert verdicts(claim, [[Number(bad, bad, bad, 100)], [None]]) == ["fails"]


def test_on_what_no_curve_has_a_verdict_is_said_with_the_reason(tmp_path):
    course = Course()
    course.curve("claim", "C01.2")
    told = claim_course(Read(course.store(tmp_path)), "").blocks[0]
    assert "No curve has a verdict on K02, K05, K06, K07, K08, K12, K15, K16, K17, R02 and Q02, for checkpoints" in told
    assert told.endswith("; nor on H05, H09, H10, H12 and H16, for it is about the course of training as a whole.")


def test_a_claim_has_no_verdict_there_exactly_if_it_reads_an_experiment_or_a_course():
    """What an analysis of a checkpoint makes, its curve carries."""
    for claim in CLAIMS:
        read = {name.partition("/")[0] for name in claim.numbers} - {CLAIM.name}
        apart = {study.name for study in (*BY_MAKER[Maker.EXPERIMENT], *BY_MAKER[Maker.CURVE])} & read
        assert bool(claim.unfollowed) == bool(apart), claim.id
