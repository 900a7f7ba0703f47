"""The command `disable`: scores a checkpoint without each of its heads and stores that beside the model's results."""

from pathlib import Path
from typing import NamedTuple

from generator.attention.anatomy import examine
from generator.config import ModelChoice
from generator.corpora.files import TEXT
from generator.corpora.opening import open_corpora
from generator.errors import CorpusError, ModelError
from generator.experiments.reading import Reading
from generator.experiments.record import of_task, store
from generator.lock import alone
from generator.models.classifier import load_classifier
from generator.models.encoder import Encoder
from generator.models.load import choose_device
from generator.models.masked_lm import load_masked_lm
from generator.models.names import slug
from generator.models.source import Source, locate
from generator.progress import Report, reporting_to
from generator.results.manifest import CorpusRecord
from generator.results.writing import check_free, prepare
from generator.topics.tasks.run.disable.examples import Examples, LabelledExamples, MaskedExamples, halves_of
from generator.topics.tasks.run.disable.pruning import pruning, tokens_read
from generator.topics.tasks.run.disable.study import disabling
from generator.topics.tasks.run.disable.sweep import passes
from generator.topics.tasks.run.finetune.run import tuned_copy


def run_disable(choice: ModelChoice, reading: Reading, out: Path, results: Path, report: Report) -> Path:
    """Disable every head and layer of a checkpoint and store the changes.

    With a task, the checkpoint is the copy that `run_finetune` trained with the first seed and left in `out`, or the
    model itself if there is none. Without a task, the score is the model's masked-LM loss on a text. Raises
    FieldguideError.
    """
    prepare(results)
    source = locate(choice.id, choice.revision, choice.name or "")
    check_free(results, source.title, source.sha256)
    found = _labelled(source, reading, out) if reading.task else _masked(source, reading)
    check_free(results, source.title, source.sha256, found.experiment)
    with alone(results / f"{slug(source.title)}@{found.experiment}", report.note, beside=True):
        anatomy = examine(found.body)
        tokens = passes(anatomy) * sum(map(len, found.examples.inputs))
        tokens += tokens_read(found.shown, found.scored, anatomy)
        with report.bar(f"disabling heads on {found.record.name}", tokens) as advance, reporting_to(advance):
            tables = pruning(found.shown, found.scored, anatomy, source.title, reading.seed)
            more = disabling(found.examples, anatomy, source.title, reading.seed)
        return store(
            *(results, source, found.body, found.experiment),
            read=[found.record],
            settings=reading.settings,
            command=reading.command("disable", choice),
            tables={name: [*parts, *tables.get(name, [])] for name, parts in more.items()},
        )


class _Found(NamedTuple):
    """The model, and the examples on which it is scored."""

    experiment: str
    record: CorpusRecord
    body: Encoder
    """The encoder without its head; its output is hidden states."""
    examples: Examples
    """All examples, on which single heads and layers are disabled."""
    shown: Examples
    """The examples on which the importance of heads is measured; the least important are pruned first."""
    scored: Examples
    """The examples on which the pruned model is scored."""


def _labelled(source: Source, reading: Reading, out: Path) -> _Found:
    dev, train = reading.examples("dev"), reading.examples("train")
    classifier = load_classifier(tuned_copy(source, dev.task, out), choose_device(reading.device))
    examples, shown = (LabelledExamples(classifier, texts, reading.max_tokens) for texts in (dev, train))
    return _Found(
        f"disable.{reading.task}",
        record=of_task(dev),
        body=classifier.body,
        examples=examples,
        shown=shown,
        scored=examples,
    )


def _masked(source: Source, reading: Reading) -> _Found:
    masked_lm = load_masked_lm(source, choose_device(reading.device))
    if masked_lm is None:
        raise ModelError(f"Expected {source.title} to have a masked-LM head, found none; name a task with --task.")
    texts = open_corpora(reading.corpora).of(TEXT)
    if len(texts) != 1:
        found_texts = ", ".join(text.name for text in texts) or "none"
        raise CorpusError(f"Expected one text to disable heads on, found {found_texts}; name one with --corpus.")
    (text,) = texts
    inputs = reading.text_inputs(texts, masked_lm.encoder)[text.name]
    examples = MaskedExamples(masked_lm, inputs, text.name, reading.seed)
    halves = halves_of(masked_lm, inputs, text.name, reading.seed)
    record, name = CorpusRecord.of(text), f"disable.text.{slug(text.name)}"
    return _Found(name, record, masked_lm.encoder, examples, *halves)
