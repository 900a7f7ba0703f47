"""The other models with which a model was compared: its copies, or any that a user named."""

from generator.pages.heads.atlas import Atlas, Cached
from generator.topics.compare.records.comparison import COMPARE


def _compared(atlas: Atlas) -> list[str]:
    studies = map(str, atlas.results.table("head_facts")["study"].unique())
    return sorted(name.removeprefix(COMPARE) for name in studies if name.startswith(COMPARE))


COMPARED = CACHED = Cached[list[str]]("compared", _compared)
"""The slugs of the other models with which a model was compared, sorted."""
