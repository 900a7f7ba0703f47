"""How many strong arrows of a head are links of the relation that it finds, and one sentence in which it is right and
one in which it is wrong.

The sentences are of the treebank that was written for this project, because words of no other corpus are shown, and of
the half of it on which no head was chosen; the shortest are shown.
"""

from collections.abc import Mapping
from functools import cache, cached_property

import numpy as np

from generator.corpora.catalogue import TREEBANK
from generator.corpora.treebank import Sentence, read_treebank
from generator.numbers.number import alone
from generator.numbers.writing import percent
from generator.pages import addresses
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.specialists import Specialty
from generator.pages.inline import Link, Mark, Part, Prose, prose
from generator.studies.halves import reported
from generator.studies.syntax.arcs import are_links
from generator.studies.syntax.names import in_words
from generator.studies.syntax.predictions import Predictions
from generator.studies.syntax.quantities import ARROWS

SHORTEST = 5
"""Words that a sentence has at least; of those the shortest is shown."""
CLOSING = frozenset((*".,;:!?)", "'s", "n't", "\u2019s", "n\u2019t"))
"""Words with no space before them."""


def of_arrows(one: Specialty | None, page: str) -> Prose:
    """The sentence on how many strong arrows of a head are links of its relation; empty if none were counted."""
    if not one or not one.arrows or not one.arrows[0].n:
        return ""
    right, offset, gain = one.arrows
    base, there = percent(alone(offset.value)), "at the best offset"
    return prose(
        " Of its {n} {arrows}, {right} are links of {relation}{base}.",
        n=f"{right.n:,}",
        arrows=Link("strong arrows", addresses.relative(addresses.study(ARROWS.name), page)),
        right=percent(right),
        relation=in_words(one.relation),
        base=f"; {there}, {base} would be" if gain.low > 0 else f", not surely more than {base} {there}",
    )


class Picks:
    """The strong arrows of one model's heads in the project's own treebank; made once for all of its pages."""

    def __init__(self, atlas: Atlas) -> None:
        self._atlas = atlas

    @cached_property
    def _known(self) -> tuple[Predictions, np.ndarray] | None:
        """What heads pick, and `[layer, head, word]`: whether an arrow is strong and its sentence may be shown; None if
        that is not stored.
        """
        results = self._atlas.results
        read = {one.sha256 for one in results.manifest.corpora if one.name == TREEBANK.name}
        picked, arrows = (results.table(name) for name in ("predictions", "arrows"))
        both = picked[picked["corpus"] == TREEBANK.name].merge(arrows, on=["corpus", "sentence"])
        if not len(both) or not read & {_ours()[0]}:
            return None
        found = Predictions.from_table(both, *self._atlas.shape)
        strong = np.concatenate([row.reshape(*self._atlas.shape, -1) for row in both["strong"]], axis=-1)
        half = reported(found.sentences, results.manifest.settings["seed"])[found.sentence]
        return found, strong & half & (found.length >= SHORTEST)

    def of(self, one: Specialty, layer: int, head: int) -> tuple[Prose, ...]:
        """A sentence with a strong arrow that is a link of the relation, and one with another strong arrow."""
        if not one.relation or not self._known:
            return ()
        found, strong = self._known
        picks = found.predicted[0, layer - 1, head - 1]
        right = are_links(found, one.relation, one.direction, picks)
        plural, told = in_words(one.relation), []
        for kind, links in ((f"Right, a link of {plural}", right), (f"Wrong, no link of {plural}", ~right)):
            words = np.flatnonzero(strong[layer - 1, head - 1] & links)
            if len(words):
                word = words[found.length[words].argmin()]
                sentence = _ours()[1][found.sentences[found.sentence[word]]]
                told.append(_told(kind, sentence, int(found.place[word]), int(picks[word])))
        return tuple(told)


def _told(kind: str, sentence: Sentence, word: int, picked: int) -> Prose:
    """The sentence with both ends of an arrow marked, and which looks at which."""
    parts: list[str | Part] = [f"{kind}: \u201c"]
    for at, form in enumerate(one.form for one in sentence.words):
        parts.append(" " if at and form not in CLOSING else "")
        parts.append(Mark(form) if at in (word, picked) else form)
    looks, at_word = (f"\u201c{sentence.words[at].form}\u201d" for at in (word, picked))
    return (*parts, f"\u201d Of all words, {looks} looks most at {at_word}.")


@cache
def _ours() -> tuple[str, Mapping[str, Sentence]]:
    """The checksum of the project's own treebank, and its sentences by name."""
    content = read_treebank(TREEBANK.name, TREEBANK.paths)
    return content.sha256, {sentence.id: sentence for sentence in content.items}
