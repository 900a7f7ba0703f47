"""What hand-written pages say about heads that formed in training."""

from collections.abc import Sequence

from generator.pages import addresses
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, Part, Prose
from generator.pages.links import to_head
from generator.topics.learning.page.data import Course, step_text
from generator.topics.learning.page.forming import formed
from generator.topics.learning.page.page import there

UNFORMED = "This guide has no training in which a head came to give one target more than half of its attention."


def half_formed(atlases: Sequence[Atlas], page: str) -> Prose:
    """One sentence on the steps by which heads had come half the way to where they look in the end, in every training,
    with links to its page and to the heads; empty if there are none.
    """
    told: list[str | Part] = []
    for course in (Course(atlas) for atlas in atlases if there(atlas)):
        slug, found = course.atlas.slug, formed(course)
        curve = Link(course.atlas.results.manifest.model, addresses.relative(addresses.curve(slug), page))
        told += [f"{'; in' if told else 'In'} ", curve] if found else []
        for at, (target, rise) in enumerate(found.items()):
            told.append(" and head " if 0 < at == len(found) - 1 else ", head ")
            told.append(to_head(slug, rise["layer"], rise["head"], page))
            told.append(
                f"{'' if at else ' was half-way'} to looking at {target.words} by step {step_text(rise['step'])}"
            )
    return (*told, ".") if told else ""
