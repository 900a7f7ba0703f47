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
from generator.progress import Report
from generator.results.examples import EXAMPLES, example_table
from generator.results.manifest import CorpusRecord
from generator.results.tables import TABLES
from generator.studies.procedure import Need, Procedure, Subject
from generator.survey.empty import tell_empty
from generator.survey.inputs import Readable, check_inputs, make_inputs, pair_maker
from generator.survey.passes import Pass, pass_over_text, pass_over_words, tokens_of_text, tokens_of_words
from generator.survey.room import check_room
from generator.survey.rows import Rows, join, one_table
from generator.survey.task import OF_WORDS, Given, Task, can_be_made, carry_out

if TYPE_CHECKING:  # a change of a head makes only the studies stale that are given it
    from generator.models.answering import Answering
    from generator.models.masked_lm import MaskedLM

HEADS = {Need.MASKED_LM: "masked-LM head", Need.ANSWERS: "head for answers"}
"""Need -> what a model has that meets it."""


@dataclass(frozen=True)
class Reused:
    """What an earlier survey of the same corpora found for studies that need not be made again."""

    rows: Rows
    corpora: tuple[CorpusRecord, ...]


NOTHING = Reused({}, ())


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
        if masked_lm:  # set to the hook even if no study asks for it: its own attention would form maps in vain
            given[Need.MASKED_LM] = masked_lm, examine(masked_lm.encoder)
        if answering:
            given[Need.ANSWERS] = (answering,)
        self._given = given
        self._maker = pair_maker(encoder, settings, report)
        self._options = Options(settings.entropy_smoothing, settings.segment_ids, say=report.note)

    def survey(
        self, corpora: Corpora, studies: Sequence[Procedure], kept: Reused = NOTHING, finished: Finished | None = None
    ) -> Survey:
        """Make these studies, in their order. While others are left, `finished` is given what was found on all corpora
        of one name.

        Before anything is observed, raises CorpusError if a corpus gives no input or its numbers would not fit into
        memory, ModelError if the tokenizer does not know most of it. Rows and counts of studies that need not be made
        again are taken from `kept`.
        """
        known = {(record.name, record.kind): record.counts for record in kept.corpora}
        missing = [
            [study for study in studies if study.reads == corpus.kind and (study.study, corpus.name) not in kept.rows]
            for corpus in corpora.all
        ]
        chosen = [[procedure for procedure in some if can_be_made(procedure, self._given)] for some in missing]
        for corpus, some in zip(corpora.all, chosen, strict=True):
            if some:
                check_room(corpus, self._anatomy.layers * self._anatomy.heads, some)
        made = [
            make_inputs(corpus, self._maker, self._report) if some else None
            for corpus, some in zip(corpora.all, chosen, strict=True)
        ]
        # All before the first is read: what is wrong with the last one should not be found after hours.
        for ready in filter(None, made):
            check_inputs(ready, self._encoder)
        for corpus, some, can in zip(corpora.all, missing, chosen, strict=True):
            self._tell_left_out(corpus.name, [procedure for procedure in some if procedure not in can])
        rows: Rows = dict(kept.rows)
        read = [(readable, some) for readable, some in zip(made, chosen, strict=True) if readable]
        names = [readable.corpus.name for readable, _ in read]

        def then(at: int) -> None:
            corpus = read[at][0].corpus
            known[corpus.name, corpus.kind] = read[at][0].counts
            # Once nothing of its name is left; what follows the last corpus is the whole, which the caller gets anyway.
            if finished and names[at + 1 :] and corpus.name not in names[at + 1 :]:
                finished(corpus.name, self._seen(corpora.named(corpus.name), studies, rows, known))

        with beside(self._encoder.device), computing(PRECISION, self._encoder.device):  # set once for all lanes
            carry_out([self._task(*reading, rows) for reading in read], rows, self._report, then)
        whole = self._seen(corpora, studies, rows, known)
        tell_empty(whole.tables, whole.corpora, studies, self._report)
        return whole

    def _seen(self, corpora: Corpora, studies: Sequence[Procedure], rows: Rows, known: Mapping[Any, Any]) -> Survey:
        """What was found on these corpora."""
        tables = join(rows, studies, list(dict.fromkeys(corpus.name for corpus in corpora.all)))
        records = tuple(CorpusRecord.of(corpus, known.get((corpus.name, corpus.kind), {})) for corpus in corpora.all)
        sinks = sorted(set(tables["documents"]["sink.token"])) if "documents" in tables else []
        names = self._encoder.tokenizer.convert_ids_to_tokens(sinks)
        return Survey(tables, records, {str(at): str(name) for at, name in zip(sinks, names, strict=True)})

    def _tell_left_out(self, corpus: str, studies: Sequence[Procedure]) -> None:
        """Report which studies of a corpus are not made, and which head they would need."""
        for need, head in HEADS.items():
            names = [study.study for study in studies if need in study.needs]
            if names:
                self._report.note(f"{self._encoder.id} has no {head}; left out on {corpus}: {', '.join(names)}.")

    def _task(self, readable: Readable, studies: Sequence[Procedure], rows: Rows) -> Task:
        """What studies are to make of one corpus, whose tables are added to `rows`."""
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
        cost = OF_WORDS if corpus.kind.form is Form.WORDS else 1
        return Task(studies, subject=subject, given=self._given, reading=reading, lanes=lanes, cost=cost)

    def _examples(self) -> pd.DataFrame:
        texts = {str(number): text for number, text in enumerate(EXAMPLES, start=1)}
        inputs = [self._maker.sentence(name, text) for name, text in texts.items()]
        seen = list(observe(self._encoder, self._anatomy, inputs, replace(self._options, keep_weights=True)))
        tokens = {item.document: self._encoder.tokenizer.convert_ids_to_tokens(list(item.input_ids)) for item in inputs}
        return example_table(seen, texts, tokens)


def made_of(rows: Rows, corpus: str, name: str) -> pd.DataFrame:
    """The rows that a table has for one corpus so far; none if no study has made any."""
    # A copy of the entries, because other lanes add theirs meanwhile.
    parts = [found[name] for (_, of), found in [*rows.items()] if of == corpus and name in found]
    return one_table(parts) if parts else TABLES[name].empty_table().to_pandas()
