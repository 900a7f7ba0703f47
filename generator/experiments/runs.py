"""The experiments of the command line: names and folders -> a results folder beside the model's own."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from generator.attention.anatomy import examine
from generator.config import ModelChoice
from generator.corpora.document import Corpus, Document
from generator.corpora.kinds import CorpusKind
from generator.corpora.opening import Corpora, open_corpora
from generator.corpora.pairs import Input, PairMaker
from generator.corpora.tasks import LabelledTexts, Task, find_task, read_task
from generator.defaults import Device
from generator.errors import CorpusError, ModelError, ResultsError
from generator.experiments.compare.models import compare
from generator.experiments.compare.names import study
from generator.experiments.compare.treebank import compare_treebank
from generator.experiments.disable.pruning import masked_pruning, pruning
from generator.experiments.disable.study import disabling, masked_disabling
from generator.experiments.disable.sweep import passes
from generator.experiments.finetune.leads import score_of
from generator.experiments.finetune.settings import Finetuning
from generator.experiments.finetune.table import score_table
from generator.experiments.finetune.train import finetune, seed_folder
from generator.experiments.record import of_task, store
from generator.models.classifier import load_classifier
from generator.models.encoder import Encoder, slug
from generator.models.load import choose_device, load
from generator.models.masked_lm import load_masked_lm
from generator.models.source import Source, locate
from generator.progress import Report
from generator.results.manifest import CorpusRecord, Manifest
from generator.results.store import prepare
from generator.studies.fact_rows import facts

IMPORTANCE_EXAMPLES = 512
"""Training examples on which the importance of heads is measured before they are zeroed in its order."""
DEV_EXAMPLES = 1000
"""At most so many are read when maps are compared and heads disabled (Kovaleva et al. 2019, section 3)."""


def run_finetune(
    choice: ModelChoice, settings: Finetuning, data: Path, out: Path, results: Path, report: Report
) -> Path:
    """Fine-tune what is not finished, and store the scores of all runs of this task. Raises FieldguideError."""
    prepare(results)
    source = locate(choice.id, choice.revision)
    runs = finetune(source, settings, data, out, report).parent
    task = find_task(settings.task)
    dev = read_task(task, data, "dev")
    encoder = load(source, choose_device(settings.device))
    seeds = {path.parent.name: len(list(path.parent.glob("seed-*"))) for path in sorted(runs.glob("*/run.json"))}
    kinds = {name: _run(runs / name, source) for name, finished in seeds.items() if finished}
    return store(
        *(results, source, encoder, examine(encoder), f"finetune.{task.name}"),
        read=[of_task(dev)],
        settings={name: run["settings"] for name, run in kinds.items()},
        command="\n".join(_finetune_command(choice, run["settings"], seeds[name]) for name, run in kinds.items()),
        tables={"facts": [score_table(source.id, task, runs, dev)]},
    )


def run_disable(
    choice: ModelChoice,
    task: str | None,
    corpora: Sequence[str],
    data: Path,
    out: Path,
    results: Path,
    report: Report,
    *,
    seed: int = 0,
    max_tokens: int = 128,
    device: Device = "auto",
) -> Path:
    """Disable every head and layer of a checkpoint and store the changes.

    With a task, the checkpoint is the one that `run_finetune` left in `out`, first seed, or the model itself where
    there is none; without, the model's masked-LM loss on texts is the score. Raises FieldguideError.
    """
    prepare(results)
    source = locate(choice.id, choice.revision)
    place = choose_device(device)
    if task:
        found = find_task(task)
        dev = read_task(found, data, "dev", DEV_EXAMPLES, seed)
        learned_from = read_task(found, data, "train", IMPORTANCE_EXAMPLES, seed)
        classifier = load_classifier(_checkpoint(source, found, out), place)
        encoder, anatomy = classifier.encoder, examine(classifier.body)
        report.note(f"Zeroing more and more heads on {task}.")
        curve = pruning(classifier, anatomy, dev, seed, _silent, max_tokens, source.id, learned_from)
        tokens = sum(map(len, _task_inputs(dev, encoder, max_tokens)))
        with report.bar(f"disabling heads on {task}", passes(anatomy) * tokens) as advance:
            tables = disabling(classifier, anatomy, dev, seed, advance, max_tokens, source.id)
        read = [of_task(dev)]
    else:
        masked_lm = load_masked_lm(source, place)
        if masked_lm is None:
            raise ModelError(f"Expected {source.id} to have a masked-LM head, found none; name a task with --task.")
        encoder, anatomy = masked_lm.encoder, examine(masked_lm.encoder)
        texts = open_corpora(corpora).of(CorpusKind.TEXT)
        if len(texts) != 1:
            found_texts = ", ".join(text.name for text in texts) or "none"
            raise CorpusError(f"Expected one text to disable heads on, found {found_texts}; name one with --corpus.")
        (text,) = texts
        inputs = _text_inputs(texts, encoder, max_tokens, seed)[text.name]
        report.note(f"Zeroing more and more heads on {text.name}.")
        curve = masked_pruning(masked_lm, anatomy, inputs, seed, _silent, text.name)
        with report.bar(f"disabling heads on {text.name}", passes(anatomy) * sum(map(len, inputs))) as advance:
            tables = masked_disabling(masked_lm, anatomy, inputs, seed, advance, text.name)
        read = [CorpusRecord.of(text)]
    tables = {name: [*tables.get(name, []), *curve.get(name, [])] for name in {*tables, *curve}}
    words = ["--task", task] if task else [word for name in corpora for word in ("--corpus", Path(name).name)]
    return store(
        *(results, source, encoder, anatomy, f"disable.{task}" if task else f"disable.text.{slug(text.name)}"),
        read=read,
        settings={"seed": seed, "max_tokens": max_tokens},
        command=_command("disable", choice, *words, seed=seed, max_tokens=max_tokens),
        tables=tables,
    )


def run_compare(
    first: ModelChoice,
    second: ModelChoice,
    task: str | None,
    corpora: Sequence[str],
    data: Path,
    results: Path,
    report: Report,
    *,
    name: str | None = None,
    seed: int = 0,
    max_tokens: int = 128,
    device: Device = "auto",
) -> Path:
    """Set a second model beside the first on the same texts, treebanks and examples. Raises FieldguideError.

    `name` is what the second is called, instead of its id or the name of its folder.
    """
    prepare(results)
    source, other = locate(first.id, first.revision), locate(second.id, second.revision)
    other = replace(other, id=name or other.id)
    opened = open_corpora(corpora) if corpora else Corpora()
    names = [*opened.checksums, *([task] if task else [])]
    experiment = ".".join(["compare", slug(other.id), *map(slug, names)])
    _check_free(results / f"{slug(source.id)}@{experiment}", other)
    place = choose_device(device)
    a, b = load(source, place), load(other, place)
    max_tokens = min(max_tokens, a.positions, b.positions)
    texts, banks = opened.of(CorpusKind.TEXT), opened.of(CorpusKind.TREEBANK)
    inputs = _text_inputs(texts, a, max_tokens, seed)
    read = [CorpusRecord.of(corpus) for corpus in (*texts, *banks)]
    if task:
        dev = read_task(find_task(task), data, "dev", DEV_EXAMPLES, seed)
        inputs[task] = _task_inputs(dev, a, max_tokens)
        read.append(of_task(dev))
    with report.bar(f"{a.id} beside {b.id}", sum(len(item) for items in inputs.values() for item in items)) as advance:
        tables = compare(a, b, inputs, seed, advance, [bank.name for bank in banks])
    if task:
        scores = score_of(other, dev, max_tokens, seed, place)
        tables["facts"] += [facts(scores, study(other.id), a.id, task)] if scores else []
    for bank in banks:
        found = compare_treebank(a, b, bank, PairMaker(a.tokenizer, _longest(a, max_tokens), seed), seed, report)
        tables = {name: [*tables.get(name, []), *found.get(name, [])] for name in {*tables, *found}}
    words = [Path(second.id).name, *(["--name", name] if name else [])]
    words += [word for corpus in corpora for word in ("--corpus", Path(corpus).name)]
    words += ["--task", task] if task else []
    return store(
        *(results, source, a, examine(a), experiment),
        read=read,
        settings={"seed": seed, "max_tokens": max_tokens, "beside": other.id, "beside_weights": other.sha256},
        command=_command("compare", first, *words, seed=seed, max_tokens=max_tokens),
        tables=tables,
    )


def _silent(_tokens: int) -> None:
    """Progress that nobody is told of."""


def _checkpoint(source: Source, task: Task, out: Path) -> Source:
    runs = out / slug(source.id) / task.name / "pretrained"
    tuned = seed_folder(runs, 0)
    if not tuned.is_dir():
        return source
    _run(runs, source)
    return locate(str(tuned))


def _run(folder: Path, source: Source) -> dict[str, Any]:
    """What is written of a folder of runs. Raises ResultsError where they began with other weights than the model's."""
    run: dict[str, Any] = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    if run["model"]["weights"] != source.sha256:
        raise ResultsError(
            f"Expected runs of {source.id} in {folder}, found those of other weights; delete it or give another --out."
        )
    return run


