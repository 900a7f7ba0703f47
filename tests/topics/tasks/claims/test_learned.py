"""Which tasks count, what is said where none does, and what several tasks say together."""

import itertools

import numpy as np
import pytest

from generator.claims.all import CLAIMS
from generator.claims.claim import judge
from generator.claims.evidence.evidence import Evidence
from generator.claims.missing import NotTestable
from generator.numbers.number import Number
from generator.numbers.resampling import bootstrap
from generator.numbers.simultaneous import at_once, greatest_of, least_of, mean
from generator.numbers.writing import number
from generator.topics.tasks.claims.learned import MAJORITY, RANDOM, ahead, check_learned, of_learned, tuned_copies
from tests.claims.cases.disabled import disabled, frame_heads, left, matching, swept
from tests.claims.cases.tasks import TUNED, copied, learned, least, raised, scores, tuned, weights
from tests.claims.made import HEADS, LAYERS, TASKS, TREEBANK, Tables, as_stored, by_layer, evidence, fact, facts

BY_ID = {claim.id: claim for claim in CLAIMS}


def judged(claim: str, *parts: Tables) -> tuple[str, str, int]:
    """Verdict, reason and n."""
    found = judge(BY_ID[claim], evidence(*parts))
    return found.verdict, found.reason, found.n


def rte(lead: float, spread: float = 0.055) -> list[Tables]:
    """A sweep on RTE alone."""
    return learned("disabling", "base", ("rte",), lead, 0.567, spread)


def related(signs: dict[str, int]) -> list[Tables]:
    """K17: what disabling costs falls or rises with matching, by task."""
    return [
        part for task, sign in signs.items() for part in matching(0.3, lambda grid, by=sign: by * grid, tasks=(task,))
    ]


@pytest.mark.parametrize("lead", [0.04, 0.055, 0.0, -0.1])
def test_a_task_that_was_not_surely_learned_is_named_with_its_score_and_the_majority(lead: float) -> None:
    with pytest.raises(NotTestable) as missing:
        check_learned(evidence(*rte(lead)), "disabling", "base", "rte")
    assert str(missing.value) == (
        f"RTE was not learned: the score is 0.57 (0.51 to 0.62), that of the majority class {number(0.567 - lead)}"
    )


def test_a_task_whose_lead_is_just_above_0_counts() -> None:
    check_learned(evidence(*rte(0.0555)), "disabling", "base", "rte")


def test_where_it_is_not_stored_whether_a_task_was_learned_it_does_not_count() -> None:
    stored = [copied("mrpc"), fact(TUNED, "score", 0.8, corpus="mrpc")]
    with pytest.raises(NotTestable, match="whether MRPC was learned is not stored \\(make the run again"):
        check_learned(evidence(*stored), TUNED, "score", "mrpc")


@pytest.mark.parametrize(("tuned", "majority", "learned"), [(0.8, 0.775, True), (0.8, 0.785, False)])
def test_scores_without_a_paired_lead_are_compared_end_to_end(tuned: float, majority: float, learned: bool) -> None:
    """Runs from before leads were stored: surely above by intervals that are too wide is surely above."""
    ways = {"pretrained.fine-tuned": tuned, "majority": majority}
    stored = [fact("scores", f"accuracy.{way}", score, corpus="mrpc") for way, score in ways.items()]
    stored += disabled("base", 0.8)
    for study, score in (("scores", "accuracy.pretrained.fine-tuned"), ("disabling", "base")):
        if learned:
            check_learned(evidence(*stored), study, score, "mrpc")
        else:
            with pytest.raises(NotTestable, match=r"MRPC was not learned: the score is 0\.800"):
                check_learned(evidence(*stored), study, score, "mrpc")


def test_a_task_that_was_not_learned_takes_no_part_in_a_minimum() -> None:
    """What the sweep on RTE once did to R02: layer 1 costs ten points of a score that is none."""
    others = ("mrpc", "stsb", "sst2")
    kept = left(0.0, 0.0, 0.0, tasks=others)
    lost = left(-0.1, tasks=("rte",), lead=0.005)
    assert judged("R02", *kept, *lost)[0] == "holds"
    assert judged("R02", *kept, *left(-0.1, tasks=("rte",)))[0] == "fails"
    assert judged("R02", *lost)[:2] == (
        "not testable",
        "Not testable: RTE was not learned: the score is 0.750 (0.740 to 0.760), that of the majority class 0.745.",
    )


def test_a_claim_is_judged_on_the_tasks_that_its_statement_names() -> None:
    """K06 excepts QQP; K17 is about STS-B and RTE, and a sweep on MRPC says nothing of it."""
    tasks = ("mrpc", "rte", "stsb", "qqp")
    assert judged("K06", *least(0.4, 0.4, 0.4, -0.3, tasks=tasks))[0] == "holds"
    assert judged("K06", *least(0.4, 0.4, -0.3, 0.4, tasks=tasks))[0] == "fails"
    assert judged("K17", *related({"mrpc": -1, "rte": 1, "stsb": 1}))[0] == "fails"
    assert judged("K17", *related({"mrpc": 1, "rte": -1, "stsb": -1}))[0] == "holds"
    assert judged("K17", *related({"mrpc": -1}))[0] == "not testable"


