"""A head at work: sentences with its arcs, drawn in the page.

Of a head whose title speaks of a relation these are the stored `arcs`: in colour the word of the relation and what it
looks at most, first where that is right. Of any other head they are the example sentences, in colour the attention that
its name speaks of; where its title speaks of something that no stored sentence shows, they say so.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import pandas as pd
from markupsafe import Markup

from generator.charts.still.arcs import FAINT, Arc, Line, arcs, rounded, standing
from generator.claims.gate.maps import BROAD, PATTERN
from generator.claims.gate.statement import Place
from generator.claims.gate.treebanks import RELATION
from generator.corpora.catalogue import is_own
from generator.corpora.classes import ADDED, CLASS_OF, TokenClass
from generator.corpora.relation_names import in_words
from generator.numbers.pieces import readable
from generator.numbers.writing import listed
from generator.pages.heads.atlas import Atlas, Example
from generator.pages.heads.summary import OF_TARGET, Summary
from generator.pages.heads.trees import links_in, trees
from generator.pages.inline import Link, Part, Prose, plain, prose
from generator.pages.links import head_name
from generator.results.tables import records
from generator.topics.relations.compute.arcs import MISSED, OTHER, RIGHT

SPECIAL = 0.05
"""Special tokens that get less than this share are not mentioned."""
MOST = 2
"""Example sentences that are drawn."""
OF_CLASS = {
    "attention.cls": TokenClass.BEGIN,
    "attention.sep": TokenClass.SEPARATOR,
    "attention.punctuation": TokenClass.PUNCTUATION,
}
AT = {"attention.previous": -1, "attention.self": 0, "attention.next": 1}
"""Measure of attention to tokens of a class, or at a place -> which."""
GREY = f"Grey: what else gets {rounded(FAINT)} or more."
ALL = f"Drawn is what gets {rounded(FAINT)} of the attention or more."
UNKEPT = "No sentence with {relation} is kept of this head, so this shows what else it looks at."
APART = "One sentence is one part of an input, so this shows only how widely it looks."
THIN = f"Its attention is so thin that few words get the {rounded(FAINT)} from which an arc is drawn."
UNLINKED = "In no sentence that may be shown are mentions linked, so this shows all that it looks at."
TOLD = {
    RIGHT: "Right: {word} gives {pick} {share} of its attention.",
    MISSED: "Missed: {word} looks most at {pick}, not at {to}.",
    OTHER: "Something else: {word} gives {pick} {share}, which is no link of {relation}.",
}
"""Kind of sentence -> what its caption says first."""


@dataclass(frozen=True)
class Shown:
    """One sentence."""

    id: str
    """Its anchor, by which it is shown."""
    drawn: Markup
    seen: Prose
    """What is seen in it, which its caption begins with."""
    caption: Prose
    steps: tuple[Part, ...]
    """Links to the sentence before it and after it."""


@dataclass(frozen=True)
class Arcs:
    """Sentences of which one is shown at a time, the first until a reader chooses another."""

    template: ClassVar[str] = "arcs"
    label: str
    sentences: tuple[Shown, ...]
    note: str = ""
    """What is true of every sentence."""
    shared: str = ""
    """The first sentence as a picture that other sites show; empty unless it shows what the head is named for finding:
    of every head with arcs, a site would take several seconds longer.
    """


class Drawn(NamedTuple):
    """What is drawn of one sentence, before the others are known."""

    line: Line
    seen: Prose
    caption: str


def arcs_of(atlas: Atlas, layer: int, head: int) -> Arcs | None:
    """The sentences of a head, 1-based; None if none may be shown, or if nothing would be seen on them."""
    summary, drawn = atlas.summaries[layer, head], drawn_of(atlas, layer, head)
    if not drawn:
        return None
    ids = [f"sentence-{at}" for at in range(1, len(drawn) + 1)]
    label = f"Who looks at whom in head {head_name(layer, head)}"
    coloured = any(arc.named for one in drawn for arc in one.line.arcs)
    note = GREY if coloured else THIN if summary.kind == BROAD else ALL
    shared = standing(drawn[0].line, plain(drawn[0].seen)) if summary.found and coloured else ""
    return Arcs(label, tuple(_shown(at, drawn[at], ids, label) for at in range(len(drawn))), note, shared)


def drawn_of(atlas: Atlas, layer: int, head: int) -> list[Drawn]:
    """What is drawn of a head, 1-based, sentence by sentence; nothing if none may be shown or nothing would be seen."""
    summary = atlas.summaries[layer, head]
    relation, direction = _sought(summary)
    drawn = [*_of_relation(atlas, relation, direction, (layer, head))] if relation else []
    drawn = drawn or [*_of_examples(atlas, summary, atlas.examples[layer, head][:MOST], _missing(summary, relation))]
    return [one for one in drawn if any(arc.start != arc.end for arc in one.line.arcs)]


def _shown(at: int, one: Drawn, ids: Sequence[str], label: str) -> Shown:
    count = f"{at + 1} of {len(ids)}"
    steps: list[Part] = []
    if len(ids) > 1:
        before, after = ids[at - 1], ids[(at + 1) % len(ids)]
        steps = [Link("previous", f"#{before}"), Markup(count), Link("next", f"#{after}")]  # noqa: S704 - two numbers
    drawn = Markup(arcs(one.line, f"{label}: {' '.join(one.line.words)}"))  # noqa: S704 - the writer escapes every text
    return Shown(ids[at], drawn, one.seen, one.caption, tuple(steps))


def _sought(summary: Summary) -> tuple[str, str]:
    """The relation of which the title of a head speaks, and its direction; both empty if it speaks of none."""
    if summary.found:
        return summary.found.relation, summary.found.direction
    return (summary.aside.label, summary.aside.direction) if summary.aside and summary.kind == "none" else ("", "")


def _missing(summary: Summary, relation: str) -> str:
    """What a caption says first of a head whose title speaks of what no sentence shows; empty for any other."""
    if summary.kind == PATTERN and not summary.looks:
        return APART
    return UNKEPT.format(relation=in_words(relation)) if relation else UNLINKED if summary.found else ""


def _of_relation(atlas: Atlas, relation: str, direction: str, place: Place) -> Iterator[Drawn]:
    """Sentences in which the head is right, or is not, about a relation."""
    special = listed([atlas.special_tokens[kind] for kind in ("begin", "separator") if kind in atlas.special_tokens])
    rows = _kept(atlas, relation, direction, place)
    if not len(rows):
        rows = links_in((*atlas.examples[place], *atlas.deciles.get(place, ())), relation, direction)
    for row in records(rows):
        words = [word.form for word in trees()[row["sentence"]].words]
        weights = row["weights"].reshape(len(words), len(words))
        word = row["word"]
        pick = int(np.where(np.arange(len(words)) == word, -1, weights[word]).argmax())
        places = {"word": word, "pick": pick, "to": row["to"]}
        parts: dict[str, str | Part] = {name: f"\u201c{words[at]}\u201d" for name, at in places.items()}
        parts |= {"share": rounded(weights[word, pick]), "relation": in_words(relation)}
        style = RELATION if row["kind"] == RIGHT else "broad"
        hidden = _hidden(special, 1 - weights[word].sum())
        yield Drawn(_line(words, weights, {(word, pick)}, style), prose(TOLD[row["kind"]], **parts), hidden)


def _kept(atlas: Atlas, relation: str, direction: str, place: Place) -> pd.DataFrame:
    """The stored rows of `arcs`; none if the treebank has changed since."""
    rows = atlas.results.table("arcs")
    if not any(is_own(one.name, one.sha256) for one in atlas.results.manifest.corpora):
        return rows[:0]
    for column, asked in zip(("relation", "direction", "layer", "head"), (relation, direction, *place), strict=True):
        rows = rows[rows[column] == asked]
    return rows


def _of_examples(atlas: Atlas, summary: Summary, examples: Sequence[Example], missing: str) -> Iterator[Drawn]:
    """Example sentences, with the attention in colour of which the head's name speaks; special tokens are drawn if it
    speaks of them, or if nothing would be seen without. `missing` says why they show nothing of what it finds.
    """
    named_special = {"attention.cls", "attention.sep"} & {*summary.looks}
    for one in examples:
        classes = [CLASS_OF.get(token, TokenClass.OTHER) for token in one.tokens]
        special = np.isin(classes, ADDED)
        others = one.weights[np.ix_(~special, ~special)] >= FAINT
        every = bool(named_special) or not (others & ~np.eye(len(others), dtype=bool)).any()
        kept = np.flatnonzero(~special | every)
        both = np.ix_(kept, kept)
        weights, named = one.weights[both], _named(summary.looks, classes)[both]
        pairs = _pairs(named & (weights >= FAINT) & ~np.eye(len(kept), dtype=bool))
        coloured = {*pairs}
        dimmed = frozenset(np.flatnonzero(special[kept]).tolist())
        line = _line([readable(one.tokens[at]) for at in kept.tolist()], weights, coloured, summary.first, dimmed)
        looks = _in_colour(summary, atlas.special_tokens)
        share = rounded((weights * named).sum(1).mean())
        told = f"In colour: {looks}, {share} of its attention in this sentence."
        left = [token for token, added in zip(one.tokens, special, strict=True) if added and not every]
        hidden = _hidden(listed(list(dict.fromkeys(left))), 1 - weights.sum(1).mean())
        if missing:
            yield Drawn(line, missing, " ".join(filter(None, (told if coloured else "", hidden))))
        else:
            yield Drawn(line, told if coloured else "", hidden)


def _in_colour(summary: Summary, names: Mapping[str, str]) -> str:
    """What a head looks at, in words; `names` are those of special tokens by the kind of target."""
    if summary.kind == "none" and summary.looks:
        return listed([names.get(target.kind, target.words) for target in map(OF_TARGET.__getitem__, summary.looks)])
    return summary.title.removeprefix("looks at ")


def _hidden(names: str, share: float) -> str:
    """That special tokens are left out, if they get much."""
    return f"Another {rounded(share)} goes to {names}, not drawn." if names and share >= SPECIAL else ""


def _line(
    words: Sequence[str],
    weights: np.ndarray,
    coloured: Collection[tuple[int, int]],
    kind: str,
    dimmed: frozenset[int] = frozenset(),
) -> Line:
    drawn = {*coloured, *_pairs(weights >= FAINT)}
    of = [Arc(query, key, float(weights[query, key]), (query, key) in coloured) for query, key in sorted(drawn)]
    return Line(words, of, kind, dimmed)


def _pairs(which: np.ndarray) -> list[tuple[int, int]]:
    queries, keys = (places.tolist() for places in which.nonzero())
    return list(zip(queries, keys, strict=True))


def _named(columns: Sequence[str], classes: Sequence[TokenClass]) -> np.ndarray:
    """`[query, key]`: whether one of these measures counts the attention from a token to another."""
    offsets = np.subtract.outer(np.arange(len(classes)), np.arange(len(classes))) * -1
    found = np.zeros(offsets.shape, bool)
    for column in columns:
        if column in OF_CLASS:
            found |= np.array([kind is OF_CLASS[column] for kind in classes])
        else:
            found |= offsets == (AT[column] if column in AT else int(column.removeprefix("offset.")))
    return found
