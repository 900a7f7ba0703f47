"""What hand-written pages say of trainings that differ in their objective."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from generator.errors import SiteError
from generator.numbers.number import alone
from generator.numbers.writing import number, percent, written
from generator.pages import addresses
from generator.pages.inline import Cells, Link
from generator.pages.written.context import Context, Written
from generator.pages.written.in_markdown import anchor, table
from generator.topics.variants.page.data import WORDS, Row, Variants, settings_text, there, unit
from generator.topics.variants.page.page import TITLE, rule
from generator.topics.variants.page.tuned import Tuned, tuned_on


def mixture(settings: Mapping[str, Any]) -> str:
    """A mixture as the paper has it: of ten chosen words, [MASK], as they are, exchanged; and how many are chosen.

    >>> mixture({"to_mask": 0.0, "to_random": 0.5}), mixture({"to_mask": 0.8, "to_random": 0.1, "masked": 0.4})
    ('0, 5, 5', '8, 1, 1; 40 % chosen')
    >>> mixture({"masked": 0.4})
    'masked = 0.4'
    """
    if not {"to_mask", "to_random"} <= {*settings}:
        return settings_text(settings)
    hidden, exchanged = settings["to_mask"], settings["to_random"]
    chosen = f"; {percent(alone(settings['masked']))} chosen" if "masked" in settings else ""
    return ", ".join(number(round(10 * share, 2)) for share in (hidden, 1 - hidden - exchanged, exchanged)) + chosen


def _segments(settings: Mapping[str, Any]) -> str:
    return "segments" if settings["segments"] else "none"


class Question(NamedTuple):
    """A question that such trainings answer."""

    settings: frozenset[str]
    """The variants that differ from the first in nothing else are shown."""
    head: str
    """What the names of rows say."""
    row: Callable[[Mapping[str, Any]], str]
    """The name of a row, from the settings in which variants differ."""
    numbers: Sequence[str]
    before: str
    """What is said above the table."""
    nothing: str
    """What is said where there are none."""


QUESTIONS: Mapping[str, Question] = {
    "mixture": Question(
        frozenset({"masked", "to_mask", "to_random"}),
        "of ten chosen words: [MASK], as they are, exchanged",
        mixture,
        ("masked", "whole", "random", "mask", "maps", "classes"),
        "Short trainings that differ only in what is hidden, and how, read the same held-out text. One that never "
        "shows a chosen word as it is gives no reason to copy it, and one without [MASK] has never seen it:",
        "None of our models was trained with another mixture.",
    ),
    "segments": Question(
        frozenset({"segments"}),
        "trained with",
        _segments,
        ("masked", "next", "follows", "classes"),
        "Short trainings with and without segments read the same held-out text:",
        "None of our models was trained without segments.",
    ),
}


def variants(context: Context, question: str, /) -> str:
    """A table of the trainings that answer "mixture" or "segments", and how to read it; one sentence without any."""
    if question not in QUESTIONS:
        raise SiteError(f"Expected one of {', '.join(QUESTIONS)} as a question, found {question!r}; correct the page.")
    asked = QUESTIONS[question]
    found = [one for one in map(Variants, filter(there, context.atlases)) if len(_chosen(one, asked)) > 1]
    if not found:
        return asked.nothing
    return "\n\n".join([asked.before, *(_told(one, asked, context.page) for one in found)])


def _chosen(found: Variants, asked: Question) -> list[int]:
    """The first variant, and those that differ from it only in settings of the question."""
    return [at for at in range(len(found.names)) if at == 0 or {*found.settings(at)} <= asked.settings]


def _told(found: Variants, asked: Question, page: str) -> str:
    chosen, numbers = _chosen(found, asked), [name for name in asked.numbers if name in found.shown]
    rows = [_row(found, at, numbers, asked) for at in chosen]
    here = addresses.relative(addresses.variants(found.atlas.slug), page)
    link = anchor(Link(f"{TITLE}, {found.atlas.results.manifest.model}", here))
    columns = [asked.head, "trainings", *(f"{WORDS[name]}, {unit(name)}" for name in numbers)]
    return f"{table(columns, rows)}\n\n{rule(found)} The page {link} has more."


def _row(found: Variants, at: int, numbers: Sequence[str], asked: Question) -> Cells:
    settings = {key: value for key, value in found.every(at).items() if key in asked.settings}
    told = (found.told(name, at) for name in numbers)
    cells = (f"{written(one.number)}{one.words and f', {one.words}'}" if one else "-" for one in told)
    return asked.row(settings), str(len(found.trainings[at])), *cells


KINDS: Mapping[str, tuple[str, str]] = {"next_sentence": ("with next-sentence prediction", "without it")}
"""Setting -> the names of trainings with and without it."""
NONE = "-"
UNTUNED = "No two kinds of our trainings that differ in this alone were fine-tuned."
RULE = (
    "The difference counts, and is called more or less, where its interval leaves out 0 and it is greater, up or down, "
    "than the greatest between two trainings of one kind; intervals draw examples and the seeds of fine-tuning. "
    "A task that not all trainings learned is left open."
)


def tuned(context: Context, setting: str, /) -> str:
    """A table of what trainings with and without a setting, such as next_sentence, score when they are fine-tuned, and
    how to read it; one sentence without any.
    """
    if setting not in KINDS:
        raise SiteError(f"Expected one of {', '.join(KINDS)} as a setting, found {setting!r}; correct the page.")
    found = [
        (atlas, tasks)
        for atlas in context.atlases
        if (tasks := [one for one in tuned_on(atlas) if one.differs_in == setting])
    ]
    if not found:
        return UNTUNED
    tables = []
    for _, tasks in found:
        alike: dict[tuple[tuple[str, ...], ...], list[Tuned]] = {}
        for one in tasks:
            alike.setdefault(one.trainings, []).append(one)
        tables += [_scores(same, setting) for same in alike.values()]
    return "\n\n".join([*tables, RULE])


def _scores(tasks: Sequence[Tuned], setting: str) -> str:
    """A table of tasks on which the same trainings were fine-tuned."""
    first = tasks[0]
    rows: list[Cells] = []
    for at, names in enumerate(first.trainings):
        kind = KINDS[setting][0 if first.every(at)[setting] else 1]
        rows.append((kind, str(len(names)), *(_score(one, at) for one in tasks)))
    rows += [
        ("the second minus the first", NONE, *(_change(one) for one in tasks)),
        ("greatest difference of one kind", NONE, *(_plain(one, one.facts.get("score.apart")) for one in tasks)),
        ("always the commonest answer", NONE, *(_commonest(one) for one in tasks)),
    ]
    return table(["trained", "trainings", *(one.title for one in tasks)], rows)


def _score(found: Tuned, at: int) -> str:
    return written(found.told(at).number) if found.learned else "not learned"


def _change(found: Tuned) -> str:
    told = found.told(1)
    if not found.learned or told.change is None:
        return NONE
    return f"{written(told.change, signed=True)}{told.words and f', {told.words}'}"


def _plain(found: Tuned, row: Row | None) -> str:
    return number(row["value"]) if found.learned and row is not None else NONE


def _commonest(found: Tuned) -> str:
    return "0" if found.majority is None else number(found.majority.value)


WRITTEN = Written({"tuned": tuned, "variants": variants})
