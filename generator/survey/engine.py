"""Shows one encoder its corpora, one kind after the other, and gives every study what it needs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from generator.attention.anatomy import Anatomy, examine
from generator.attention.stream import Options, observe
from generator.config import Analysis
from generator.corpora.kind import Corpora, Form
from generator.defaults import PRECISION
from generator.models.encoder import Encoder
from generator.models.precision import computing
from generator.models.threads import beside, lanes_for
from generator.progress import Advance, Report, told_as, told_to
from generator.results.examples import EXAMPLES, example_table
from generator.results.manifest import CorpusRecord
from generator.results.tables import TABLES
from generator.studies.procedure import Need, Procedure, Subject
from generator.survey.empty import tell_empty
from generator.survey.inputs import Readable, check_inputs, make_inputs, pair_maker
from generator.survey.lanes import Work, in_lanes, longest_first
from generator.survey.passes import Pass, Readings, pass_over_text, pass_over_words, tokens_of_text, tokens_of_words
from generator.survey.room import check_room
from generator.survey.rows import Rows, gathered, join, one_table

if TYPE_CHECKING:  # a change of a head makes only the studies stale that are given it
    from generator.models.answering import Answering
    from generator.models.masked_lm import MaskedLM

Given = dict[Need, tuple[Any, ...]]
"""Need that can be met -> the arguments that functions get for it."""


HEADS = {Need.MASKED_LM: "masked-LM head", Need.ANSWERS: "head for answers"}
"""Need -> what a model has that meets it."""
LEAST = 50
"""When the time that is left is estimated, a study counts as at least one part in so many of the pass, because a study
that reads nothing again takes time, too. A choice, not a measurement."""


@dataclass(frozen=True)
class Kept:
    """What an earlier survey of the same corpora found for studies that need not be made again."""

    rows: Rows
    corpora: tuple[CorpusRecord, ...]


NOTHING = Kept({}, ())


@dataclass(frozen=True)
class Survey:
    """The tables of one encoder, and what was read for them."""

    tables: dict[str, pd.DataFrame]
    corpora: tuple[CorpusRecord, ...]
    """The corpora with what was counted while they were read."""
    vocabulary: dict[str, str]
    """Vocabulary id -> token, for the tokens that were sinks."""


Finished = Callable[[str, Survey], None]
"""A function that is given the name of corpora and what was found on all of them."""


class Surveyor:
    """One encoder with its heads, and how it is to be observed."""

    def __init__(
        self,
        encoder: Encoder,
        anatomy: Anatomy,
        settings: Analysis,
        report: Report,
        masked_lm: "MaskedLM | None" = None,
        answering: "Answering | None" = None,
    ) -> None:
        self._encoder, self._anatomy, self._settings, self._report = encoder, anatomy, settings, report
        self._masked_lm = masked_lm
        given: Given = {Need.SUMS: (), Need.MAPS: (), Need.MODEL: (encoder, anatomy)}
        if masked_lm:  # set to the seam even if no study asks for it: its own attention would form maps in vain
            given[Need.MASKED_LM] = masked_lm, examine(masked_lm.encoder)
        if answering:
            given[Need.ANSWERS] = (answering,)
        self._given = given
        self._maker = pair_maker(encoder, settings, report)
        self._options = Options(settings.entropy_smoothing, settings.segment_ids, say=report.note)

    def survey(
        self, corpora: Corpora, studies: Sequence[Procedure], kept: Kept = NOTHING, finished: Finished | None = None
    ) -> Survey:
        """Make these studies, in their order. While others are left, `finished` is given what was found on all corpora
        of one name.

        Before anything is observed, raises CorpusError if a corpus gives no input or its numbers would not fit into
        memory, ModelError if the tokenizer does not know most of it. Rows and counts of studies that need not be made
        again are taken from `kept`.
        """
        known = {(one.name, one.kind): one.counts for one in kept.corpora}
        missing = [
            [one for one in studies if one.reads == corpus.kind and (one.study, corpus.name) not in kept.rows]
            for corpus in corpora.all
        ]
        chosen = [[one for one in some if can_be_made(one, self._given)] for some in missing]
        for corpus, some in zip(corpora.all, chosen, strict=True):
            if some:
                check_room(corpus, self._anatomy.layers * self._anatomy.heads, some)
        made = [
            make_inputs(one, self._maker, self._report) if some else None
            for one, some in zip(corpora.all, chosen, strict=True)
        ]
        for ready in filter(None, made):
            check_inputs(ready, self._encoder)
        for corpus, some, can in zip(corpora.all, missing, chosen, strict=True):
            self._tell_left_out(corpus.name, [one for one in some if one not in can])
        rows: Rows = dict(kept.rows)
        left = [one.corpus.name for one in made if one]
        for readable, some in zip(made, chosen, strict=True):
            if readable:
                name = left.pop(0)
                known[name, readable.corpus.kind] = readable.counts
                self._read(readable, some, rows)
                if finished and left and name not in left:
                    finished(name, self._seen(corpora.named(name), studies, rows, known))
        whole = self._seen(corpora, studies, rows, known)
        tell_empty(whole.tables, whole.corpora, studies, self._report)
        return whole

    def _seen(self, corpora: Corpora, studies: Sequence[Procedure], rows: Rows, known: Mapping[Any, Any]) -> Survey:
        """What was found on these corpora."""
        tables = join(rows, studies, list(dict.fromkeys(corpus.name for corpus in corpora.all)))
        records = tuple(CorpusRecord.of(one, known.get((one.name, one.kind), {})) for one in corpora.all)
        sinks = sorted(set(tables["documents"]["sink.token"])) if "documents" in tables else []
        names = self._encoder.tokenizer.convert_ids_to_tokens(sinks)
        return Survey(tables, records, {str(at): str(name) for at, name in zip(sinks, names, strict=True)})

    def _tell_left_out(self, corpus: str, studies: Sequence[Procedure]) -> None:
        """Report which studies of a corpus are not made, and which head they would need."""
        for need, head in HEADS.items():
            names = [one.study for one in studies if any(part.need is need for part in one.parts)]
            if names:
                self._report.note(f"{self._encoder.id} has no {head}; left out on {corpus}: {', '.join(names)}.")

    def _read(self, readable: Readable, studies: Sequence[Procedure], rows: Rows) -> None:
        corpus, encoder = readable.corpus, self._encoder
        subject = Subject(
            model=encoder.id,
            corpus=corpus.name,
            shape=(self._anatomy.layers, self._anatomy.heads),
            inputs=readable.inputs,
            seed=self._settings.seed,
            pieces=encoder.tokenizer.convert_ids_to_tokens,
            table=lambda name: made_of(rows, corpus.name, name),
            examples=self._examples,
            told_segments=encoder.segments and self._settings.segment_ids,
            masked_lm=self._masked_lm,
            device=str(encoder.device),
            settings=asdict(self._settings),
        )

        read = encoder, self._anatomy, readable.inputs
        lanes = lanes_for(encoder, min(self._settings.max_tokens, encoder.positions))
        if corpus.kind.form is Form.TEXT:
            show = partial(pass_over_text, *read, self._options, subject.seed, lanes)
            reading = Pass(partial(tokens_of_text, readable.inputs), show)
        else:
            show = partial(pass_over_words, *read, subject.seed)
            reading = Pass(partial(tokens_of_words, readable.inputs), show)
        with beside(encoder.device), computing(PRECISION, encoder.device):  # set once for all lanes
            carry_out(studies, subject, self._given, reading, rows, self._report, lanes)

    def _examples(self) -> pd.DataFrame:
        texts = {str(number): text for number, text in enumerate(EXAMPLES, start=1)}
        inputs = [self._maker.sentence(name, text) for name, text in texts.items()]
        seen = list(observe(self._encoder, self._anatomy, inputs, replace(self._options, keep_weights=True)))
        tokens = {item.document: self._encoder.tokenizer.convert_ids_to_tokens(list(item.input_ids)) for item in inputs}
        return example_table(seen, texts, tokens)


def can_be_made(study: Procedure, given: Given) -> bool:
    """Whether some part of the study has what it needs, so that the study can be made at least in part."""
    return bool(study.watch and study.watches in given) or any(part.need in given for part in study.parts)


def carry_out(
    studies: Sequence[Procedure],
    subject: Subject,
    given: Given,
    reading: Pass,
    rows: Rows,
    report: Report,
    lanes: int = 1,
) -> None:
    """Add to `rows` the tables that studies make from one corpus.

    In the pass all of the corpus is shown to all watchers. A study makes its tables when the readings that it watches
    and the studies whose tables it reads are done; with several lanes, beside other work. A part that needs more memory
    than there is gets left out, and the report says so. One bar counts the tokens of the pass and what studies read
    again, so that at any time the report can tell how long all of it will take.
    """
    watching = [one for one in studies if one.watch and one.watches in given]
    watchers = {one.study: one.watch(subject.of(one), *given[one.watches]) for one in watching if one.watch}
    tokens = reading.tokens(list(watchers.values())) if watchers else 0
    sizes = {one.study: max(one.again(subject), tokens // LEAST, 1) for one in studies}

    def read(read_all: Callable[[], None], advance: Advance) -> None:
        with told_to(advance):
            read_all()

    def make(one: Procedure, advance: Advance) -> None:
        steps = [(watchers.pop(one.study).tables, "")] if one.study in watchers else []
        steps += [
            (partial(part.function, subject.of(one), *given[part.need]), part.note)
            for part in one.parts
            if part.need in given
        ]
        with told_as(sizes[one.study], advance):
            rows[one.study, subject.corpus] = gathered(one.study, steps, subject, report)

    found = reading.readings(list(watchers.values())) if watchers else Readings(())
    model = {f"model {number}": partial(read, one) for number, one in enumerate(found.by_model)}
    twins = {
        f"twin {at}": partial(read, one.whole if lanes == 1 else one.read) for at, one in enumerate(found.by_twins)
    }
    drawn = {f"draw {at}": partial(read, one.draw) for at, one in enumerate(found.by_twins) if lanes > 1}
    after = {one.study: [*one.after] for one in studies} | _of_twins(len(twins), lanes)
    for one in watching:
        after[one.study] += [*model, *[*twins][: watchers[one.study].twins]]
    readings: Work = {**model, **drawn, **twins}
    every: Work = {**readings, **{one.study: partial(make, one) for one in studies}}
    order = longest_first({**dict.fromkeys(readings, tokens // max(len(readings), 1)), **sizes}, after)
    work: Work = {name: every[name] for name in order}
    del found, model, drawn, twins, readings, every  # each reading holds all watchers
    with report.bar(f"{subject.model} on {subject.corpus}", tokens + sum(sizes.values())) as advance:
        in_lanes(work, after, lanes, advance)


def _of_twins(twins: int, lanes: int) -> dict[str, list[str]]:
    """What each twin waits for: they are drawn one by one, and no more are held than there are lanes."""
    drawn = {f"draw {at}": [f"draw {at - 1}", f"twin {at - lanes}"] for at in range(twins)}
    return drawn | {f"twin {at}": [f"draw {at}"] for at in range(twins)}


def made_of(rows: Rows, corpus: str, name: str) -> pd.DataFrame:
    """The rows that a table has for one corpus so far; none if no study has made any."""
    parts = [found[name] for (_, of), found in [*rows.items()] if of == corpus and name in found]
    return one_table(parts) if parts else TABLES[name].empty_table().to_pandas()
