"""Measures saved maps: all studies that need only weights and tokens, and those of words that a treebank annotates."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import pandas as pd

from generator.attention.observed import Observed
from generator.attention.saved import SavedMaps
from generator.config import Analysis
from generator.corpora.files import TEXT
from generator.corpora.formats.raw import Sieve
from generator.corpora.kind import Corpus, Form, Kind
from generator.corpora.pairs import WordInput
from generator.errors import CorpusError
from generator.progress import Report
from generator.results.examples import EXAMPLES, example_table
from generator.results.manifest import CorpusRecord
from generator.studies.procedure import Need, Procedure, SeenWords, Subject, Watcher
from generator.survey.empty import tell_empty
from generator.survey.engine import Survey, made_of
from generator.survey.inputs import left_out
from generator.survey.passes import Pass, Readings
from generator.survey.rows import Rows, join
from generator.survey.spelling import spell
from generator.survey.task import Given, Task, can_be_made, carry_out

GIVEN: Given = {Need.SUMS: (), Need.MAPS: ()}


def survey_maps(
    name: str,
    maps: SavedMaps,
    annotated: Sequence[Corpus[Any]],
    settings: Analysis,
    studies: Sequence[Procedure],
    report: Report,
) -> Survey:
    """Make those of the studies that saved maps allow: of their tokens, and of the words that corpora annotate.

    A sentence annotates the document of the same name. The shortest documents serve as examples. Raises CorpusError
    where no sentence of a corpus has maps, or where tokens spell other words.
    """
    rows: Rows = {}
    tasks: list[Task] = []
    inputs = {item.document: item for item in maps.inputs}
    tokens = {document: [maps.vocabulary[at] for at in item.input_ids] for document, item in inputs.items()}

    def add(kind: Kind, corpus: str, given: Any, seen_as: Callable[[Observed], Any]) -> None:
        shown = [study for study in studies if study.reads == kind and can_be_made(study, GIVEN)]

        wanted = [item for item in maps.inputs if kind.form is Form.TEXT or item.document in given]

        def show(watchers: Sequence[Watcher]) -> None:
            for observed in maps.observe(settings.entropy_smoothing, wanted):
                seen = seen_as(observed)
                for watcher in watchers:
                    watcher.add(seen)

        subject = Subject(
            model=name,
            corpus=corpus,
            shape=maps.shape,
            inputs=given,
            seed=settings.seed,
            pieces=lambda ids: [maps.vocabulary[at] for at in ids],
            table=lambda table: made_of(rows, corpus, table),
            examples=lambda: _examples(maps, tokens, settings.entropy_smoothing),
            told_segments=True,
            settings=asdict(settings),
        )
        reading = Pass(lambda _: sum(map(len, wanted)), lambda some: Readings([partial(show, some)]))
        tasks.append(Task(shown, subject, GIVEN, reading))

    add(TEXT, maps.name, maps.inputs, lambda observed: observed)
    counts = {"documents": len(inputs), "inputs": len(inputs), "tokens": sum(map(len, inputs.values()))}
    records = [CorpusRecord(maps.name, TEXT, maps.sha256, counts=counts | {"split": 0, "short": 0})]
    for corpus in annotated:
        words, sieve = dict[str, tuple[Any, WordInput]](), Sieve(settings.skip_bad)
        kind, spelled = corpus.kind, corpus.kind.words
        assert spelled, "only corpora of words annotate maps"
        for sentence in (item for item in corpus.items if item.id in inputs):
            with sieve.one():
                words[sentence.id] = (sentence, spell(inputs[sentence.id], tokens[sentence.id], spelled(sentence)))
        if not words:
            here = corpus.items[0].id
            raise CorpusError(
                f"Expected sentences named like the documents of {maps.name} in {corpus.name}, found "
                f"{sieve.none if sieve.bad else f'{here!r} and no {maps.inputs[0].document!r}'}; name them alike with "
                "# sent_id, and give the words of its tokens."
            )
        add(kind, corpus.name, words, partial(_seen_words, words))
        whole = replace(corpus, bad=(*corpus.bad, *sieve.bad))
        records.append(CorpusRecord.of(corpus, kind.counts(corpus, words) | left_out(whole, report)))
    carry_out(tasks, rows, report)
    tables = join(rows, studies, [record.name for record in records])
    tell_empty(tables, records, studies, report)
    sinks = sorted(set(tables["documents"]["sink.token"]))
    return Survey(tables, tuple(records), {str(at): maps.vocabulary[at] for at in sinks})


def _seen_words(words: Mapping[str, tuple[Any, WordInput]], seen: Observed) -> SeenWords:
    sentence, item = words[seen.input.document]
    return SeenWords(sentence, item, seen)


def _examples(maps: SavedMaps, tokens: Mapping[str, list[str]], smoothing: float) -> pd.DataFrame:
    shortest = sorted(maps.inputs, key=lambda item: (len(item), item.document))[: len(EXAMPLES)]
    texts = {item.document: " ".join(tokens[item.document]) for item in shortest}
    return example_table(list(maps.observe(smoothing, shortest)), texts, tokens)
