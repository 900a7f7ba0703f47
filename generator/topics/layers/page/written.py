"""What hand-written pages say and show of layers: whether they fall into phases, and maps of each pattern."""

from generator.pages import addresses
from generator.pages.blocks import Figure
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link
from generator.pages.studies.seen import RARE
from generator.pages.written.context import Context, Written
from generator.pages.written.in_markdown import sentence, table
from generator.topics.layers.page.division import DIVISION
from generator.topics.layers.page.patterns.maps import one_of_each
from generator.topics.layers.page.phases.figure import profiles_figure
from generator.topics.layers.page.phases.sentences import COLUMNS, UNDIVIDED, division_sentence, phases_table, undecided

UNCLASSED = "No model of this guide has maps of the example sentences."


def phases(context: Context, /) -> str:
    """A table of whether the layers of models fall into phases."""
    rows = phases_table(context.compared, context.page)
    return table(COLUMNS, rows) if rows else UNDIVIDED


def divided(context: Context, /) -> str:
    """One sentence on whether the layers of models fall into phases."""
    return sentence(division_sentence(context.compared, context.page)) or UNDIVIDED


def classes(context: Context, /) -> str:
    """A typical map of each pattern, of the model that shows most of them; on a line of its own."""
    found = [(atlas, maps) for atlas in context.compared if (maps := one_of_each(atlas, context.page))]
    if not found:
        return UNCLASSED
    atlas, maps = max(found, key=lambda pair: len(pair[1].maps))
    model = Link(atlas.results.manifest.model, addresses.relative(addresses.patterns(atlas.slug), context.page))
    text = sentence(("Of ", model, ", the most typical map of each class that the example sentences show:"))
    return f"{text}{context.block('small_maps', maps)}"


def _phases(atlas: Atlas, page: str) -> Figure | None:  # noqa: ARG001 - as all figures
    """The figure of curves over layers, only of a model whose layers fall into phases better than in random order."""
    found = DIVISION.of(atlas)
    sure = found and not undecided(found.found) and found.found.p < RARE
    return profiles_figure(atlas, found) if found and sure else None


WRITTEN = Written({"phases": phases, "divided": divided, "classes": classes}, {"phases": _phases})
