"""What a paper or its notebook says of a head, and what is found here: readers may look for head 8-10 of BERT-base."""

from collections.abc import Container, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from generator.claims.cutoffs import FEWEST_WORDS
from generator.claims.gate.statement import given, mostly
from generator.claims.published import FOLDER, read_published
from generator.corpora.relation_names import in_words, labels_of, with_label
from generator.numbers.number import alone
from generator.numbers.writing import ALONE, listed, percent
from generator.pages.heads.aside import Reason
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.found import ALL, OFFSET, Finding
from generator.pages.heads.naming.specialty import Specialty
from generator.pages.heads.of_head import Counted
from generator.pages.heads.papers_model import has_printed
from generator.pages.inline import Prose, prose
from generator.pages.links import to_reference
from generator.topics.relations.claims.finds import RELATION, Treebanks
from generator.topics.relations.derived.tried import Tried
from generator.topics.relations.page.asides import NOT_BEST, UNSURE, reason
from generator.topics.relations.page.tried import tried_by

PAPER, NOTEBOOK = "clark.table1", "clark.notebook"
"""The table that the paper prints, and the output of its released notebook, which has more relations."""
MISPRINT = "likely a misprint"
"""How the note begins of a number that the record takes for a misprint; the notebook's then give the gain."""
REFERENCE = "clark2019", "Clark et al. 2019"
PUBLISHED, BEST = "Published", "the best head of BERT-base, before it is tuned, for"
"""How what a source says of a head begins."""
AUTHORS = REFERENCE[1].rpartition(" ")[0]
LEFT_OUT = ("all", "dep")
"""Rows that are no relation: all words together, and links without a name."""


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
        right, baseline = (percent(alone(value), digits=ALONE) for value in (self.right, self.baseline))
        offset = f"the best fixed offset for {baseline}" if right != baseline else "as is the best fixed offset"
        text = f"{with_label(self.relation)}: right for {right}, {offset}"
        return f"{text} ({self.note})" if self.note else text


def printed_for(keys: Iterable[str]) -> tuple[tuple[tuple[int, int], Printed], ...]:
    """The heads that a source names beside published numbers with these keys."""
    rows = {key.rpartition(".")[0] for key in keys}
    return tuple((place, entry) for place, entry in _all() if f"{entry.source}.{entry.relation}" in rows)


def of_paper() -> tuple[tuple[tuple[int, int], Printed], ...]:
    """The heads that the paper itself prints, as layer and head, each with its relation, in its order."""
    return tuple((place, entry) for place, entry in _all() if entry.source == PAPER)


def printed(atlas: Atlas, layer: int, head: int) -> tuple[Printed, ...]:
    """What was printed about this head, the largest gain first; empty if the model is not that of the papers."""
    if not has_printed(atlas):
        return ()
    found = [entry for place, entry in _all() if place == (layer, head)]
    return tuple(sorted(found, key=lambda entry: -entry.gain))


def published(some: tuple[Printed, ...], tested: Container[str], page: str) -> Prose:
    """What was printed about a head, and by which source: true of that model and text, not of the maps shown.

    `tested` are the relations, in words, that could be counted here.
    """
    paper, notebook = (
        "; ".join(entry.told for entry in some if entry.source == source) for source in (PAPER, NOTEBOOK)
    )
    said = f"{PUBLISHED} by {{source}}: {BEST} {paper}."
    if not paper:
        said = f"{PUBLISHED} in the notebook of {{source}}, but not in the paper: {BEST}"
    also = " Their notebook, but not the paper, adds" if paper else ""
    said += f"{also} {notebook}." if notebook else ""
    untested = [name for entry in some if (name := in_words(entry.relation)) not in tested]
    of = f" for {listed(untested)}" if len(untested) < len(some) else ""
    said += f" Not tested here{of}: too few words are so labelled." if untested else ""
    return prose(said, source=to_reference(*REFERENCE, page))


def counted(some: tuple[Printed, ...], atlas: Atlas, layer: int, head: int) -> dict[str, Counted]:
    """Relation in words -> what was counted here of it, for those of which there are words enough."""
    named = {
        in_words(statement.about) for statement in given(atlas.candidates[layer, head]) if statement.kind == RELATION
    }
    treebanks, place = atlas.results.once(Treebanks.of), (layer, head)
    found: dict[str, Counted] = {}
    for name in (in_words(entry.relation) for entry in some):
        own = tried_by(atlas.results, name, layer, head)
        if own:
            why = None if name in named else reason(treebanks, own, place)
            if why and why.level == NOT_BEST and not treebanks.finds(own, place):
                why = Reason(UNSURE, "on all sentences its lead over the best fixed offset is not sure")
            found[name] = Counted(f"on all sentences {right_for(own)}", why)
    return found


def right_for(own: Tried) -> str:
    """How often a head is right about a relation on all sentences, beside the best fixed offset."""
    right, base = percent(own.right), percent(alone(own.baseline.value))
    return f"right for {right} of {own.n:,} {in_words(own.relation)}, the best fixed offset for {base}"


def headline(some: tuple[Printed, ...], atlas: Atlas, layer: int, head: int) -> str:
    """Words after the head's name: what a source says that it does, and whether it does so here; empty if none does.
    Where that could not be tested and something else can be said of the head, this is said.
    """
    if not some:
        return ""
    summary, name = atlas.summaries[layer, head], in_words(some[0].relation)
    if (summary.kind != "none" or summary.leans) and not tried_by(atlas.results, name, layer, head):
        return summary.title
    return f"is {AUTHORS}'s head for {name}; {_here(name, atlas, layer, head)}"


def _here(name: str, atlas: Atlas, layer: int, head: int) -> str:
    own = tried_by(atlas.results, name, layer, head)
    if own is None:
        return "not tested here"
    if atlas.results.once(Treebanks.of).finds(own, (layer, head)):
        return f"finds {'most' if mostly(own.right) else 'some'} of them here"
    return "too few to tell here" if own.n < FEWEST_WORDS else "not clearly here"


def here(some: tuple[Printed, ...], atlas: Atlas, layer: int, head: int) -> Finding | None:
    """How often a head is right here about what a source names it for, beside what was printed; None where the words
    are too few to tell.
    """
    name = in_words(some[0].relation)
    own = tried_by(atlas.results, name, layer, head)
    if own is None or own.n < FEWEST_WORDS:
        return None
    beside = ((OFFSET, own.baseline), ("as published", alone(some[0].right)))
    return Finding(f"on {name}", own.right, beside, f"{ALL} The published number is of other text.")


def confirmed(some: tuple[Printed, ...], found: Specialty | None) -> str:
    """Words after what a head is named for here, if a source names it for the same; otherwise empty."""
    name = in_words(found.relation) if found else ""
    same = [entry.source for entry in some if in_words(entry.relation) == name]
    if not same:
        return ""
    return f", as in {REFERENCE[1]}" if PAPER in same else f", as in the notebook of {REFERENCE[1]}"


def in_short(some: tuple[Printed, ...]) -> str:
    """One sentence on what was printed, with all labels under which readers may look for it; empty if nothing was."""
    if not some:
        return ""
    names = (in_words(entry.relation) for entry in some)
    text = listed([f"{name} ({', '.join(labels)})" if (labels := labels_of(name)) else name for name in names])
    return f"Published by {REFERENCE[1]} as BERT-base's best head for {text}."


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
            yield place, Printed(relation, right=right, baseline=baseline, gain=gain, source=source, note=note)
