"""A head at work: sentences with its arcs, drawn in the page.

Of a head whose title speaks of what it finds these are sentences that its topic has kept, such as those of a relation.
Of any other head they are example sentences, those nearest to what is usual of it first, in colour the attention that
its name speaks of; where its title speaks of something that no stored sentence shows, they say so.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from markupsafe import Markup

from generator.charts.static.arcs import FAINT, Arc, Line, arcs, rounded, standing
from generator.claims.gate.maps import BROAD, PATTERN, SPECIAL, Move
from generator.claims.gate.statement import Place
from generator.corpora.classes import ADDED, CLASS_OF, TokenClass
from generator.numbers.pieces import readable
from generator.numbers.writing import listed
from generator.pages.heads.atlas import Atlas, Example
from generator.pages.heads.drawn import Drawn, beside, hidden_note, line_of, pairs_of
from generator.pages.heads.of_head import of_head
from generator.pages.heads.summary import OF_TARGET, TARGETS, Summary
from generator.pages.inline import Kind, Link, Part, Prose, as_parts, plain
from generator.pages.links import head_name

MOST = 2
"""Example sentences that are drawn."""
OF_CLASS = {
    "attention.cls": TokenClass.BEGIN,
    "attention.sep": TokenClass.SEPARATOR,
    "attention.punctuation": TokenClass.PUNCTUATION,
}
OF_TARGETS = ("none", *(target.kind for target in TARGETS))
"""Kinds of heads that look at targets, or at none."""
AT = {"attention.previous": -1, "attention.self": 0, "attention.next": 1}
"""Measure of attention to tokens of a class, or at a place -> which."""
GREY = f"Grey: what else gets {rounded(FAINT)} or more."
ALL = f"Drawn is what gets {rounded(FAINT)} of the attention or more."
FAN = "Drawn is what one word gives to the others: of all here, the one that looks neither most nor least widely."
APART = "This is one text alone, so it shows only how widely the head looks."


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


def arcs_of(atlas: Atlas, layer: int, head: int) -> Arcs | None:
    """The sentences of a head, 1-based; None if none may be shown, or if nothing would be seen on them."""
    summary, drawn = atlas.summaries[layer, head], drawn_of(atlas, layer, head)
    if not drawn:
        return None
    ids = [f"sentence-{at}" for at in range(1, len(drawn) + 1)]
    label = f"Who looks at whom in head {head_name(layer, head)}"
    coloured = any(arc.named for sentence in drawn for arc in sentence.line.arcs)
    note = FAN if _spreads(summary) else GREY if coloured else ALL
    shared = standing(drawn[0].line, plain(drawn[0].seen)) if summary.found and coloured else ""
    return Arcs(label, tuple(_shown(at, drawn[at], ids, label) for at in range(len(drawn))), note, shared)


def drawn_of(atlas: Atlas, layer: int, head: int) -> list[Drawn]:
    """What is drawn of a head, 1-based, sentence by sentence; nothing if none may be shown or nothing would be seen."""
    summary, topics = atlas.summaries[layer, head], of_head(atlas)
    drawn = [sentence for topic in topics for sentence in topic.drawn(layer, head)]
    if not drawn:
        missing = next(filter(None, (topic.undrawn(layer, head) for topic in topics)), "")
        usual = {column: float(grid.value[layer - 1, head - 1]) for column, grid in atlas.estimates.items()}
        alone = usual | {column: value for move in summary.turned for column, value in _there(move, summary)}
        examples = sorted(atlas.examples[layer, head], key=lambda example: _away(example, alone))[:MOST]
        if _spreads(summary):
            several = [example for example in examples if np.isin(_classes(example), ADDED, invert=True).sum() > 1]
            drawn = [_fan(example, summary, APART * (summary.kind == PATTERN)) for example in several]
        else:
            drawn = [*_of_examples(atlas, (layer, head), usual, examples, missing)]
    return [sentence for sentence in drawn if any(arc.start != arc.end for arc in sentence.line.arcs)]


def _spreads(summary: Summary) -> bool:
    """Whether a head is named for how widely it looks, and for no token."""
    return summary.kind == BROAD or (summary.kind == PATTERN and not summary.looks)


def _there(move: Move, summary: Summary) -> tuple[tuple[str, float], ...]:
    """What is usual of single sentences, of a head that turns elsewhere in them."""
    return (move.column, move.share.value), (summary.looks[0], move.own.value)


def _fan(example: Example, summary: Summary, first: str) -> Drawn:
    """What one word gives to each other, if the head looks from it as widely as from the middle one of the words, and
    to special tokens that get much of its attention.
    """
    special = np.isin(_classes(example), ADDED)
    words = np.flatnonzero(~special)
    rows = example.weights[words]
    breadths = -(rows * np.log(np.where(rows > 0, rows, 1))).sum(1)
    source = int(words[np.argsort(breadths, kind="stable")[len(words) // 2]])
    given = example.weights[source]
    kept = np.flatnonzero(~special | (given >= FAINT)).tolist()
    names = [readable(example.tokens[place]) for place in kept]
    arcs = [Arc(kept.index(source), at, float(given[key]), True) for at, key in enumerate(kept) if key != source]
    shares = [rounded(share) for share in (given[words[words != source]].min(), given[words[words != source]].max())]
    seen = f"\u201c{readable(example.tokens[source])}\u201d gives each other word {shares[0]} to {shares[1]}"
    seen += f" of its attention; even attention would give {rounded(1 / len(example.tokens))}."
    left = [key for key in np.flatnonzero(special).tolist() if key not in kept]
    hidden = hidden_note(listed(list(dict.fromkeys(example.tokens[key] for key in left))), float(given[left].sum()))
    dimmed = frozenset(at for at, key in enumerate(kept) if special[key])
    line = Line(names, arcs, summary.first, dimmed)
    return Drawn(line, first or seen, " ".join(filter(None, (seen * bool(first), hidden))))


def _shown(at: int, sentence: Drawn, ids: Sequence[str], label: str) -> Shown:
    count = f"{at + 1} of {len(ids)}"
    steps: list[Part] = []
    if len(ids) > 1:
        before, after = ids[at - 1], ids[(at + 1) % len(ids)]
        steps = [Link("previous", f"#{before}"), Markup(count), Link("next", f"#{after}")]  # noqa: S704 - two numbers
    drawn = Markup(arcs(sentence.line, f"{label}: {' '.join(sentence.line.words)}"))  # noqa: S704 - the writer escapes every text
    return Shown(ids[at], drawn, sentence.seen, sentence.caption, tuple(steps))


def _away(example: Example, usual: Mapping[str, float]) -> float:
    """How far its attention to the classes of tokens is from what is usual of the head."""
    classes = _classes(example)
    here = {column: (example.weights * _named([column], classes)).sum(1).mean() for column in OF_CLASS}
    return float(np.nansum([abs(here[column] - usual.get(column, np.nan)) for column in here]))


def _classes(example: Example) -> list[TokenClass]:
    return [CLASS_OF.get(token, TokenClass.OTHER) for token in example.tokens]


def _of_examples(
    atlas: Atlas, place: Place, usual: Mapping[str, float], examples: Sequence[Example], missing: str
) -> Iterator[Drawn]:
    """Example sentences, with the attention in colour of which the head's name speaks; special tokens are drawn if it
    speaks of them, if they get more in the sentence, or if nothing would be seen without. What is not as in whole
    documents is said. `missing` says why they show nothing of what the head finds.
    """
    summary = atlas.summaries[place]
    added = sum(value for name in SPECIAL if not np.isnan(value := usual.get(name, np.nan)))
    named_special = {*SPECIAL} & {*summary.looks}
    for example in examples:
        classes = _classes(example)
        special = np.isin(classes, ADDED)
        others = example.weights[np.ix_(~special, ~special)] >= FAINT
        every = bool(named_special) or not (others & ~np.eye(len(others), dtype=bool)).any()
        all_named = _named(summary.looks, classes)
        own, apart = ((example.weights * some).sum(1)[~special].sum() for some in (all_named, special))
        every |= bool(summary.looks) and bool(apart > own)
        kept = np.flatnonzero(~special | every)
        both = np.ix_(kept, kept)
        weights, named = example.weights[both], all_named[both]
        pairs = pairs_of(named & (weights >= FAINT) & ~np.eye(len(kept), dtype=bool))
        dimmed = frozenset(np.flatnonzero(special[kept]).tolist())
        words = [readable(example.tokens[at]) for at in kept.tolist()]
        each = {column: _named([column], classes)[both] for column in summary.looks}
        line = line_of(words, weights, {*pairs}, summary.first, dimmed, _hues(each, pairs))
        share, more = (float((weights * some).sum(1).mean()) for some in (named, special[kept]))
        text: Prose = _gets_most(words, weights)
        if pairs:
            text = _in_colour(summary, atlas.special_tokens, weights, each, usual, share)
        if pairs and more > share and not named_special:
            apart_from = listed(list(dict.fromkeys(words[at] for at in sorted(dimmed))))
            text = (*as_parts(text), f" More goes to {apart_from}, {rounded(more)}.")
        left = [token for token, apart in zip(example.tokens, special, strict=True) if apart and not every]
        hidden = hidden_note(listed(list(dict.fromkeys(left))), 1 - weights.sum(1).mean(), added)
        if missing:
            yield Drawn(line, missing, " ".join(filter(None, (plain(text), hidden))))
        else:
            yield Drawn(line, text, hidden)


def _gets_most(words: Sequence[str], weights: np.ndarray) -> str:
    """Which of the tokens that are drawn gets most, in a sentence in which nothing has a colour."""
    shares = weights.mean(0)
    most = int(shares.argmax())
    return f"Of the tokens drawn, \u201c{words[most]}\u201d gets most, {rounded(float(shares[most]))}."


def hues(columns: Collection[str]) -> dict[str, str]:
    """Measure -> the kind of its target, whose colour its arcs have; empty where a name does not speak of several."""
    several = len(columns) > 1 and OF_TARGET.keys() >= {*columns}
    return {column: OF_TARGET[column].kind for column in columns} if several else {}


def _hues(each: Mapping[str, np.ndarray], pairs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """The kind of target of each pair, where a name speaks of several; `each` says which pairs a measure counts."""
    kinds = hues(each)
    return {pair: next(kinds[column] for column, counts in each.items() if counts[pair]) for pair in pairs if kinds}


def _in_colour(
    summary: Summary,
    names: Mapping[str, str],
    weights: np.ndarray,
    each: Mapping[str, np.ndarray],
    usual: Mapping[str, float],
    share: float,
) -> Prose:
    """What is in colour in a sentence with these weights, and how much it gets, target by target where a name speaks of
    several; `names` are those of special tokens by the kind of target, `share` is what all together get.
    """
    ends = " of its attention in this sentence"
    if not hues(each):
        targets = [names.get(OF_TARGET[column].kind, OF_TARGET[column].words) for column in each if column in OF_TARGET]
        looks = listed(targets) if summary.kind in OF_TARGETS else summary.title.removeprefix("looks at ")
        looked = usual.get(next(iter(each)), np.nan) if len(each) == 1 else np.nan
        return f"In colour: {looks}, {rounded(share)}{ends}{beside(share, looked)}."
    parts: list[str | Part] = ["In colour: "]
    for at, (column, counts) in enumerate(each.items()):
        target, gets = OF_TARGET[column], float((weights * counts).sum(1).mean())
        told = f"{names.get(target.kind, target.words)}, {rounded(gets)}{ends * (not at)}"
        parts += ["; " * bool(at), Kind(target.kind, target.name), told + beside(gets, usual.get(column, np.nan))]
    return (*parts, ".")


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
