"""One sentence in which a head picks the right word, for heads that find a relation.

The sentence is of the treebank that was written for this project: words of no other corpus are shown.
"""

from collections.abc import Mapping
from functools import cache, cached_property

import numpy as np

from generator.corpora.catalogue import TREEBANK
from generator.corpora.treebank import Sentence, read_treebank
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.specialists import Specialty
from generator.pages.inline import Mark, Part, Prose
from generator.results.tables import records
from generator.studies.syntax.predictions import DIRECTIONS

SHORTEST = 5
"""Words that a sentence has at least; of those the shortest is shown."""
CLOSING = frozenset((*".,;:!?)", "'s", "n't", "\u2019s", "n\u2019t"))
"""Words with no space before them."""


class Picks:
    """The sentences in which the heads of one model pick a word; made once for all of its pages."""

    def __init__(self, atlas: Atlas) -> None:
        self._shape = atlas.shape
        table = atlas.results.table("predictions")
        read = {one.sha256 for one in atlas.results.manifest.corpora if one.name == TREEBANK.name}
        self._rows = table[table["corpus"] == TREEBANK.name] if read & {_ours()[0]} else table[:0]

    @cached_property
    def _sentences(self) -> list[tuple[str, np.ndarray, np.ndarray, np.ndarray]]:
        """Name, what each word depends on, what heads pick `[direction, layer, head, word]`, and relations; the
        shortest sentence first.
        """
        rows = [row for row in records(self._rows) if len(row["gold"]) >= SHORTEST]
        shape = len(DIRECTIONS), *self._shape, -1
        return [
            (str(row["sentence"]), row["gold"], row["predicted"].reshape(shape), np.array(row["relations"]))
            for row in sorted(rows, key=lambda row: (len(row["gold"]), str(row["sentence"])))
        ]

    def of(self, one: Specialty, layer: int, head: int) -> Prose | None:
        """The shortest sentence in which the head is right about a word of the relation; None if there is none."""
        direction = DIRECTIONS.index(one.direction) if one.direction else 0
        for name, gold, predicted, relations in self._sentences if one.relation else ():
            right = (predicted[direction, layer - 1, head - 1] == gold) & (relations == one.relation)
            if right.any():
                word = int(right.argmax())
                return _told(_ours()[1][name], word, int(gold[word]), one.direction)
        return None


def _told(sentence: Sentence, word: int, picks: int, direction: str) -> Prose:
    """The sentence with both words marked, and which looks at which."""
    parts: list[str | Part] = ["A sentence in which it is right: \u201c"]
    for at, form in enumerate(one.form for one in sentence.words):
        parts.append(" " if at and form not in CLOSING else "")
        parts.append(Mark(form) if at in (word, picks) else form)
    dependent, of = (f"\u201c{sentence.words[at].form}\u201d" for at in (word, picks))
    told = f"{dependent} looks most at {of}" if direction == DIRECTIONS[0] else f"{of} looks most at {dependent}"
    return (*parts, f"\u201d Of all words, {told}.")


@cache
def _ours() -> tuple[str, Mapping[str, Sentence]]:
    """The checksum of the project's own treebank, and its sentences by name."""
    content = read_treebank(TREEBANK.name, TREEBANK.paths)
    return content.sha256, {sentence.id: sentence for sentence in content.items}