def test_several_tasks_that_were_not_learned_are_all_named() -> None:
    _, reason, _ = judged("K16", *disabled("uniform.best_layer", 0.1, 0.1, 0.1), *swept(lead=0.0))
    assert all(f"{name} was not learned" in reason for name in ("MRPC", "RTE", "STS-B"))


def test_a_random_head_is_judged_on_both_tasks_or_not_at_all() -> None:
    tasks = ("mrpc", "stsb", "sst2")
    stored = [*disabled("uniform.best_head", 0.03, 0.05, 0.04, tasks=tasks), *disabled("uniform.mean", 0.02, 0.03)]
    verdict, reason, _ = judged("K15", *stored, *swept(tasks), *swept(("rte",), lead=0.0))
    assert verdict == "not testable"
    assert reason.startswith("Not testable: RTE was not learned")
    assert "MRPC" not in reason


@pytest.mark.parametrize(("fifth", "verdict"), [(0.1, "holds"), (0.7, "fails")])
def test_the_last_two_layers_are_two_in_a_model_of_six(fifth: float, verdict: str) -> None:
    """As MiniLM, of which a sixth of the layers is the last alone; layer 5 changed less than 3 and 4."""
    cosine = by_layer({(1, 4): 0.5, 5: fifth, 6: 0.1}, layers=6)
    made = tuned("copy")
    made += [facts(TUNED, "cosine", cosine, 0.005, corpus=task) for task in TASKS]
    assert judge(BY_ID["K06"], evidence(*made, layers=6)).verdict == verdict


def test_a_copy_that_learned_nothing_says_nothing_of_fine_tuning() -> None:
    for claim in ("K02", "K06", "K12", "Q02"):
        stored = [copied("mrpc"), *learned(TUNED, "score", ("mrpc",), lead=-0.02)]
        verdict, reason, _ = judged(claim, *stored)
        assert (verdict, reason[:33]) == ("not testable", "Not testable: MRPC was not learne"), claim


def test_no_run_is_told_from_one_that_was_not_learned() -> None:
    for claim, command in (("R02", "disable"), ("K06", "compare"), ("K07", "finetune")):
        assert f"no such run of Tiny is stored; make one with: fieldguide {command}" in judged(claim)[1]
    on_mrpc = (
        "no such run of Tiny on MRPC is stored; make one with: fieldguide disable CHECKPOINT --task mrpc --data DIR"
    )
    swept_otherwise = *disabled("uniform.best_head", 0.03, tasks=("stsb",)), *swept(("stsb",))
    assert on_mrpc in judged("K15", *swept_otherwise)[1]


def test_a_score_to_compare_with_that_is_missing_is_named_in_words() -> None:
    _, reason, _ = judged("K07", *scores(tasks=("rte",), tuned=0.1))
    assert "no score of RTE by a model that is random and fine-tuned is stored; store it with: fieldguide" in reason
    alone = evidence(fact("scores", "accuracy.random.fine-tuned", 0.8, corpus="mrpc"))
    with pytest.raises(NotTestable, match="no score of MRPC by the majority class is stored"):
        ahead(alone, "mrpc", RANDOM, MAJORITY)


def test_close_weights_are_a_better_start_only_where_random_ones_do_worse() -> None:
    assert judged("Q02", *weights(0.02, 1.3, start=0.0105))[0] == "holds"
    verdict, reason, _ = judged("Q02", *weights(0.02, 1.3, start=0.0095))
    assert verdict == "not testable"
    assert "RTE is not surely done better from pre-trained than from random weights" in reason
    some = (0.0105, 0.0095, 0.0105)
    assert judged("Q02", *weights(0.02, 1.3, start=some, copies=30))[::2] == ("holds", 20)
    verdict, reason, count = judged("Q02", *weights(0.02, 1.3, start=some, copies=29))
    assert (verdict, count) == ("not testable", 19)
    assert reason == "Not testable: only 19 fine-tuned copies, where at least 20 are needed."


def test_n_counts_every_example_sentence_and_head_once() -> None:
    """60 examples a task; two heads of a task share them, copies share the treebank, tasks share the heads."""
    assert judged("K05", *frame_heads(0.0, 0.005))[2] == 60 * len(TASKS)
    copies = [*raised(0.03), copied("mrpc"), *learned("compare:second", "score", ("mrpc",))]
    copies += [fact("compare:second", "copy", 1.0, corpus="mrpc")]
    copies += [facts("compare:second", "noun.max", [0.02] * LAYERS, corpus=TREEBANK)]
    assert len({study for study, _ in tuned_copies(evidence(*copies))}) == 2
    assert judged("K12", *copies)[2] == 60
    related = judge(BY_ID["K17"], evidence(*matching(0.3, lambda grid: -grid))).findings[1].number
    assert related
    assert related.n == 24


