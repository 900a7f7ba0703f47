"""What hand-written pages say about heads that formed in training."""

from collections.abc import Iterator, Sequence

from generator.pages import addresses
from generator.pages.curve.data import Course
from generator.pages.curve.forming import formed_told
from generator.pages.curve.page import TITLE, there
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, Prose

UNFORMED = "This guide has no training in which a head came to give one target more than half of its attention."


def all_formed(atlases: Sequence[Atlas], page: str) -> Iterator[tuple[Prose, Link]]:
    """For each training, sentences on which heads came to look where and when, and a link to its page."""
    for course in (Course(atlas) for atlas in atlases if there(atlas)):
        model, here = course.atlas.results.manifest.model, addresses.curve(course.atlas.slug)
        if told := formed_told(course, page, f"In {model}, head"):
            yield told, Link(f"{TITLE}, {model}", addresses.relative(here, page))
