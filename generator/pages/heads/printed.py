"""What a paper or its notebook says of a head, and what is found here: readers may look for head 8-10 of BERT-base."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from generator.claims.published import FOLDER, read_published
from generator.numbers.number import alone
from generator.numbers.writing import listed, percent
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.tracked import Tracked
from generator.pages.inline import Prose, prose
from generator.pages.links import to_reference
from generator.studies.syntax.names import in_words, labels_of, with_label

MODEL, SHAPE = "bert-base-uncased", (12, 12)
"""The model of the papers and its layers and heads; checkpoints trained further from it contain its name."""
PAPER, NOTEBOOK = "clark.table1", "clark.notebook"
"""The table that the paper prints, and the output of its released notebook, which has more relations."""
MISPRINT = "likely a misprint"
"""How the note begins of a number that the record takes for a misprint; the notebook's then give the gain."""
REFERENCE = "clark2019", "Clark et al. 2019"
LEFT_OUT = ("all", "dep")
"""Rows that are no relation: all words together, and links without a name."""

UNNAMED = " It is not named for it here: "
"""Follows what was counted of a relation for which a source names the head; the reason comes after it."""
UNTESTED, UNSETTLED = "not tested here", "not settled here"
"""What is said of a head that a source names and this guide does not: if the words are too few to count, and if it
leads on all sentences but not in the test that names heads.
"""


class Printed(NamedTuple):
    """A relation for which the paper or its notebook names a head as its best."""

    relation: str
    right: float
    baseline: float
    """How often the best fixed offset is right."""
    gain: float
    """How much more often the head is right; from the notebook where the paper's numbers are a likely misprint."""
    source: str
    """`PAPER`, or `NOTEBOOK` for a relation that the paper leaves out."""
    note: str
    """What the record says of a likely misprint; otherwise empty."""

    @property
    def told(self) -> str:
        """The relation and both numbers as the source has them, in words."""
        right, baseline = percent(alone(self.right)), percent(alone(self.baseline))
        told = f"{with_label(self.relation)}, right for {right} where the best fixed offset is right for {baseline}"
        return f"{told} ({self.note})" if self.note else told


def is_papers(name: str) -> bool:
    """Whether a model of this name is that of the papers, or was trained further from it."""
    return MODEL in name.lower()


def printed(atlas: Atlas, layer: int, head: int) -> tuple[Printed, ...]:
    """What was printed about this head, the largest gain first; empty if the model is not that of the papers."""
    if not is_papers(atlas.results.manifest.model) or atlas.shape != SHAPE:
        return ()
    found = [one for place, one in _all() if place == (layer, head)]
    return tuple(sorted(found, key=lambda one: -one.gain))


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
    """A sentence on what was printed and by which source, and one for each such relation that could be counted here.

    `named` says whether the head is named for something here. `already` is a relation, in words: the page has said
    before what was counted of it here, and why the head is not named for it.
    """
    paper, notebook = (listed([one.told for one in some if one.source == source]) for source in (PAPER, NOTEBOOK))
    tried = [own for one in some if (own := tracked.relation(in_words(one.relation), layer, head))]
    here = [
        f"Here, on all sentences, it is right for {percent(own.right)} of {own.n:,} {in_words(own.relation)}, the best "
        f"fixed offset for {percent(alone(own.baseline.value))}."
        for own in tried
        if in_words(own.relation) != already
    ]
    if not paper:
        said = "The notebook of {source}, but not the paper, has this head of BERT-base as the best for {notebook}"
    else:
        also = "; their notebook, but not the paper, also has it as the best for {notebook}" if notebook else ""
        said = f"{{source}} print this head of BERT-base as the best for {{paper}}{also}"
    return prose(
        f"{said}. {{here}}{{rule}}",
        source=to_reference(*REFERENCE, page),
        paper=paper,
        notebook=notebook,
        here=" ".join(here) if tried else "No treebank that was read here has words enough of this to compare.",
        rule=f"{UNNAMED}{tracked.choices.reason(tried[0], (layer, head))}" if tried and not (named or already) else "",
    )


def unnamed(some: tuple[Printed, ...], tracked: Tracked, layer: int, head: int) -> str:
    """What stands instead of "no specialty found" beside a head that a source names; empty if those words are right."""
    if not some:
        return ""
    own = tracked.relation(in_words(some[0].relation), layer, head)
    if own is None:
        return UNTESTED
    return UNSETTLED if own.right.low > own.baseline.value else ""


def headline(some: tuple[Printed, ...], tracked: Tracked, layer: int, head: int) -> str:
    """Words after the head's name: what a source says that it does, and whether it does so here; empty if none does."""
    if not some:
        return ""
    name = in_words(some[0].relation)
    own = tracked.relation(name, layer, head)
    in_paper = some[0].source == PAPER
    best = f"is the paper's head for {name}" if in_paper else f"is best for {name} in the paper's notebook"
    if own is None:
        return f"{best}; here that was not tested"
    if own.right.low > own.baseline.value:
        return f"{best}; here it is right for {percent(own.right, ends=False)} of {own.n:,}"
    return f"{best}; here it does not clearly find them"


def labels(some: tuple[Printed, ...]) -> str:
    """Search words by which a reader may look for a head with these relations."""
    return " ".join(word for one in some for word in (in_words(one.relation), *labels_of(in_words(one.relation))))


@cache
def _all() -> tuple[tuple[tuple[int, int], Printed], ...]:
    return tuple(_read())


def _read() -> Iterator[tuple[tuple[int, int], Printed]]:
    known = read_published(FOLDER)
    for key, layer in known.items():
        row, _, column = key.rpartition(".")
        source, _, relation = row.rpartition(".")
        if column == "layer" and source in (PAPER, NOTEBOOK) and relation not in LEFT_OUT:
            note = known[f"{row}.accuracy"].note
            note = note if note.startswith(MISPRINT) else ""
            right, baseline = (known[f"{row}.{what}"].value for what in ("accuracy", "baseline"))
            trusted = f"{NOTEBOOK}.{relation}" if note else row
            gain = known[f"{trusted}.accuracy"].value - known[f"{trusted}.baseline"].value
            place = int(layer.value), int(known[f"{row}.head"].value)
            yield place, Printed(relation, right, baseline, gain, source, note)
