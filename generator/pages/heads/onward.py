"""Where a reader may go from a head: to the story of such heads, to those with the same job in other models, to those
most like it.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from urllib.parse import quote

from generator.claims.gate import maps
from generator.claims.gate.statement import Place, given
from generator.numbers.writing import listed, percent
from generator.pages import addresses
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.finder import SHORT
from generator.pages.heads.naming.naming import namings
from generator.pages.heads.of_head import in_lists, map_of_heads, of_head
from generator.pages.heads.summary import MOST, Summary
from generator.pages.inline import Link, Part, Prose
from generator.pages.links import head_name, to_head

WHERE = "where="
"""How an expression begins in the address of the finder."""
NAMED = re.compile(r"\bhead (\d+-\d+)\b")
NEAREST = 2
"""Of the heads that are most like it, those that are named."""
SAME, MOST_THERE = "The same job in other models", "Heads that look most at {target}, in all models"
LOOKS, NEAR = "what-does-bert-look-at/", ("previous", "next", "self", maps.WINDOW)
STORIES = dict.fromkeys(NEAR, (f"{LOOKS}#heads-that-look-next-door", "Why look next door?")) | {
    "begin": ("from-small-to-base/#where-attention-rests", "Why do heads rest on one token, and on which?"),
    "separator": ("is-attention-explanation/#attention-as-a-no-op", "Is attention to separators a way to do nothing?"),
    "punctuation": (
        "special-parts-of-speech/#why-the-separator-and-not-the-loner",
        "Why would heads rest on periods and commas?",
    ),
    maps.PATTERN: ("the-dark-secrets-of-bert/#five-patterns", "The {} pattern, one of five: what does it mean?"),
    maps.BROAD: (f"{LOOKS}#broad-heads", "What is looking broadly good for?"),
    "none": ("the-dark-secrets-of-bert/#disabling", "Do models need heads that do nothing one can name?"),
}
"""Kind of head that its maps name -> the finding that tells of such heads, and the question that it answers."""
OF_NUMBER = {maps.PATTERN: ("in ", " of inputs"), maps.BROAD: ("", " of uniform entropy")}
"""Kind of head -> what stands before and after the number that names one; of what heads find, it is how often."""
VERTICAL, RESTING = ("pattern.vertical",), (STORIES["begin"][0], "Why do heads rest on special tokens?")
"""The pattern of heads that look at special tokens, and their story."""


def linked(text: str, atlas: Atlas, page: str) -> Prose:
    """A text in which each head of the model that it names has a link to its page."""
    places = {head_name(*place): place for place in atlas.places}
    parts: list[str | Part] = []
    for at, piece in enumerate(NAMED.split(text)):  # every other piece is a name
        if not at % 2 or piece not in places:
            parts.append(f"head {piece}" if at % 2 else piece)
        elif addresses.head(atlas.slug, *places[piece]) == page:
            parts.append("this head")
        else:
            parts += ["head ", to_head(atlas.slug, *places[piece], page)]
    return tuple(parts) if len(parts) > 1 else text


def found_job(atlas: Atlas, layer: int, head: int, page: str) -> Prose:
    """A link to heads of all models that do what a topic says of one, 1-based; empty where none says anything."""
    return next((link for topic in of_head(atlas) if (link := topic.same_job(layer, head, page))), "")


def same_job(atlas: Atlas, layer: int, head: int, page: str) -> Prose:
    """The same, or else a link to heads whose maps look like its own; empty where nothing asks for them."""
    if found := found_job(atlas, layer, head, page):
        return found
    asked, summary = question(atlas, layer, head), atlas.summaries[layer, head]
    if not asked:
        return ""
    same = summary.kind != "none" or asked.startswith(WHERE)
    return _to_finder(SAME if same else _most_there(atlas, summary), asked, page)


def onward(atlas: Atlas, layer: int, head: int, page: str, same: Prose) -> tuple[Prose, ...]:
    """The story of heads like one, 1-based; those with the same job, if a link to them is given; those most like it.

    The story of a head without a name is that of what it finds all the same, or of the target to which it leans.
    """
    summary = atlas.summaries[layer, head]
    kind = summary.kind
    if kind == "none":
        kind = (summary.aside and summary.aside.kind) or (summary.first if summary.leans or summary.turned else kind)
    address, asked = namings()[kind].story if kind in namings() else STORIES[kind]
    if summary.columns == VERTICAL:
        address, asked = RESTING
    asked = asked.format(*(column.removeprefix("pattern.") for column in summary.columns))
    if not same and (alike := map_of_heads(atlas, page)):
        same = replace(alike, text="All heads on a map")
    by = "maps" if atlas.divergence is not None else "measures"
    return (
        Link(asked, f"{addresses.relative(addresses.FINDINGS, page)}{address}"),
        *((same,) if same else ()),
        (f"Most alike here by their {by}: ", *_alike(atlas, layer, head, page), "."),
    )


def question(atlas: Atlas, layer: int, head: int) -> str:
    """What asks the finder for heads of all models whose maps look like those of one, as in an address; empty where
    nothing does, and for a head whose title a topic gives.
    """
    summary = atlas.summaries[layer, head]
    if summary.kind in namings() or (summary.aside and summary.kind == "none"):
        return ""
    if summary.kind == maps.BROAD:
        return "sort=entropy"
    first = next(iter(given(atlas.candidates[layer, head])), None)
    if first is None:
        return f"sort={SHORT[summary.looks[0]]}" if summary.looks else ""
    columns = maps.columns_of(first.about) if first.kind in (maps.WINDOW, maps.PAIR) else [first.about]
    least = maps.LEANING if first.kind == maps.LEAN else MOST
    return _where(f"{' + '.join(SHORT.get(column, column) for column in columns)} > {least:.2g}")


def to_same_job(where: str, page: str) -> Link:
    """A link to the heads of all models for which an expression of the finder is true."""
    return _to_finder(SAME, _where(where), page)


def _to_finder(text: str, asked: str, page: str) -> Link:
    return Link(text, f"{addresses.relative(addresses.FINDER, page)}?{asked}")


def _most_there(atlas: Atlas, summary: Summary) -> str:
    return MOST_THERE.format(target=atlas.target_words[summary.looks[0]])


def _where(asked: str) -> str:
    return f"{WHERE}{quote(asked)}"


def _alike(atlas: Atlas, layer: int, head: int, page: str) -> list[str | Part]:
    """The nearest heads, with what they do; those of which the same is said share the words."""
    own, near = in_lists(atlas, layer, head), [place for place, _ in atlas.similar(layer, head, NEAREST)]
    parts: list[str | Part] = []
    for title, alike in groupby(near, key=lambda place: in_lists(atlas, *place)):
        places = [*alike]
        for at, place in enumerate(places):
            parts += [" and " if at else "; " if parts else "", to_head(atlas.slug, *place, page)]
        same = title == own and atlas.summaries[layer, head].kind != "none"
        string = f"which {'do' if len(places) > 1 else 'does'} the same{_much(atlas, places)}" if same else title
        each = f", each of which {title}" if "(" in title else f" (each {title})"
        text = f", {string}" if same else each if len(places) > 1 else f" {title}"
        parts += found if isinstance(found := linked(text, atlas, page), tuple) else [found]
    return parts


def _much(atlas: Atlas, places: Sequence[Place]) -> str:
    """The numbers that name heads of one kind, in brackets; empty if one has none."""
    summaries = [atlas.summaries[place] for place in places]
    numbers = [one.found.right if one.found else one.number for one in summaries]
    if any(math.isnan(number.value) for number in numbers):
        return ""
    begins, ends = OF_NUMBER.get(summaries[0].kind, ("right for " if summaries[0].found else "", ""))
    return f" ({begins}{listed([percent(number, ends=False) for number in numbers])}{ends})"
