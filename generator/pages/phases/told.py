"""Whether layers fall into phases, in words: of each model, of several in one sentence, and as a figure's title."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from generator.pages import addresses
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, Part, Prose
from generator.pages.studies.seen import RARE, phases_seen
from generator.studies.layers.phases import Phases

TITLE = "Phases"
BETTER = "form three groups, whatever these do, better than layers in random order"
UNDIVIDED = "Of no model of this guide can the layers be divided into three."


def phases_told(atlases: Sequence[Atlas], page: str) -> Iterator[tuple[str, Link]]:
    """For each of these models, whether its layers fall into phases better than in random order, and a link to its page
    on it.
    """
    for atlas in atlases:
        found = atlas.division and atlas.division.found
        if found and not found.note:
            model, here = atlas.results.manifest.model, addresses.phases(atlas.slug)
            whether = "do" if found.p < RARE else "do not"
            told = f"Those of {model} {whether}: {seen(found)[0].lower()}{seen(found)[1:]}."
            yield told, Link(f"{TITLE}, {model}", addresses.relative(here, page))


def divided_told(atlases: Sequence[Atlas], page: str) -> Prose:
    """In one sentence whether the layers of these models fall into phases better than in random order, with links."""
    told: list[str | Part] = []
    for whether, does in ((True, " do"), (False, " do not")):
        models = [
            (Link(atlas.results.manifest.model, addresses.relative(addresses.phases(atlas.slug), page)), found)
            for atlas in atlases
            if atlas.division and not (found := atlas.division.found).note and (found.p < RARE) == whether
        ]
        begin, end = ("; those of ", does) if told else ("The layers of ", f"{does} {BETTER}")
        for at, (model, found) in enumerate(models):
            told += [", " if 0 < at < len(models) - 1 else " and " if at else begin, model]
            told += [sure_stretches(found)] if whether else []
        told += [end] if models else []
    return (*told, ".") if told else ""


def sure_stretches(found: Phases) -> str:
    """The phases in brackets, and whether they are those of the hypothesis; empty if the text leaves the boundaries
    open.
    """
    if not found.low == found.boundaries == found.high:
        return ""
    layers = ", ".join(f"{first} to {last}" for first, last in stretches(found))
    return f" ({layers}{', as the hypothesis has them' if found.boundaries == found.expected else ''})"


def seen(found: Phases, model: str = "") -> str:
    """What the division into three explains, as a phrase that begins a sentence and names the `model`, if given."""
    if found.note:
        return found.note.rstrip(".")
    return phases_seen(stretches(found), found.explained, found.shuffled, found.p, model)


def stretches(found: Phases) -> list[tuple[int, int]]:
    """The first and the last layer of each phase that was found, counted from 1."""
    return [(first + 1, last) for first, last in pairwise((0, *found.boundaries, found.layers))]
