"""The command `compare`: compares two models and writes a results folder beside the first one's own."""

from dataclasses import replace
from pathlib import Path

from generator.config import ModelChoice
from generator.corpora.files import TEXT
from generator.corpora.kind import Corpora
from generator.corpora.opening import open_corpora
from generator.corpora.treebank import TREEBANK
from generator.errors import ResultsError, SettingsError
from generator.experiments.reading import Reading
from generator.experiments.record import of_task, store
from generator.lock import alone
from generator.models.load import choose_device, load
from generator.models.names import slug
from generator.models.source import Source, locate
from generator.progress import Report, in_parts, reporting_to
from generator.results.manifest import CorpusRecord, Manifest
from generator.results.writing import check_free, prepare
from generator.studies.fact_rows import facts
from generator.topics.compare.records.names import study
from generator.topics.compare.run.models import compare
from generator.topics.compare.run.treebank import compare_treebank
from generator.topics.tasks.run.finetune.leads import score_of


def run_compare(first: ModelChoice, second: ModelChoice, reading: Reading, results: Path, report: Report) -> Path:
    """Set a second model beside the first on the same texts, treebanks and examples. Raises FieldguideError."""
    prepare(results)
    source, other = (
        locate(model_choice.id, model_choice.revision, model_choice.name or "") for model_choice in (first, second)
    )
    if slug(other.title) == slug(source.title) and other.sha256 != source.sha256:
        raise SettingsError(
            f"Expected two models of different names, found {source.title!r} twice; name one with --name."
        )
    opened = open_corpora(reading.corpora) if reading.corpora else Corpora()
    names = [*opened.checksums, *([reading.task] if reading.task else [])]
    experiment = ".".join(["compare", slug(other.title), *map(slug, names)])
    folder = results / f"{slug(source.title)}@{experiment}"
    with alone(folder, report.note, beside=True):
        check_free(results, source.title, source.sha256, experiment, "--model-name")
        _check_free(folder, other)
        place = choose_device(reading.device)
        a, b = load(source, place), load(other, place)
        reading = replace(reading, max_tokens=min(reading.max_tokens, a.positions, b.positions))
        seed = reading.seed
        texts, banks = opened.of(TEXT), opened.of(TREEBANK)
        inputs = reading.text_inputs(texts, a)
        read = [CorpusRecord.of(corpus) for corpus in (*texts, *banks)]
        if reading.task:
            dev = reading.examples("dev")
            inputs[reading.task] = reading.task_inputs(dev, a)
            read.append(of_task(dev))
        tokens = sum(len(item) for items in inputs.values() for item in items)
        words = [sum(len(item.words) for item in bank.items) for bank in banks]
        with in_parts(report, f"{a.id} beside {b.id}", [tokens, *words]) as parts:
            with next(parts).bar("all texts", 2 * tokens) as advance, reporting_to(advance):
                tables = compare(a, b, inputs, seed, [bank.name for bank in banks])
            if reading.task:
                scores = score_of(other, dev, reading.max_tokens, seed, place)
                tables["facts"] += [facts(scores, study(other.title), a.id, reading.task)] if scores else []
            for part, bank in zip(parts, banks, strict=True):
                found = compare_treebank(a, b=b, treebank=bank, maker=reading.maker(a), seed=seed, report=part)
                tables = {name: [*tables.get(name, []), *found.get(name, [])] for name in {*tables, *found}}
        return store(
            *(results, source, a, experiment),
            read=read,
            settings=reading.settings | {"beside": other.title, "beside_weights": other.sha256},
            command=reading.command(
                "compare", first, other.id, *second.options("--other-revision"), name="--model-name"
            ),
            tables=tables,
        )


def _check_free(folder: Path, other: Source) -> None:
    """Raises ResultsError if the folder holds a comparison with another model of the same name."""
    there = Manifest.read(folder) if folder.is_dir() else None
    if there and there.settings.get("beside_weights") != other.sha256:
        raise ResultsError(
            f"Expected a comparison with the same {other.title} in {folder}, found one with other weights; "
            "choose another name with --name, or delete the folder."
        )
