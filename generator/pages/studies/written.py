"""What hand-written pages say of the direct test whether layers fall into phases."""

from collections.abc import Collection, Iterator, Sequence

from generator.claims.evidence.reading import Stored
from generator.pages import addresses
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link
from generator.pages.studies.phases import TITLE, divided, seen, there
from generator.pages.studies.seen import RARE
from generator.results.store import Results

UNDIVIDED = "Of no model of this guide can the layers be divided into three."


def phases_told(slugs: Collection[str], results: Sequence[Stored], page: str) -> Iterator[tuple[str, Link]]:
    """For each of these models, whether its layers fall into phases better than in random order, and a link to its page
    on it.
    """
    for atlas in (Atlas(one) for one in results if isinstance(one, Results) and one.manifest.slug in slugs):
        found = divided(atlas)[-1] if there(atlas) else None
        if found and not found.note:
            model, here = atlas.results.manifest.model, addresses.phases(atlas.slug)
            whether = "do" if found.p < RARE else "do not"
            told = f"Those of {model} {whether}: {seen(found)[0].lower()}{seen(found)[1:]}."
            yield told, Link(f"{TITLE}, {model}", addresses.relative(here, page))
