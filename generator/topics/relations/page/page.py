"""A model's page on relations: what single heads find of syntax and coreference, against baselines."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import pandas as pd

from generator.claims.cutoffs import FEWEST_WORDS
from generator.corpora.languages import language_name
from generator.corpora.relation_names import ALL, DIRECTIONS, NOT_RELATIONS, in_words, labels_of, with_label
from generator.corpora.treebank import TREEBANK
from generator.numbers.number import Number
from generator.numbers.writing import listed, number, percent
from generator.pages import addresses
from generator.pages.blocks import SURE, Block, Figure, Items, Note, Section, Sections, Table, opening, present
from generator.pages.figures import ByCorpus
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell, Count, Name, Prose, prose
from generator.pages.links import model_crumbs, to_head, to_reference, to_term
from generator.pages.studies.seen import UNOPPOSED
from generator.pages.studies.study_page import StudyPage
from generator.pages.studies.tables import (
    NOTHING,
    corpora,
    count,
    measured,
    relation_cell,
    stored,
    table,
    title,
    with_interval,
)
from generator.results.tables import records
from generator.studies.halves import HELD_OUT, SAME_DATA
from generator.topics.mentions.page.coreference import coreference
from generator.topics.probes.page import probes
from generator.topics.relations.claims.finds import LEAST_GAIN, Treebanks, in_one, names_some
from generator.topics.relations.page.figure import relation_figure
from generator.topics.relations.page.tables import head_cell, trees, twin_cell, words
from generator.topics.relations.records.relations import EDGE, FEW_WORDS, TWINS
from generator.topics.relations.records.trees import WORDS

TITLE = "Relations"
RARE = f"no relation that could name a head has {FEWEST_WORDS} words or more on the half that is counted"
SEVERAL = ", and in no other treebank is the head right no more often than the offset"
_TWIN = (
    f" An untrained twin has the same architecture and random parameters. The best heads of {TWINS} twins are chosen "
    "in the same way: the number is their mean, and below it stand the lowest and the highest."
)


def there(atlas: Atlas) -> bool:
    """Whether a treebank or linked mentions were read."""
    return bool(len(atlas.results.table("relation_heads")) or len(atlas.results.table("antecedents")))


class Treebank(NamedTuple):
    """The chosen heads of one treebank."""

    corpus: str
    id: str
    """Its anchor."""
    rows: pd.DataFrame
    """All rows of `relation_heads`."""
    held: pd.DataFrame
    """The rows of single relations, counted on held-out sentences, the largest gain first."""
    elsewhere: Treebanks
    """What all treebanks say together."""

    @property
    def common(self) -> list[dict[str, Any]]:
        """Relations with words enough for a head to be named."""
        return [row for row in records(self.held) if names_some(row)]

    @property
    def clear(self) -> list[dict[str, Any]]:
        """Those of `common` whose head is clearly better than a fixed offset and than untrained models, and is not
        contradicted by another treebank.
        """
        return [row for row in self.common if in_one(row).given and not self.elsewhere.contradicted(row)]


def relations_page(atlas: Atlas) -> Sections:
    """Everything that was found about words of treebanks and about mentions."""
    here = addresses.relations(atlas.slug)
    read = list(treebanks(atlas))
    linked = list(coreference(atlas, here))
    return Sections(
        title=TITLE,
        lead=_lead(read, len(linked)),
        card=_lead(read[:1], len(linked)),
        crumbs=model_crumbs(atlas.slug, atlas.results.manifest.model, here),
        sections=(how(here), *(part for treebank in read for part in _sections(atlas, treebank, here)), *linked),
    )


def tried(atlas: Atlas) -> Iterator[str]:
    """Each relation in words, with its labels in all treebanks."""
    rows = atlas.results.table("relation_heads")
    for plural in sorted({in_words(relation) for relation in set(rows["relation"]) - set(NOT_RELATIONS)}):
        yield " ".join((plural, *labels_of(plural)))


def treebanks(atlas: Atlas) -> Iterator[Treebank]:
    """The treebanks that were read, in the order of the manifest."""
    rows = atlas.results.table("relation_heads")
    for place, corpus in enumerate(corpora(rows, atlas.results.manifest.of(TREEBANK)), start=1):
        own = rows[rows["corpus"] == corpus]
        held = own[(own["protocol"] == HELD_OUT) & (own["relation"] != ALL)]
        ordered = held.sort_values(["gain", "relation"], ascending=[False, True])
        yield Treebank(corpus, f"treebank-{place}", own, ordered, atlas.results.once(Treebanks.of))


def _sections(atlas: Atlas, treebank: Treebank, page: str) -> Iterator[Section]:
    """The relations of a treebank, then all words, whole trees and all heads together."""
    yield relations(atlas, treebank, page)
    yield words(atlas, treebank.corpus, treebank.id, treebank.rows, page)
    yield from present(
        trees(atlas, treebank.corpus, treebank.id, page), probes(atlas, treebank.corpus, treebank.id, page)
    )


def _lead(treebanks: list[Treebank], linked: int) -> str:
    counted = [treebank for treebank in treebanks if treebank.common]
    text = " ".join(
        f"In {treebank.corpus}, for {len(treebank.clear)} of {len(treebank.common)} dependency relations with "
        f"{FEWEST_WORDS} words or more some head is clearly better than any fixed offset, and {UNOPPOSED}."
        for treebank in counted[:1]
    )
    if others := [f"{len(treebank.clear)} of {len(treebank.common)} in {treebank.corpus}" for treebank in counted[1:]]:
        text += f" The same is true for {listed(others)}."
    if treebanks and not counted:
        text = f"In {listed([treebank.corpus for treebank in treebanks])} {RARE}."
    return text or f"How often heads select an antecedent, in {linked} of the texts."


def how(page: str) -> Section:
    """What a pick is, and which sentences were used to choose heads."""
    return opening(
        prose(
            "For every word a head picks the other word with the largest weight, read both ways: the word it attends "
            "to, or the word that attends to it. The pick is right where it is the word's head word in the treebank. "
            f"A fixed offset always picks the word at the same distance, such as the next one. {EDGE} On the "
            "sentences on which it was chosen, the best of many heads looks better than it is. So numbers called "
            "{protocol} are counted on other sentences; those called same data are counted on the same ones, as in the "
            "papers. After {clark} and {htut}; the halves, the baselines and the intervals are ours.",
            protocol=to_term("held-out-half", "held-out", page),
            clark=to_reference("clark2019", "Clark et al. 2019", page),
            htut=to_reference("htut2019", "Htut et al. 2019", page),
        )
    )


def relations(atlas: Atlas, treebank: Treebank, page: str) -> Section:
    """What was read, which relations have a clearly better head, and every relation with its head."""
    every = list(records(treebank.held))
    same = {row["relation"]: row for row in records(treebank.rows[treebank.rows["protocol"] == SAME_DATA])}
    rare = sum(row["n"] < FEWEST_WORDS for row in every)
    found: tuple[Block, ...] = (
        f"No head is clearly better than the best fixed offset at a relation with {FEWEST_WORDS} words or more."
        if treebank.common
        else f"{RARE[0].upper()}{RARE[1:]}.",
    )
    if treebank.clear:
        clear = Items(_clear(atlas, treebank, page), f"fg-list {SURE}")
        found = "Clearly better than the best fixed offset, on held-out sentences:", clear
    no_twin = ", and the best head of no untrained twin does as well" if treebank.held["twin"].notna().any() else ""
    several = SEVERAL if atlas.results.table("relation_heads")["corpus"].nunique() > 1 else ""
    few = f"{rare} of them {'has' if rare == 1 else 'have'} fewer than {FEWEST_WORDS} on the half that is counted"
    tested = Note(
        f"{len(every)} relations with {FEW_WORDS} words or more, both halves together, were tried; {few}, too few to "
        "name a head. A gain is the accuracy of the head minus that of the offset. It is called clear where it is "
        f"{number(LEAST_GAIN)} or more, and its 95 % interval lies above 0{no_twin}{several}; each interval is for its "
        "relation alone."
    )
    shown: tuple[Block, ...] = ()
    if every:
        note = Note(
            "Rank 1 is the best of all heads and directions on the half that is counted; the head that the other half "
            f"chose may rank lower.{_TWIN if treebank.held['twin'].notna().any() else ''}"
        )
        figure = relation_figure(
            atlas, corpus=treebank.corpus, rows=treebank.held, clear=treebank.clear, anchor=treebank.id, page=page
        )
        shown = figure, _table(atlas, treebank.corpus, every, same, page), note
    return Section(treebank.id, Name(title(treebank.corpus)), (_read(atlas, treebank.corpus), *found, tested, *shown))


def _clear(atlas: Atlas, treebank: Treebank, page: str) -> tuple[Prose, ...]:
    return tuple(
        prose(
            "{relation} {head} {gain}{alone}",
            relation=Name(with_label(row["relation"])),
            head=to_head(atlas.slug, row["layer"], row["head"], page),
            gain=Count(f"gain {with_interval(row, 'gain', 'gain_low', 'gain_high')}, n {row['n']:,}"),
            alone="".join(f"; {text}" for text in treebank.elsewhere.unshared(row)),
        )
        for row in treebank.clear
    )


def _read(atlas: Atlas, corpus: str) -> str:
    counts = atlas.results.manifest.counts.get(corpus, {})
    language = language_name(atlas.results.manifest.languages.get(corpus, ""))
    text = f"{counts.get('sentences', 0):,} sentences of {counts.get('words', 0):,} words were read, in {language}"
    long = counts.get("long", 0)
    left = f"{long:,} sentences longer than one input were" if long != 1 else "1 sentence longer than one input was"
    text += f"; {left} left out." if long else "."
    for row in records(stored(atlas, "facts", corpus=corpus, study=WORDS, name="split")):
        text += f" The tokenizer splits {percent(Number.of(row))} of the words; attention to a split word is the sum "
        text += "over its pieces, attention from it their mean."
    return text


def _table(
    atlas: Atlas, corpus: str, rows: list[dict[str, Any]], same: Mapping[str, Mapping[str, Any]], page: str
) -> Table:
    layers, heads = atlas.shape
    ranked = len(DIRECTIONS) * layers * heads
    columns = (
        to_term("dependency-relation", "relation", page),
        to_term("direction", "head, direction", page),
        "accuracy",
        to_term("n", "n, words", page),
        to_term("fixed-offset", "best offset", page),
        to_term("gain", "gain", page),
        to_term("untrained-twin", "untrained twin", page),
        to_term("rank", f"rank of {ranked}", page),
        to_term("same-data", "same data: head", page),
        "same data: accuracy",
        "same data: gain",
    )
    return table(
        f"Relations of {corpus}, one head each",
        columns,
        (
            (
                relation_cell(row["relation"]),
                head_cell(atlas, row, page),
                measured(row),
                count(row["n"]),
                _offset(row),
                measured(row, "gain", "gain_low", "gain_high"),
                twin_cell(row),
                count(row["rank"]),
                *_same_data(atlas, same.get(row["relation"]), page),
            )
            for row in rows
        ),
    )


def _same_data(atlas: Atlas, row: Mapping[str, Any] | None, page: str) -> tuple[Cell, Cell, Cell]:
    if row is None:
        return NOTHING, NOTHING, NOTHING
    return head_cell(atlas, row, page), measured(row), measured(row, "gain", "gain_low", "gain_high")


def _offset(row: Mapping[str, Any]) -> Cell:
    found = measured(row, "baseline", "baseline_low", "baseline_high")
    return Cell(f"{row['offset']:+d}: {found.text}", note=found.note)


def _figures(atlas: Atlas) -> Mapping[str, Callable[[], Figure]]:
    """Treebank -> what makes the figure of its relations, for notebooks, in which nothing has a link."""
    return {
        treebank.corpus: partial(
            relation_figure, atlas, treebank.corpus, treebank.held, clear=treebank.clear, anchor=treebank.id, page=""
        )
        for treebank in treebanks(atlas)
        if len(treebank.held)
    }


FIGURE = ByCorpus("relations", "a treebank", "relations of a treebank", "analyse it with a treebank", _figures)
PAGE = StudyPage(TITLE, addresses.relations, there, relations_page, tried)
