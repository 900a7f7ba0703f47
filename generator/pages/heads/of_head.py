"""What topics say of each head on its page and in lists, beside what its maps say."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from generator.pages.blocks import Block, Section
from generator.pages.heads.aside import Reason
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.drawn import Drawn
from generator.pages.heads.found import Finding
from generator.pages.inline import Link, Prose
from generator.topics import of_topics


class Counted(NamedTuple):
    """What was counted here of something for which a source names a head."""

    text: str
    """How often the head is right, as a clause."""
    reason: Reason | None = None
    """Why the head is not named for it; None if it is."""


class OfHead:
    """What one topic says of the heads of a model. A topic gives its class as `OF_HEADS`; what it does not say stays as
    it is here: nothing. Layers and heads are 1-based, and `page` is the address of the head's page.
    """

    def __init__(self, atlas: Atlas) -> None:
        """Made once for all pages of a model, and for every model; what takes long is made when it is asked for."""
        self.atlas = atlas

    def section(self, layer: int, head: int, page: str) -> Section | None:
        """A section of its page."""
        return None

    def drawn(self, layer: int, head: int) -> Sequence[Drawn]:
        """Sentences in which it does what its title says that it finds."""
        return ()

    def undrawn(self, layer: int, head: int) -> str:
        """Why there is no such sentence, if its title speaks of this topic; it stands below other sentences."""
        return ""

    def beside(self, layer: int, head: int, page: str) -> Prose:
        """A sentence below the figure of how often it is right."""
        return ""

    def below(self, layer: int, head: int, page: str) -> Block | None:
        """What stands at once below its sentences."""
        return None

    def opening(self, layer: int, head: int, page: str) -> Block | None:
        """What stands before the sections that are folded."""
        return None

    def looks(self, layer: int, head: int) -> str:
        """A sentence after where else it looks."""
        return ""

    def needed(self, layer: int, head: int) -> str:
        """Sentences on whether the model needs it."""
        return ""

    def numbers(self, layer: int, head: int, page: str) -> Prose:
        """A sentence below the table of its numbers."""
        return ""

    def same_job(self, layer: int, head: int, page: str) -> Prose:
        """A link to other heads with the job that its title speaks of."""
        return ""

    def alike(self, page: str) -> Link | None:
        """A link to a page with all heads of the model, those near each other that are alike."""
        return None

    def titled(self, layer: int, head: int) -> str:
        """The words after its name on its page, if not those of its summary."""
        return ""

    def listed(self, layer: int, head: int) -> str:
        """The words after its name in lists, likewise."""
        return ""

    def published(self, layer: int, head: int) -> str:
        """What a source says of it, in one sentence, with all words under which readers may look for it."""
        return ""

    def before(self, layer: int, head: int, page: str, tested: Collection[str]) -> Prose:
        """The same with the numbers of the source, which its page begins with; `tested` is what could be counted here,
        in words.
        """
        return ""

    def counted(self, layer: int, head: int) -> dict[str, Counted]:
        """What the source names it for, in words -> what was counted here of it."""
        return {}

    def finding(self, layer: int, head: int) -> Finding | None:
        """How often it is right about what the source names it for."""
        return None

    def claims(self, layer: int, head: int) -> Collection[str]:
        """The ids of claims for which a source prints it."""
        return ()


def of_head(atlas: Atlas) -> tuple[OfHead, ...]:
    """What topics say of the heads of a model."""
    return atlas.once(_every)


def _every(atlas: Atlas) -> tuple[OfHead, ...]:
    return tuple(make(atlas) for make in of_topics("heads", "OF_HEADS"))


def title_of(atlas: Atlas, layer: int, head: int) -> str:
    """The words after a head's name on its page."""
    texts = (topic.titled(layer, head) for topic in of_head(atlas))
    return next(filter(None, texts), atlas.summaries[layer, head].title)


def in_lists(atlas: Atlas, layer: int, head: int) -> str:
    """The words after a head's name in lists."""
    texts = (topic.listed(layer, head) for topic in of_head(atlas))
    return next(filter(None, texts), atlas.summaries[layer, head].title)


def in_short(atlas: Atlas, layer: int, head: int) -> str:
    """What a source says of a head, in one sentence; empty if none does."""
    return next(filter(None, (topic.published(layer, head) for topic in of_head(atlas))), "")


def map_of_heads(atlas: Atlas, page: str) -> Link | None:
    """A link to a page with all heads of the model, those near each other that are alike."""
    return next(filter(None, (topic.alike(page) for topic in of_head(atlas))), None)
