"""What studies are to make of a corpus, carried out in as many lanes as there are, under one bar for all corpora."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from generator.numbers.writing import listed
from generator.progress import Advance, Report, costing, reporting_as, reporting_to
from generator.studies.procedure import Need, Procedure, Subject, Watcher
from generator.survey.lanes import Work, in_lanes, longest_first
from generator.survey.passes import Drawn, Pass, Readings, TwinReading
from generator.survey.rows import Rows, gathered
from generator.survey.twins import Twins, called, together, work_of

Given = dict[Need, tuple[Any, ...]]
"""Need that can be met -> the arguments that functions get for it."""
LEAST = 50
"""When the time that is left is estimated, a study counts as at least one part in so many of the pass, because a study
that reads nothing again takes time, too. A choice, not a measurement."""
OF_WORDS = 5
"""How long a token of a corpus with annotated words takes, compared with one of running text: its whole map is kept and
added up by word. On one core it was 5.4 with small-bert and 4.4 with medium-bert."""


def can_be_made(study: Procedure, given: Given) -> bool:
    """Whether some part of the study has what it needs, so that the study can be made at least in part."""
    return bool(study.watch and study.watches in given) or any(part.need in given for part in study.parts)


@dataclass(frozen=True)
class Task:
    """What studies are to make of one corpus."""

    studies: Sequence[Procedure]
    subject: Subject
    given: Given
    reading: Pass
    lanes: int = 1
    cost: int = 1
    """How long a token takes, compared with one of running text."""

    @cached_property
    def watchers(self) -> dict[str, Watcher]:
        """Study -> what watches the pass for it."""
        found = [study for study in self.studies if study.watch and study.watches in self.given]
        return {
            procedure.study: procedure.watch(self.subject.of(procedure), *self.given[procedure.watches])
            for procedure in found
            if procedure.watch
        }

    @cached_property
    def tokens(self) -> int:
        """How many tokens are read in the pass."""
        return self.reading.tokens(list(self.watchers.values())) if self.watchers else 0

    @cached_property
    def sizes(self) -> dict[str, int]:
        """Study -> how many tokens it counts for once the pass is over."""
        return {study.study: max(study.again(self.subject), self.tokens // LEAST, 1) for study in self.studies}

    @property
    def size(self) -> int:
        """About how long it takes, in tokens of running text."""
        return self.cost * (self.tokens + sum(self.sizes.values()))

    @property
    def twins(self) -> Twins:
        """What twins read of the corpus; it tells progress by what a token of it takes."""
        watchers = list(self.watchers.values())
        found = self.reading.readings(watchers).by_twins if watchers else ()
        return {twin.number: twin._replace(read=partial(self._costing, twin.read)) for twin in found}

    def _costing(self, read: Callable[[Drawn], None], drawn: Drawn) -> None:
        with costing(self.cost):
            read(drawn)

    def carry_out(self, rows: Rows, report: Report, advance: Advance, twins: Iterable[TwinReading]) -> None:
        """Add to `rows` the tables that studies make, and call `advance` with what is done.

        In the pass all of the corpus is shown to all watchers; `twins` are those that have not read it yet. A study
        makes its tables when the readings that it watches and the studies whose tables it reads are done; with several
        lanes, beside other work. A part that needs more memory than there is gets left out, and the report says so.
        """
        subject, given, lanes, watchers = self.subject, self.given, self.lanes, self.watchers
        watching = [study for study in self.studies if study.study in watchers]

        def read(read_all: Callable[[], None], advance: Advance) -> None:
            with reporting_to(advance), costing(self.cost):
                read_all()

        def make(one: Procedure, advance: Advance) -> None:
            # Taken out, so that what a watcher gathered goes with its tables.
            steps = [(watchers.pop(one.study).tables, "")] if one.study in watchers else []
            steps += [
                (partial(part.function, subject.of(one), *given[part.need]), part.note)
                for part in one.parts
                if part.need in given
            ]
            with reporting_as(self.cost * self.sizes[one.study], advance), costing(self.cost):
                rows[one.study, subject.corpus] = gathered(one.study, steps, subject, report)

        found = self.reading.readings(list(watchers.values())) if watchers else Readings(())
        model = {f"model {number}": partial(read, reading) for number, reading in enumerate(found.by_model)}
        of_twins, after = work_of(twins, lanes)
        after |= {study.study: [*study.after] for study in self.studies}
        for procedure in watching:
            after[procedure.study] += [*model, *map(called, range(watchers[procedure.study].twins))]
        readings: Work = {**model, **of_twins}
        every: Work = {**readings, **{study.study: partial(make, study) for study in self.studies}}
        order = longest_first({**dict.fromkeys(readings, self.tokens // max(len(readings), 1)), **self.sizes}, after)
        work: Work = {name: every[name] for name in order}
        del found, model, of_twins, twins, readings, every  # each reading holds all watchers
        in_lanes(work, after, lanes, advance)


def carry_out(tasks: Sequence[Task], rows: Rows, report: Report, then: Callable[[int], None] = lambda _: None) -> None:
    """Carry out tasks of one model in their order; after each, `then` is called with its place.

    One bar counts the tokens of all passes and what studies read again, so that at any time the report can tell how
    long all of it will take.
    """
    if not tasks:
        return
    corpora = listed(list(dict.fromkeys(task.subject.corpus for task in tasks)))
    with report.bar(f"{tasks[0].subject.model} on {corpora}", sum(task.size for task in tasks)) as advance:
        twins = [task.twins for task in tasks]
        for at, task in enumerate(tasks):
            task.carry_out(rows, report, advance, together(twins.pop(0), twins))
            then(at)
