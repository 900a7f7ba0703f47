"""The model of the papers, whose heads they name."""

from generator.pages.heads.atlas import Atlas

MODEL, SHAPE = "bert-base-uncased", (12, 12)
"""The model of the papers and its layers and heads; checkpoints trained further from it contain its name."""
OURS = "Measured here"
"""How what is measured on the maps shown begins beside what a source says."""


def is_papers(name: str) -> bool:
    """Whether a model of this name is that of the papers, or was trained further from it."""
    return MODEL in name.lower()


def has_printed(atlas: Atlas) -> bool:
    """Whether the heads of a model are those that the papers name."""
    return is_papers(atlas.results.manifest.model) and atlas.shape == SHAPE
