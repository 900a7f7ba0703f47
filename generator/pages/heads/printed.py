"""What a paper prints about a head, and what is found here: readers may come to look for head 8-10 of BERT-base."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from generator.claims.published import FOLDER, read_published
from generator.numbers.number import alone
from generator.numbers.writing import listed, number, percent
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.tracked import Tracked
from generator.pages.inline import Prose, prose
from generator.pages.links import to_reference
from generator.studies.syntax.names import in_words, labels_of, with_label

MODEL, SHAPE = "bert-base-uncased", (12, 12)
"""The model of the papers and its layers and heads; checkpoints trained further from it contain its name."""
TABLES = ("clark.table1", "clark.notebook")
REFERENCE = "clark2019", "Clark et al. 2019"
LEFT_OUT = ("all", "dep")
"""Rows that are no relation: all words together, and links without a name."""


UNNAMED = " It is not named for it here: "
"""Follows what was counted of a relation for which a paper names the head; the reason comes after it."""
UNTESTED, UNSETTLED = "not tested here", "not settled here"
"""What is said of a head that a paper names and this guide does not: if the words are too few to count, and if it leads
on all sentences but not in the test that names heads.
"""


class Printed(NamedTuple):
    """A relation for which a paper names a head as its best."""

    relation: str
    right: float
    baseline: float
    """How often the best fixed offset is right."""


def printed(atlas: Atlas, layer: int, head: int) -> tuple[Printed, ...]:
    """What was printed about this head, the largest gain first; empty if the model is not that of the papers."""
    if MODEL not in atlas.results.manifest.model.lower() or atlas.shape != SHAPE:
        return ()
    found = [one for place, one in _all() if place == (layer, head)]
    return tuple(sorted(found, key=lambda one: one.baseline - one.right))


def beside(
    some: tuple[Printed, ...],
    tracked: Tracked,
    layer: int,
    head: int,
    page: str,
    *,
    named: bool = False,
    already: str = "",
) -> Prose:
    """A sentence on what was printed, and one for each such relation that could be counted here.

    `named` says whether the head is named for something here. `already` is a relation, in words: the page has said
    before what was counted of it here, and why the head is not named for it.
    """
    said = [
        f"{with_label(one.relation)}, right for {percent(alone(one.right))} where the best fixed offset is right for "
        f"{percent(alone(one.baseline))}"
        for one in some
    ]
    tried = [own for one in some if (own := tracked.relation(in_words(one.relation), layer, head))]
    here = [
        f"Here it is right for {percent(own.right)} of {own.n:,} {in_words(own.relation)}, the best fixed offset for "
        f"{percent(alone(own.baseline.value))}."
        for own in tried
        if in_words(own.relation) != already
    ]
    return prose(
        "{source} print this head of BERT-base as the best for {said}. {here}{rule}",
        source=to_reference(*REFERENCE, page),
        said=listed(said),
        here=" ".join(here) if tried else "No treebank that was read here has words enough of this to compare.",
        rule=f"{UNNAMED}{tracked.choices.reason(tried[0], (layer, head))}" if tried and not (named or already) else "",
    )


def unnamed(some: tuple[Printed, ...], tracked: Tracked, layer: int, head: int) -> str:
    """What stands instead of "no specialty found" beside a head that a paper names; empty if those words are right."""
    if not some:
        return ""
    own = tracked.relation(in_words(some[0].relation), layer, head)
    if own is None:
        return UNTESTED
    return UNSETTLED if own.right.low > own.baseline.value else ""


def headline(some: tuple[Printed, ...], tracked: Tracked, layer: int, head: int) -> str:
    """Words after the head's name: what a paper says that it does, and whether it does so here; empty if none does."""
    if not some:
        return ""
    name = in_words(some[0].relation)
    own = tracked.relation(name, layer, head)
    if own is None:
        return f"is the paper's head for {name}; here that was not tested"
    if own.right.low > own.baseline.value:
        share = number(*(100 * part for part in own.right[:3]))
        return f"is the paper's head for {name}; here it is right for {share} % of {own.n:,}"
    return f"is the paper's head for {name}; here it does not clearly find them"


def labels(some: tuple[Printed, ...]) -> str:
    """Search words by which a reader may look for a head with these relations."""
    return " ".join(word for one in some for word in (in_words(one.relation), *labels_of(in_words(one.relation))))


@cache
def _all() -> tuple[tuple[tuple[int, int], Printed], ...]:
    return tuple(_read())


def _read() -> Iterator[tuple[tuple[int, int], Printed]]:
    values = {key: one.value for key, one in read_published(FOLDER).items() if key.startswith(TABLES)}
    for key, layer in values.items():
        row, _, column = key.rpartition(".")
        relation = row.rpartition(".")[2]
        if column == "layer" and relation not in LEFT_OUT:
            place = int(layer), int(values[f"{row}.head"])
            yield place, Printed(relation, values[f"{row}.accuracy"], values[f"{row}.baseline"])
