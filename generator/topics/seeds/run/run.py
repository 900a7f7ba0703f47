"""The command `seeds`: compares several trainings of one recipe and writes a results folder beside that of a model."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from generator.attention.anatomy import examine
from generator.config import ModelChoice
from generator.corpora.files import TEXT
from generator.corpora.kind import Corpus
from generator.corpora.opening import open_corpora
from generator.corpora.pairs import Document
from generator.corpora.treebank import TREEBANK, Sentence, treebank_inputs
from generator.errors import CorpusError
from generator.experiments.reading import Reading
from generator.experiments.record import store
from generator.lock import alone
from generator.models.encoder import Encoder
from generator.models.load import choose_device, load
from generator.models.names import slug
from generator.models.source import locate
from generator.models.twin import random_twin
from generator.progress import Report, in_parts, reporting_to
from generator.results.manifest import CorpusRecord
from generator.results.writing import check_free, prepare
from generator.studies.fact_rows import facts
from generator.topics.compare.run.models import check_inputs
from generator.topics.learning.records.runs import HELD_OUT_TEXT
from generator.topics.relations.compute.reading import read_predictions
from generator.topics.seeds.records import SEEDS
from generator.topics.seeds.run.maps import Twins, check_halves, find_twins, map_facts, measure_facts, read
from generator.topics.seeds.run.relations import relation_tables
from generator.topics.seeds.run.trainings import Training, check_shape, check_trainings, log_facts

Tables = dict[str, list[pd.DataFrame]]


def run_seeds(
    trainings: Sequence[str], of: ModelChoice | None, reading: Reading, results: Path, report: Report
) -> Path:
    """Compare trainings and store which heads come back, for the pages of the model `of`, or else the first training.

    Raises FieldguideError.
    """
    prepare(results)
    found = [Training.find(place) for place in trainings]
    check_trainings(found)
    source = locate(of.id, of.revision, of.name or "") if of else found[0].source
    opened = open_corpora(reading.corpora)
    text, banks = _one_text(opened.of(TEXT)), opened.of(TREEBANK)
    check_free(results, source.title, source.sha256, SEEDS.name)
    with alone(results / f"{slug(source.title)}@{SEEDS.name}", report.note, beside=True):
        place = choose_device(reading.device)
        encoders = [load(training.source, place) for training in found]
        home = load(source, place) if of else encoders[0]
        check_shape([*encoders, home])
        reading = replace(reading, max_tokens=min(reading.max_tokens, *(encoder.positions for encoder in encoders)))
        sizes = [sum(len(line.split()) for item in text.items for line in item.paragraphs)]
        sizes += [sum(len(item.words) for item in bank.items) for bank in banks]
        with in_parts(report, f"{len(encoders)} trainings read", sizes) as parts:
            twins, tables = _of_text(encoders, text, source.title, reading, next(parts))
            for part, bank in zip(parts, banks, strict=True):
                more = _of_treebank(encoders, bank=bank, twins=twins, model=source.title, reading=reading, report=part)
                tables = {name: [*tables.get(name, []), *more.get(name, [])] for name in {*tables, *more}}
        logged = log_facts([training.run for training in found])
        tables["facts"] += [facts(logged, SEEDS, source.title, HELD_OUT_TEXT)] if logged else []
        first, *others = (training.source.id for training in found)
        words = [*others, *(["--of", of.id] if of else [])]
        return store(
            *(results, source, home, SEEDS.name),
            read=[CorpusRecord.of(corpus) for corpus in (text, *banks)],
            settings=reading.settings | {"trainings": [training.said for training in found], "text": text.name},
            command=reading.command("seeds", replace(of, id=first) if of else ModelChoice(first), *words),
            tables=tables,
        )


def _one_text(texts: Sequence[Corpus[Document]]) -> Corpus[Document]:
    """The only text. Raises CorpusError if there is none or more than one."""
    if len(texts) != 1:
        names = ", ".join(text.name for text in texts) or "none"
        raise CorpusError(f"Expected one running text for trainings to read, found {names}; name one with --corpus.")
    return texts[0]


def _of_text(
    encoders: Sequence[Encoder], text: Corpus[Document], model: str, reading: Reading, report: Report
) -> tuple[Twins, Tables]:
    """The twins of every two trainings, and rows of `facts` about twins and measures."""
    inputs = reading.text_inputs([text], encoders[0])
    for encoder in encoders[1:]:
        check_inputs(encoders[0], encoder, inputs)
    check_halves(text, reading.seed)
    tokens = (len(encoders) + 1) * sum(map(len, inputs[text.name]))
    with report.bar(f"{len(encoders)} trainings read {text.name}", tokens) as advance, reporting_to(advance):
        seen = read(encoders, inputs[text.name], reading.seed)
    twins = find_twins(seen, reading.seed)
    whole, by_layer = map_facts(seen, twins, reading.seed)
    whole |= measure_facts(seen, twins, reading.seed)
    return twins, {"facts": [facts(numbers, SEEDS, model, text.name) for numbers in (whole, by_layer)]}


def _of_treebank(
    encoders: Sequence[Encoder], bank: Corpus[Sentence], twins: Twins, model: str, reading: Reading, report: Report
) -> Tables:
    """Rows of `facts` and `head_facts` about relations, with a model of random weights as reference."""
    sentences = treebank_inputs(bank, reading.maker(encoders[0]))
    everyone: list[Any] = [*encoders, random_twin(encoders[0], reading.seed)]
    tokens = len(everyone) * sum(len(item.input) for _, item in sentences.values())
    with report.bar(f"{len(encoders)} trainings read {bank.name}", tokens) as advance, reporting_to(advance):
        *found, random = (read_predictions(encoder, examine(encoder), sentences) for encoder in everyone)
    return relation_tables(found, random=random, twins=twins, model=model, corpus=bank.name, seed=reading.seed)
