"""Which labelled tasks a model learned, and how far one way of training it is ahead of another.

A task counts as learned only if the score that is asked for is surely above that of the majority class.
"""

from collections.abc import Callable
from typing import TypeVar

from generator.claims.evidence.evidence import Evidence
from generator.claims.missing import NotTestable
from generator.corpora.tasks import TASKS
from generator.numbers.number import Number, difference
from generator.numbers.writing import number, written
from generator.studies.declared import study_of
from generator.topics.compare.records.comparison import COMPARISON
from generator.topics.tasks.records.tasks import SCORES, WAYS

SIMILARITY = "stsb"
"""The task that asks how similar two texts are."""
FROZEN, RANDOM, FINE_TUNED = "pretrained.frozen", "random.fine-tuned", "pretrained.fine-tuned"
MAJORITY = "majority"
_KNOWN = {task.name: task for task in TASKS}
Found = TypeVar("Found")


def called(task: str) -> str:
    """A task's name as papers write it.

    >>> called("stsb")
    'STS-B'
    """
    return _KNOWN[task].title.partition(":")[0] if task in _KNOWN else task


def score_name(task: str, how: str) -> str:
    """The name under which the store keeps a task's main score, for a way of training or a baseline."""
    return f"{_KNOWN[task].metrics[0] if task in _KNOWN else 'accuracy'}.{how}"


def ahead(evidence: Evidence, task: str, way: str, other: str) -> Number:
    """How far one way of training a task is ahead of another, or of the majority class. Raises NotTestable.

    The difference is paired on the same examples if the runs stored it. Earlier runs stored only the two scores; the
    interval of their difference is as wide as both together. A constant answer has no correlation; it counts as 0.
    """
    name = f"{way}.lead" if other == MAJORITY else f"{way}.minus.{other}"
    if paired := evidence.known_fact("scores", score_name(task, name), task):
        return paired
    first = evidence.fact("scores", score_name(task, way), task)
    second = evidence.known_fact("scores", score_name(task, other), task)
    if second is None and not (other == MAJORITY and task == SIMILARITY):
        answers = "the majority class" if other == MAJORITY else f"a model that is {WAYS[other]}"
        raise NotTestable(f"no score of {called(task)} by {answers} is stored; store it with: {SCORES.command}")
    return difference(first, second) if second else first


def check_learned(evidence: Evidence, study: str, score: str, task: str) -> None:
    """Raises NotTestable unless the score that a study stores for a task is surely above that of the majority class.

    `score` is its name: "base" for a sweep, "score" for a comparison, or what `score_name` gives for a way of training.
    """
    if (others := evidence.read_by(study)) and task not in others:
        command = study_of(study).command.replace("TASK", task)
        raise NotTestable(f"no such run of {evidence.model} on {called(task)} is stored; make one with: {command}")
    found = evidence.fact(study, score, task)
    lead = evidence.known_fact(study, f"{score}.lead", task)
    if lead is None and study in ("scores", "disabling"):
        way = score.partition(".")[2] if study == "scores" else FINE_TUNED
        lead = ahead(evidence, task, way, MAJORITY)
    if lead is None:
        raise NotTestable(f"whether {called(task)} was learned is not stored (make the run again)")
    if not lead.low > 0:
        name = score.partition(".")[0] + f".{MAJORITY}"
        majority = evidence.known_fact(study, name, task)
        beside = f", that of the majority class {number(majority.value)}" if majority else ""
        raise NotTestable(f"{called(task)} was not learned: the score is {written(found)}{beside}")


def of_learned(
    evidence: Evidence,
    study: str,
    read: Callable[[str], Found],
    *,
    score: Callable[[str], str] = lambda _: "base",
    among: Callable[[str], bool] = lambda _: True,
) -> dict[str, Found]:
    """Task -> what `read` returns for it, for every task that was learned.

    `score` names the score that shows whether a task was learned, `among` says which tasks to look at. Tasks for which
    the study stores nothing do not count. Adds the tasks to `evidence.learned`. If none is left, raises NotTestable
    with the reason for each task.
    """
    there = [task for task in evidence.tasks if among(task) and evidence.known_fact(study, score(task), task)]
    found: dict[str, Found] = {}
    missing: list[str] = []
    for task in there:
        try:
            check_learned(evidence, study, score(task), task)
            found[task] = read(task)
            evidence.learned.add(task)
        except NotTestable as reason:
            missing.append(str(reason))
    if found:
        return found
    if missing:
        raise NotTestable("; ".join(missing))
    raise evidence.missing(study)


def tuned_copies(evidence: Evidence, among: Callable[[str], bool] = lambda _: True) -> list[tuple[str, str]]:
    """Study and task of every comparison with a fine-tuned copy of the model that learned its task.

    `among` says which tasks to look at. Adds the tasks to `evidence.learned`. If there is none, raises NotTestable with
    the reason for each comparison.
    """
    found, missing = [], []
    for task in filter(among, evidence.tasks):
        for study in filter(_is_copy(evidence, task), evidence.of_kind(COMPARISON, task)):
            try:
                check_learned(evidence, study, "score", task)
                found.append((study, task))
                evidence.learned.add(task)
            except NotTestable as reason:
                missing.append(str(reason))
    if found:
        return found
    raise NotTestable("; ".join(dict.fromkeys(missing))) if missing else evidence.missing(COMPARISON.of("").name)


def _is_copy(evidence: Evidence, task: str) -> Callable[[str], bool]:
    """A function from the name of a comparison to whether that is with a copy of the model that was trained further."""
    return lambda study: bool((copy := evidence.known_fact(study, "copy", task)) and copy.value)
