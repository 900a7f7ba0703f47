"""What hand-written pages say of trainings that differ in their seed."""

from collections.abc import Iterator, Sequence

from generator.pages import addresses
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link
from generator.pages.seeds.data import Trainings
from generator.pages.seeds.page import TITLE, lead, there

SEEDLESS = "This guide has no trainings that differ in their seed alone."


def seeds_told(atlases: Sequence[Atlas], page: str) -> Iterator[tuple[str, Link]]:
    """For each model with such trainings, the lead of its page on them and a link to that page."""
    for atlas in atlases:
        if there(atlas):
            manifest, here = atlas.results.manifest, addresses.seeds(atlas.slug)
            link = Link(f"{TITLE}, {manifest.model}", addresses.relative(here, page))
            yield lead(Trainings(atlas)), link
