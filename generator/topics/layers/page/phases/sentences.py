"""Whether layers fall into phases: in a table of models, in one sentence of several, and as a figure's title."""

from collections.abc import Sequence
from itertools import pairwise

from generator.numbers.number import alone
from generator.numbers.writing import percent
from generator.pages import addresses
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cells, Link, Part, Prose
from generator.pages.studies.seen import RARE, phases_seen
from generator.topics.layers.derived.phases import Phases, rarest
from generator.topics.layers.page.division import DIVISION

TITLE = "Phases"
COLUMNS = ("model", "groups of layers", "they explain", "in random order", "random orders that explain as much")
BETTER = "form three groups better than layers in random order"
UNDIVIDED = "Of no model of this guide can three groups of layers be told from chance."


def phases_table(atlases: Sequence[Atlas], page: str) -> tuple[Cells, ...]:
    """Rows of a table: each of these models with layers enough, with a link to its page on phases, the groups that fit
    its layers best, how much of the variance between layers they explain, how much with the layers in random order, and
    the share of random orders that explain as much.
    """
    return tuple(
        (
            _to_phases(atlas, page),
            ", ".join(_groups(found)),
            *(percent(alone(share)) for share in (found.explained, found.shuffled, found.p)),
        )
        for atlas in atlases
        if (division := DIVISION.of(atlas)) and not undecided(found := division.found)
    )


def division_sentence(atlases: Sequence[Atlas], page: str) -> Prose:
    """In one sentence whether the layers of these models fall into phases better than in random order, with links."""
    pieces: list[str | Part] = []
    for whether, does in ((True, " do"), (False, " do not")):
        models = [
            (_to_phases(atlas, page), found)
            for atlas in atlases
            if (division := DIVISION.of(atlas)) and not undecided(found := division.found)
            if (found.p < RARE) == whether
        ]
        begin, end = ("; those of ", does) if pieces else ("The layers of ", f"{does} {BETTER}")
        for at, (model, found) in enumerate(models):
            pieces += [", " if 0 < at < len(models) - 1 else " and " if at else begin, model]
            pieces += [sure_stretches(found)] if whether else []
        pieces += [end] if models else []
    return (*pieces, ".") if pieces else ""


def undecided(found: Phases) -> str:
    """Why nothing can be said of whether the layers fall into phases; empty otherwise."""
    few = f"With {found.layers} layers, three groups cannot be told from chance."
    return found.note or (few if rarest(found.layers) >= RARE else "")


def sure_stretches(found: Phases) -> str:
    """The phases in brackets, and whether they are those of the hypothesis; empty if the text leaves the boundaries
    open.
    """
    if not found.low == found.boundaries == found.high:
        return ""
    layers = ", ".join(_groups(found))
    return f" ({layers}{', as we read the hypothesis' if found.boundaries == found.expected else ''})"


def _groups(found: Phases) -> list[str]:
    return [f"{first} to {last}" if first < last else f"{first}" for first, last in stretches(found)]


def _to_phases(atlas: Atlas, page: str) -> Link:
    return Link(atlas.results.manifest.model, addresses.relative(addresses.phases(atlas.slug), page))


def seen(found: Phases, model: str = "") -> str:
    """What the division into three explains, as a phrase that begins a sentence and names the `model`, if given."""
    if why := undecided(found):
        return why.rstrip(".")
    return phases_seen(stretches(found), found.explained, found.shuffled, found.p, model)


def stretches(found: Phases) -> list[tuple[int, int]]:
    """The first and the last layer of each phase that was found, counted from 1."""
    return [(first + 1, last) for first, last in pairwise((0, *found.boundaries, found.layers))]