def test_where_counts_differ_n_is_the_least_of_each_task() -> None:
    """Row by row one example more; the frame heads are 3-1 and 8-2."""
    assert judged("K05", *rising(frame_heads(0.0, 0.005), "uniform"))[2] == sum(
        60 + task * LAYERS * HEADS + 2 * HEADS for task in range(len(TASKS))
    )
    assert judged("R02", *rising(left(0.0, 0.0, 0.0), "change."))[2] == sum(60 + task * 10 for task in range(3))
    assert judged("K06", *rising(least(0.4, 0.4, 0.4), "cosine"))[2] == sum(60 + task * LAYERS for task in range(3))
    whole, *others = related({"stsb": -1})[2:]
    lost = as_stored("head_facts", whole["head_facts"].to_pandas().query("layer > 1"))
    number = judge(BY_ID["K17"], evidence(*related({"rte": -1}), lost, *others)).findings[1].number
    assert number
    assert number.n == (LAYERS - 1) * HEADS


def rising(parts: list[Tables], start: str) -> list[Tables]:
    """The same with another n in each row of the numbers whose names start so: 60, 61, ..."""
    n, found = itertools.count(60), []
    for part in parts:
        ((name, table),) = part.items()
        other = {"n": [next(n) for _ in range(len(table))]} if str(table["name"][0]).startswith(start) else {}
        found.append(as_stored(name, table.to_pandas().assign(**other)))
    return found


def test_what_is_read_of_each_task_is_kept_by_task() -> None:
    stored = evidence(*disabled("uniform.mean", 0.1, 0.2, 0.3), *swept(("mrpc", "stsb")), *swept(("rte",), lead=0.0))

    def read(task: str) -> float:
        return stored.fact("disabling", "uniform.mean", task).value

    assert of_learned(stored, "disabling", read) == {"mrpc": 0.1, "stsb": 0.3}
    assert of_learned(stored, "disabling", read, among=lambda task: task == "mrpc") == {"mrpc": 0.1}


def test_the_least_of_several_tasks_has_the_least_ends_of_intervals_that_hold_at_once() -> None:
    numbers = [Number(0.3, 0.2, 0.4, 10), Number(0.1, 0.0, 0.3, 20), Number(0.5, -0.05, 0.6, 30)]
    wide = at_once(numbers)
    assert all(one.low < old.low and one.high > old.high for one, old in zip(wide, numbers, strict=True))
    assert least_of(numbers) == (0.1, min(one.low for one in wide), min(one.high for one in wide), 60)
    assert greatest_of(numbers) == (0.5, max(one.low for one in wide), max(one.high for one in wide), 60)
    assert least_of(numbers, 7).n == mean(numbers, 7).n == 7


def test_the_least_of_tasks_without_effect_rarely_leaves_out_0() -> None:
    """Six tasks of 150 examples in 300 simulated studies; end by end the interval is wrong far more often."""
    rng = np.random.default_rng(2)
    wrong = np.zeros(2)
    for _ in range(300):
        found = bootstrap(rng.normal(size=(150, 6)), 0)
        numbers = [Number(*map(float, one)) for one in zip(*found, strict=True)]  # type: ignore[arg-type]
        together = least_of(numbers)
        wrong += not together.low <= 0 <= together.high, not min(found.low) <= 0 <= min(found.high)
    assert wrong[0] <= 0.06 * 300
    assert wrong[1] >= 0.1 * 300


def test_without_tasks_there_is_nothing_to_count() -> None:
    empty: Evidence = evidence()
    with pytest.raises(NotTestable, match="no such run of Tiny"):
        of_learned(empty, "disabling", str)


def test_the_heads_that_can_go_are_those_of_the_task_that_spares_the_fewest() -> None:
    """With 9 of 24 heads gone nothing is lost, with 10 a tenth; on the last task heads go from the last one on."""
    places = [(layer, head) for layer in range(1, LAYERS + 1) for head in range(1, HEADS + 1)]
    for loss, order in (((0.1, 0.1, 0.0), places), ((0.0, 0.0, 0.1), places[::-1])):
        rows = left(0.0, 0.0, 0.0, loss=loss, gone=10)
        assert {*named(*rows)} == {*order[:9]}
        assert named(*(row for row in rows if "head_facts" not in row)) == (), "as in sweeps without an order"


def named(*parts: Tables) -> tuple[tuple[int, int], ...]:
    """The heads of the first number of R02."""
    return judge(BY_ID["R02"], evidence(*parts)).findings[0].heads
