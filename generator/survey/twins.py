"""Untrained twins of an analysis: each is drawn once, and reads all corpora that it has to read while it is held."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from generator.progress import Advance, reporting_to
from generator.survey.lanes import Work
from generator.survey.passes import Drawn, TwinReading

Twins = dict[int, TwinReading]
"""Number of a draw -> what the twin reads of a corpus."""


class TwinWork(NamedTuple):
    """Pieces of work, and what each waits for."""

    work: Work
    after: dict[str, list[str]]


def together(own: Twins, later: Iterable[Twins]) -> Iterator[TwinReading]:
    """The twins that read a corpus, each with what the same twin reads of later corpora; from there it is taken out."""
    later = list(later)
    for number, twin in own.items():
        same = [some for some in later if number in some and some[number].drawn_by == twin.drawn_by]
        yield twin._replace(read=partial(_read_all, [twin.read, *(some.pop(number).read for some in same)]))


def called(number: int) -> str:
    """What the reading of a twin is called among pieces of work."""
    return f"twin {number}"


def work_of(twins: Iterable[TwinReading], lanes: int) -> TwinWork:
    """The work of twins, which are drawn one by one, and of which no more are held than there are lanes.

    With one lane a twin is drawn when it reads, so that it is not held while anything else is done.
    """
    found, drawn, names = TwinWork({}, {}), dict[int, Drawn](), list[int]()
    for twin in twins:
        number, at = twin.number, len(names)
        names.append(number)
        if lanes == 1:
            found.work[called(number)] = partial(_drawn_and_read, twin)
            continue
        found.work[f"draw {number}"] = partial(_draw, twin, drawn)
        found.work[called(number)] = partial(_read, twin, drawn)
        before = [f"draw {names[at - 1]}"] if at else []
        found.after[f"draw {number}"] = before + ([called(names[at - lanes])] if at >= lanes else [])
        found.after[called(number)] = [f"draw {number}"]
    return found


def _read_all(readings: Iterable[Callable[[Drawn], None]], drawn: Drawn) -> None:
    for read in readings:
        read(drawn)


def _drawn_and_read(twin: TwinReading, advance: Advance) -> None:
    with reporting_to(advance):
        twin.read(twin.draw())


def _draw(twin: TwinReading, drawn: dict[int, Drawn], advance: Advance) -> None:
    with reporting_to(advance):
        drawn[twin.number] = twin.draw()


def _read(twin: TwinReading, drawn: dict[int, Drawn], advance: Advance) -> None:
    with reporting_to(advance):
        twin.read(drawn.pop(twin.number))
