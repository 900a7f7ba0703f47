"""Labelled tasks of GLUE (Wang et al. 2018) -> examples, from the files as GLUE ships them.

A file is one example a line, columns separated by tabs, a header line except in CoLA, and no quoting: a quotation mark
is a letter of the text. Columns are found by their names, so a file whose columns are in another order is read, too.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from generator.corpora.formats.raw import contents, decoded, wrong_columns
from generator.errors import CorpusError

Split = Literal["train", "dev"]


@dataclass(frozen=True)
class Columns:
    """The columns of a task's files that are read."""

    texts: tuple[str, ...]
    label: str
    header: tuple[str, ...] = ()
    """The names of the columns where a file has no header line."""
    dev: str = "dev"
    """The name of the file of the dev split."""
    broken: bool = False
    """Whether GLUE's own files have lines that were cut off; such lines are skipped, as is usual."""


@dataclass(frozen=True)
class Task:
    """A task and how it is scored."""

    name: str
    title: str
    folder: str
    """Name of the task's folder as GLUE ships it."""
    labels: tuple[str, ...]
    """The labels as they stand in the file, in the order of class indices; none for a regression."""
    metrics: tuple[str, ...]
    """Names in `generator.topics.tasks.run.disable.scores`, the headline first."""
    pair: bool
    columns: Columns


@dataclass(frozen=True)
class Example:
    """One text or two, and the label that a model is to predict."""

    id: str
    """The split and the line of the file, such as "dev:2"."""
    first: str
    second: str | None
    label: float
    """The class index, or the score of a regression."""


@dataclass(frozen=True)
class LabelledTexts:
    """Examples, and the checksum of the unpacked file that they were read from."""

    task: Task
    sha256: str
    examples: tuple[Example, ...]


ENTAILMENT, TWO = ("entailment", "not_entailment"), ("0", "1")
TASKS: tuple[Task, ...] = (
    Task(
        name="rte",
        title="RTE: does the second text follow from the first?",
        folder="RTE",
        labels=ENTAILMENT,
        metrics=("accuracy",),
        pair=True,
        columns=Columns(("sentence1", "sentence2"), "label"),
    ),
    Task(
        name="mrpc",
        title="MRPC: do two sentences of the news mean the same?",
        folder="MRPC",
        labels=TWO,
        metrics=("accuracy", "f1"),
        pair=True,
        columns=Columns(("#1 String", "#2 String"), "Quality"),
    ),
    Task(
        name="sst2",
        title="SST-2: does a film review praise?",
        folder="SST-2",
        labels=TWO,
        metrics=("accuracy",),
        pair=False,
        columns=Columns(("sentence",), "label"),
    ),
    Task(
        name="stsb",
        title="STS-B: how similar are two sentences, from 0 to 5?",
        folder="STS-B",
        labels=(),
        metrics=("spearman", "pearson"),
        pair=True,
        columns=Columns(("sentence1", "sentence2"), "score"),
    ),
    Task(
        name="qnli",
        title="QNLI: does the sentence answer the question?",
        folder="QNLI",
        labels=ENTAILMENT,
        metrics=("accuracy",),
        pair=True,
        columns=Columns(("question", "sentence"), "label"),
    ),
    Task(
        name="qqp",
        title="QQP: do two questions ask the same?",
        folder="QQP",
        labels=TWO,
        metrics=("accuracy", "f1"),
        pair=True,
        columns=Columns(("question1", "question2"), "is_duplicate", broken=True),
    ),
    Task(
        name="mnli",
        title="MNLI: does the second text follow from the first, contradict it, or neither?",
        folder="MNLI",
        labels=("entailment", "neutral", "contradiction"),
        metrics=("accuracy",),
        pair=True,
        columns=Columns(("sentence1", "sentence2"), "gold_label", dev="dev_matched"),
    ),
    Task(
        name="cola",
        title="CoLA: is a sentence acceptable?",
        folder="CoLA",
        labels=TWO,
        metrics=("matthews",),
        pair=False,
        columns=Columns(("sentence",), "label", header=("source", "label", "mark", "sentence")),
    ),
)


def find_task(name: str) -> Task:
    """The task of that name. Raises CorpusError."""
    found = next((task for task in TASKS if task.name == name), None)
    if found is None:
        known = ", ".join(task.name for task in TASKS)
        raise CorpusError(f"Expected a labelled task, found {name!r}; choose one of {known}.")
    return found


def read_task(task: Task, data: Path, split: Split, limit: int | None = None, seed: int = 0) -> LabelledTexts:
    """Read a split of a task from below the folder `data`; with `limit`, a seeded sample of its examples, in order.

    Raises CorpusError naming the file and the line.
    """
    path = _find(task, data, split)
    raw = contents(path, "examples")
    # Not splitlines(), which would also end lines at other marks that stand within texts.
    lines = decoded(raw, path).rstrip("\n").split("\n")
    if lines == [""]:
        raise CorpusError(f"Expected examples of {task.name} in {path}, found an empty file; copy the file again.")
    names, first = list(task.columns.header), 1
    if not names:
        names, first = lines[0].split("\t"), 2
    places = _places(task, names, f"{path}, line 1")
    examples = []
    for number, line in enumerate(lines[first - 1 :], start=first):
        where = f"{path}, line {number}"
        # Not read as CSV: quotes in these files are text, and many are never closed.
        cells = line.split("\t")
        if len(cells) < len(names) and task.columns.broken:
            continue
        if len(cells) != len(names):
            raise wrong_columns(len(names), len(cells), where)
        *texts, label = (cells[place] for place in places)
        second = texts[1] if task.pair else None
        examples.append(Example(f"{split}:{number}", texts[0], second, _label(task, label, where)))
    if not examples:
        raise CorpusError(f"Expected examples of {task.name} in {path}, found none; copy the file again.")
    if limit is not None and limit < len(examples):
        chosen = np.random.default_rng(seed).choice(len(examples), limit, replace=False)
        examples = [examples[place] for place in sorted(chosen)]
    return LabelledTexts(task, hashlib.sha256(raw).hexdigest(), tuple(examples))


def _find(task: Task, data: Path, split: Split) -> Path:
    name = "train" if split == "train" else task.columns.dev
    folder = data / task.folder
    for path in (folder / f"{name}.tsv", folder / f"{name}.tsv.gz"):
        if path.is_file():
            return path
    raise CorpusError(
        f"Expected the {split} split of {task.name} in {folder / name}.tsv or {name}.tsv.gz, found neither; give "
        "--data a folder that holds GLUE's folders."
    )


def _places(task: Task, names: Sequence[str], where: str) -> list[int]:
    wanted = [*task.columns.texts, task.columns.label]
    missing = [name for name in wanted if name not in names]
    if missing:
        raise CorpusError(
            f"Expected a header with the columns {', '.join(wanted)} in {where}, found no {missing[0]!r}; "
            "take the file as GLUE ships it."
        )
    return [names.index(name) for name in wanted]


def _label(task: Task, text: str, where: str) -> float:
    if task.labels:
        if text not in task.labels:
            raise CorpusError(
                f"Expected one of {', '.join(task.labels)} as label in {where}, found {text!r}; correct the line."
            )
        return float(task.labels.index(text))
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise CorpusError(f"Expected a number as score in {where}, found {text!r}; correct the line.")
    return score
