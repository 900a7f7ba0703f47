"""Below the arcs of a head: a field for a sentence of the reader's own."""

from functools import cached_property

from generator.pages.blocks import Block
from generator.pages.heads.of_head import OfHead
from generator.pages.links import head_name
from generator.topics.live.page.field import Files, field_of, files_of

OTHERWISE = (
    "With JavaScript, you could type a sentence of your own here and see this head's arcs, map and numbers for it."
)


class OfSentence(OfHead):
    """What a head does with a sentence of the reader's own."""

    @cached_property
    def _files(self) -> Files | None:
        return files_of(self.atlas)

    def below(self, layer: int, head: int, page: str) -> Block | None:
        """The field; None where the site does not have the model itself."""
        if not self._files:
            return None
        return field_of(self._files, self.atlas.slug, page, OTHERWISE, head_name(layer, head))


OF_HEADS = OfSentence
