"""What an experiment found -> a results folder beside those of the model it was made on."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.corpora.languages import ENGLISH
from generator.models.encoder import Encoder, slug
from generator.models.source import Source
from generator.results.manifest import Manifest, packages
from generator.results.store import write


def store(
    results: Path,
    source: Source,
    encoder: Encoder,
    anatomy: Anatomy,
    experiment: str,
    *,
    read: Mapping[str, Mapping[str, str]],
    settings: Mapping[str, Any],
    command: str,
    tables: Mapping[str, Sequence[pd.DataFrame]],
) -> Path:
    """Write `<results>/<slug>@<experiment>/`, replacing an older one; gives the folder.

    `source` is the model whose pages tell of it. `read` names the checksums of what was read, by the manifest's kinds:
    corpora, treebanks, tasks; and `languages`, the codes of those that are known. Raises ResultsError.
    """
    kinds = {kind: dict(read.get(kind, {})) for kind in ("corpora", "treebanks", "tasks", "languages")}
    facts = {"weights": source.sha256, "experiment": experiment, "read": kinds, "settings": dict(settings)}
    manifest = Manifest(
        model=source.id,
        slug=slug(source.id),
        family=encoder.family,
        layers=anatomy.layers,
        heads=anatomy.heads,
        revision=source.revision,
        weights_sha256=source.sha256,
        corpora=kinds["corpora"],
        treebanks=kinds["treebanks"],
        mentions={},
        frames={},
        tasks=kinds["tasks"],
        settings=dict(settings),
        dtype="float32",
        device=encoder.device.type,
        observed="returned maps" if anatomy.sites else "attention function",
        counts={},
        vocabulary={},
        packages=packages(),
        command=command,
        fingerprint=hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest(),
        languages=kinds["languages"] | dict.fromkeys(kinds["tasks"], ENGLISH),  # GLUE is English
        experiment=experiment,
    )
    joined = {name: pd.concat(parts, ignore_index=True) for name, parts in tables.items() if parts}
    return write(results, manifest, joined)