def _check_free(folder: Path, other: Source) -> None:
    """Raises ResultsError where another model of this name was compared."""
    there = Manifest.read(folder) if folder.is_dir() else None
    if there and there.settings.get("beside_weights") != other.sha256:
        raise ResultsError(
            f"Expected a comparison with the same {other.id} in {folder}, found one with other weights; "
            "choose another name with --name, or delete the folder."
        )


def _longest(encoder: Encoder, max_tokens: int) -> int:
    return min(max_tokens, encoder.positions)


def _text_inputs(
    texts: Sequence[Corpus[Document]], encoder: Encoder, max_tokens: int, seed: int
) -> dict[str, list[Input]]:
    maker = PairMaker(encoder.tokenizer, _longest(encoder, max_tokens), seed)
    made = {text.name: [item for one in text.items for item in maker.inputs(one)] for text in texts}
    empty = next((name for name, inputs in made.items() if not inputs), None)
    if empty:
        raise CorpusError(f"Expected documents of two paragraphs or more in {empty}, found none; give another text.")
    return made


def _task_inputs(texts: LabelledTexts, encoder: Encoder, max_tokens: int) -> list[Input]:
    maker = PairMaker(encoder.tokenizer, _longest(encoder, max_tokens))
    return [maker.pair(one.id, one.first, one.second) for one in texts.examples]


def _command(name: str, choice: ModelChoice, *words: str, seed: int, max_tokens: int) -> str:
    revision = ["--revision", choice.revision] if choice.revision else []
    where = ["--data", "DIR"] if "--task" in words else []
    numbers = ["--max-tokens", str(max_tokens), "--seed", str(seed)]
    return shlex.join(["fieldguide", name, choice.id, *words, *where, *revision, *numbers])


def _finetune_command(choice: ModelChoice, settings: dict[str, Any], seeds: int) -> str:
    words = ["fieldguide", "finetune", choice.id, "--task", str(settings["task"]), "--data", "DIR"]
    words += ["--from", str(settings["start"]), *(["--frozen"] if settings["frozen"] else [])]
    usual = Finetuning(task=settings["task"], frozen=settings["frozen"]).identity
    for name in ("epochs", "batch", "rate", "examples", "max_tokens"):
        words += [f"--{name.replace('_', '-')}", str(settings[name])] if settings[name] != usual[name] else []
    return shlex.join([*words, "--seeds", str(seeds), "--precision", str(settings["precision"])])
