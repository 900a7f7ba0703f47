"""On the first page: a field for a sentence of the reader's own, read by the model that is fetched soonest."""

from collections.abc import Sequence

from generator.pages import addresses
from generator.pages.blocks import Section, opening
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.naming.naming import finds
from generator.pages.inline import prose
from generator.pages.links import head_name, to_head, to_model
from generator.topics.live.page.field import field_of, files_of

OTHERWISE = "With JavaScript, you could type a sentence of your own here and see what a head does with it."


def of_home(atlases: Sequence[Atlas]) -> Section | None:
    """The field of one head of the smallest model that the site has; None if it has none."""
    there = [(files.total, at, files) for at, atlas in enumerate(atlases) if (files := files_of(atlas))]
    if not there:
        return None
    _, at, files = min(there, key=lambda entry: entry[0])
    atlas, page = atlases[at], addresses.HOME
    place = _shown(atlas)
    sentence = prose(
        "Or try a sentence of yours: head {head} of {model} {finds}.",
        head=to_head(atlas.slug, *place, page),
        model=to_model(atlas.slug, atlas.results.manifest.model, page),
        finds=atlas.summaries[place].title,
    )
    return opening(sentence, field_of(files, atlas.slug, page, OTHERWISE, head_name(*place)))


def _shown(atlas: Atlas) -> tuple[int, int]:
    """The head that finds most or, where none finds anything, the one whose target gets most attention."""
    return max(atlas.places, key=lambda place: (atlas.summaries[place].kind in finds(), atlas.summaries[place].share))


OF_HOME = of_home
