"""Heads of the papers' model in hand-written pages."""

from collections.abc import Sequence
from dataclasses import replace

from generator.errors import SiteError
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.printed import MODEL, SHAPE, has_printed
from generator.pages.links import to_head
from generator.pages.written.in_markdown import anchor


def head_of_papers(atlases: Sequence[Atlas], page: str, name: str, /) -> str:
    """The name of a head of the papers' model, such as "8-10", leading to its page where the site shows that model.

    Raises SiteError for a name that is none of its heads.
    """
    layer, _, head = name.partition("-")
    if not all(one.isdecimal() and 1 <= int(one) <= most for one, most in zip((layer, head), SHAPE, strict=True)):
        raise SiteError(f"Expected a head of {MODEL} such as '8-10', found {name!r}; correct the page.")
    atlas = next(filter(has_printed, atlases), None)
    if atlas is None:
        return name
    link = to_head(atlas.slug, int(layer), int(head), page)
    return anchor(replace(link, title=f"head {link.text} of {atlas.results.manifest.model}"))
