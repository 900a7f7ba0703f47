"""What one head finds: dependency relations, compared with fixed offsets, and antecedents, compared with rules."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from generator.claims.gate.statement import Place
from generator.corpora.relation_names import DIRECTION_IN_WORDS, in_words
from generator.numbers.number import Number
from generator.numbers.writing import in_letters, listed, number, percent, pieces
from generator.pages import addresses
from generator.pages.blocks import SURE, Block, Section
from generator.pages.heads.drawn import Drawn
from generator.pages.heads.of_head import OfHead
from generator.pages.heads.onward import to_same_job
from generator.pages.inline import Cells, Link, Prose
from generator.pages.studies.tables import count, relation_cell, table
from generator.topics.mentions.page.found import antecedent_rows, gain_cell
from generator.topics.relations.claims.finds import COUNTED, LEAST_GAIN, Treebanks, leads
from generator.topics.relations.claims.sentences import Sentences
from generator.topics.relations.derived.tried import Tried
from generator.topics.relations.page.drawn import drawn_of, sought
from generator.topics.relations.page.page import there
from generator.topics.relations.page.pick import of_arrows
from generator.topics.relations.page.tried import tried_by, tried_in
from generator.topics.relations.records.relations import FEW_WORDS

MOST = 3
"""Relations that are listed."""
LEAD = (
    "On all sentences it finds {which} surely more often than the best fixed offset, by an estimated {gain} or more"
    "{most}. Every relation of {words} words or more was tried{where}."
)

UNKEPT = "No sentence with {relation} is kept of this head, so these arcs do not show what it finds."
SEVERAL = ", in the treebank that has most of them, this project's own last"
DENIED = {
    True: " Not told, as its picks may often be special tokens: {relations}.",
    False: " Not told, as some treebank contradicts it: {relations}.",
}
"""What it is not said to find, by whether it leads in every treebank if special tokens are left aside."""


class Tracked(OfHead):
    """What the heads of one model find, arranged by head."""

    @cached_property
    def _treebanks(self) -> int:
        """How many were read."""
        return int(self.atlas.results.table(COUNTED)["corpus"].nunique())

    @cached_property
    def _leads(self) -> Mapping[bool, dict[Place, list[Tried]]]:
        """What each head finds, the largest lead first, by whether no treebank contradicts."""
        tried, treebanks = self.atlas.results.once(tried_in), self.atlas.results.once(Treebanks.of)
        found: dict[bool, dict[Place, list[Tried]]] = {True: {}, False: {}}
        for place, lead in leads(tried.drop_duplicates(["relation", "layer", "head"])):
            found[treebanks.stands(lead, place)].setdefault(place, []).append(lead)
        return found

    def drawn(self, layer: int, head: int) -> Sequence[Drawn]:
        """Sentences in which it is right about the relation of which its title speaks, or is not."""
        relation, direction = sought(self.atlas.summaries[layer, head])
        return [*drawn_of(self.atlas, relation, direction, (layer, head))] if relation else []

    def looks(self, layer: int, head: int) -> str:
        """Where more of its attention surely goes in sentences of treebanks, of a head that looks at one token; nothing
        of one whose own sentence says so.
        """
        summary, sentences = self.atlas.summaries[layer, head], self.atlas.results.once(Sentences)
        column, place = next(iter(summary.looks), ""), (layer, head)
        found = {corpus: rival for corpus in sentences.heard if (rival := sentences.rival(corpus, column, place))}
        shares: dict[str, list[str]] = {}
        for corpus, (name, row) in found.items():
            share = f"{percent(Number.of(row), ends=False)} in {corpus}"
            shares.setdefault(self.atlas.target_words[name], []).append(share)
        shares = {} if summary.turned else shares
        gets = [f"{words} gets more, {listed(where)}" for words, where in shares.items()]
        return f"In single sentences {'; '.join(gets)}." if gets else ""

    def undrawn(self, layer: int, head: int) -> str:
        """That none is kept."""
        relation, _ = sought(self.atlas.summaries[layer, head])
        return UNKEPT.format(relation=in_words(relation)) if relation else ""

    def beside(self, layer: int, head: int, page: str) -> Prose:
        """How many of its strong arrows are links of its relation."""
        return of_arrows(self.atlas.summaries[layer, head].found, page)

    def same_job(self, layer: int, head: int, page: str) -> Prose:
        """A link to the heads of all models that find the relation of which its title speaks."""
        summary = self.atlas.summaries[layer, head]
        plural = in_words(summary.found.relation) if summary.found and summary.found.relation else ""
        plural = plural or (summary.aside.relation if summary.aside and summary.kind == "none" else "")
        own = tried_by(self.atlas.results, plural, layer, head) if plural else None
        if own is None or own.relation not in self.atlas.written.relations:
            return ""
        return to_same_job(f"{own.relation} > {own.baseline.value:.2f}", page)

    def section(self, layer: int, head: int, page: str) -> Section | None:
        """The section on what this head finds; None if the model read no treebank."""
        if not self._treebanks:
            return None
        found = self._leads[True].get((layer, head), [])
        more = Link("all relations", addresses.relative(addresses.relations(self.atlas.slug), page))
        rows = (*map(_row, found[:MOST]), *antecedent_rows(self.atlas, layer, head))
        named = self.atlas.summaries[layer, head].found
        other = "other " * bool(named and named.relation)
        which = "these dependency relations" if found else f"no {other}dependency relation"
        if len(found) > MOST:
            which = f"{in_letters(len(found))} dependency relations"
        most = f"; below are the {in_letters(MOST)} with the largest gain" if len(found) > MOST else ""
        few = f"No dependency relation that was read has {FEW_WORDS} words or more, so none was tried."
        where = SEVERAL if self._treebanks > 1 else ""
        lead = (
            LEAD.format(which=which, gain=LEAST_GAIN, most=most, words=FEW_WORDS, where=where)
            + self._denied(layer, head)
            if len(self.atlas.results.once(tried_in))
            else few
        )
        sentence: Block = (lead, " See ", more, ".") if there(self.atlas) else (lead,)
        columns = ("finds", "how", "accuracy", "95 % interval", "n", "baseline", "gain", "corpus")
        shown = (table("What this head finds", columns, rows, SURE),) if rows else ()
        return Section("relations", "What it finds", (sentence, *shown))

    def _denied(self, layer: int, head: int) -> str:
        """What it is not said to find, though its lead is clear."""
        treebanks = self.atlas.results.once(Treebanks.of)
        denied: dict[bool, list[str]] = {}
        for lead in self._leads[False].get((layer, head), ()):
            denied.setdefault(treebanks.leads_in_all(lead, (layer, head)), []).append(in_words(lead.relation))
        return "".join(DENIED[leads].format(relations=listed(relations)) for leads, relations in denied.items())


def _row(tried: Tried) -> Cells:
    base = f"{number(tried.baseline.value)} at {tried.offset:+d}"
    how = DIRECTION_IN_WORDS[tried.direction]
    return (
        relation_cell(tried.relation),
        how,
        *pieces(tried.right),
        count(tried.n),
        base,
        gain_cell(tried.gain),
        tried.corpus,
    )


OF_HEADS = Tracked
