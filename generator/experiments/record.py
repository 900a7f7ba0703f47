"""Stores what an experiment found in a results folder beside that of the model on which it was made."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from generator.attention.anatomy import examine
from generator.corpora.kinds import TASK
from generator.corpora.languages import ENGLISH
from generator.corpora.tasks import LabelledTexts
from generator.experiments.code import code_of, kind
from generator.models.encoder import Encoder
from generator.models.names import slug
from generator.models.source import Source
from generator.results.manifest import CorpusRecord, Manifest, checksum_of, packages
from generator.results.writing import write

NO_NUMBER = "It stores what an experiment found as it is."


def of_task(texts: LabelledTexts) -> CorpusRecord:
    """The record of a labelled task; all of GLUE is English."""
    return CorpusRecord(texts.task.name, TASK, texts.sha256, ENGLISH)


def store(
    results: Path,
    source: Source,
    encoder: Encoder,
    experiment: str,
    *,
    read: Sequence[CorpusRecord],
    settings: Mapping[str, Any],
    command: str,
    tables: Mapping[str, Sequence[pd.DataFrame]],
) -> Path:
    """Write `<results>/<slug>@<experiment>/`, replacing an older one; returns the folder.

    `source` is the model on whose pages it is shown. Raises ResultsError.
    """
    anatomy = examine(encoder)
    facts = {
        "weights": source.sha256,
        "experiment": experiment,
        "read": [corpus.facts for corpus in read],
        "settings": dict(settings),
    }
    manifest = Manifest(
        model=source.title,
        slug=slug(source.title),
        family=encoder.family,
        layers=anatomy.layers,
        heads=anatomy.heads,
        revision=source.revision,
        weights_sha256=source.sha256,
        corpora=tuple(read),
        settings=dict(settings),
        studies={kind(experiment): code_of(experiment)},
        dtype=encoder.precision,
        device=encoder.device.type,
        observed="returned maps" if anatomy.sites else "attention function",
        vocabulary={},
        packages=packages(),
        command=command,
        fingerprint=checksum_of(facts),
        experiment=experiment,
    )
    joined = {name: pd.concat(parts, ignore_index=True) for name, parts in tables.items() if parts}
    return write(results, manifest, joined)
