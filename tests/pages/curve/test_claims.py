"""Verdicts on claims along the checkpoints."""

from generator.claims import CLAIMS
from generator.numbers.number import Number
from generator.pages.curve.claims import LETTERS, verdicts
from generator.pages.curve.data import step_text
from tests.pages.curve.courses import STEPS
from tests.pages.curve.drawn import drawn, one, rows


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
