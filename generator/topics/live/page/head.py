"""Below the arcs of a head: a field for a sentence of the reader's own."""

from collections.abc import Callable

from generator.pages.blocks import Block
from generator.pages.heads.atlas import Atlas
from generator.pages.links import head_name
from generator.topics.live.page.field import field_of, files_of

OTHERWISE = (
    "With JavaScript, you could type a sentence of your own here and see this head's arcs, map and numbers for it."
)


def below_arcs(atlas: Atlas) -> Callable[[int, int, str], Block | None]:
    """Of a model, what gives the field of a head."""
    files = files_of(atlas)

    def field(layer: int, head: int, page: str) -> Block | None:
        return field_of(files, atlas.slug, page, OTHERWISE, head_name(layer, head)) if files else None

    return field
