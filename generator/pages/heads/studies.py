"""What is said about one head beside its name: where else it looks, what it writes, and what topics and sources say."""

import math
from collections.abc import Collection, Iterator, Mapping

from generator.claims.evidence.reasons import SAVED
from generator.claims.gate.maps import NEAR
from generator.numbers.writing import percent
from generator.pages import addresses
from generator.pages.blocks import Block, Section
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.naming.trait import goes_to
from generator.pages.heads.of_head import Counted, in_short, of_head
from generator.pages.heads.papers_model import MODEL, OURS, is_papers
from generator.pages.heads.summary import ORDINARY, SILENT, TARGETS, Summary, weaker
from generator.pages.inline import Code, Link, Prose, prose

AGREE = 0.15
"""Below this difference, in shares, the weight and the norm of a class are said to agree."""
LITTLE = 0.05
"""Targets that get a smaller share of a head's attention are not told."""
CLASSES = (("[CLS]", "cls"), ("[SEP]", "sep"), ("periods and commas", "punctuation"), (ORDINARY, "other"))
"""Classes of tokens in words -> how their measures' names end."""


def words_of_classes(atlas: Atlas) -> Mapping[str, str]:
    """How the names of measures of a class of tokens end -> the class in words, with this model's special tokens."""
    special = atlas.special_tokens
    return {name: words for words, name in CLASSES} | {
        name: special[kind] for name, kind in (("cls", "begin"), ("sep", "separator")) if kind in special
    }


class HeadStudies:
    """The studies of one model, arranged by head; made once for all of its pages."""

    def __init__(self, atlas: Atlas) -> None:
        self._atlas, self._topics, self._words = atlas, of_head(atlas), words_of_classes(atlas)

    def sections(self, layer: int, head: int, page: str) -> Iterator[Section]:
        """What topics show of the head in sections of their own."""
        return filter(None, (topic.section(layer, head, page) for topic in self._topics))

    def opening(self, layer: int, head: int, page: str) -> Iterator[Block]:
        """What topics show before the sections that are folded."""
        return filter(None, (topic.opening(layer, head, page) for topic in self._topics))

    def numbers(self, layer: int, head: int, page: str) -> Iterator[Prose]:
        """What they say below the table of its numbers."""
        return filter(None, (topic.numbers(layer, head, page) for topic in self._topics))

    def claims(self, layer: int, head: int) -> Collection[str]:
        """The ids of claims for which a source prints this head."""
        return {claim for topic in self._topics for claim in topic.claims(layer, head)}

    def below(self, layer: int, head: int, page: str) -> Iterator[Block]:
        """What topics show at once below its sentences."""
        return filter(None, (topic.below(layer, head, page) for topic in self._topics))

    def own(self, layer: int, head: int) -> Summary:
        """What is known of a head from the maps shown, without what `before` tells of it."""
        summary = self._atlas.summaries[layer, head]
        return summary.alone if self.searched(layer, head) else summary

    def badge(self, layer: int, head: int) -> tuple[str, str]:
        """How far to believe what is measured here of a head, in a few words, and why. What was counted of a published
        relation decides, if the head has no name for a find.
        """
        summary = self._atlas.summaries[layer, head]
        found = self._counted(layer, head)
        unnamed = {name: counted.reason for name, counted in found.items() if counted.reason}
        if not unnamed:
            return summary.badge
        level, why = self.own(layer, head).badge
        clauses = "; ".join(reason.clause_on(name) for name, reason in unnamed.items())
        first = next(iter(found.values())).reason
        if summary.kind in weaker() and first:
            level = first.sure
        return level, f"{clauses[:1].upper()}{clauses[1:]}. {why}"

    def before(self, layer: int, head: int, page: str) -> tuple[Prose, ...]:
        """What a source prints about this head, and what was counted here of it and of what it finds without being
        named for it; empty if no source names it.
        """
        if not self.searched(layer, head):
            return ()
        found = self._counted(layer, head)
        here = "; ".join(counted.text for counted in found.values())
        said = [text for topic in self._topics if (text := topic.before(layer, head, page, tuple(found)))]
        return *said, *([f"{OURS}: {here}."] if here else [])

    def _counted(self, layer: int, head: int) -> Mapping[str, Counted]:
        """What a source names a head for, in words -> what was counted here of it."""
        aside = self._atlas.summaries[layer, head].aside
        found = {name: own for topic in self._topics for name, own in topic.counted(layer, head).items()}
        if self.searched(layer, head) and aside and aside.relation not in found:
            found[aside.relation] = Counted(aside.text.removesuffix("."), aside.reason)
        return found

    def saved(self, page: str) -> Prose | None:
        """What the maps of this model are, if maps are all that was at hand, and how to get more; otherwise None."""
        manifest = self._atlas.results.manifest
        if manifest.observed != SAVED:
            return None
        full = "{command} makes full pages of BERT-base" if is_papers(manifest.model) else "a full page needs weights"
        return prose(
            "Only {saved} of {documents} documents are at hand, so this page is short; " + full + ".",
            saved=Link("saved maps", addresses.relative(addresses.model(self._atlas.slug), page)),
            documents=str(self._atlas.documents),
            command=Code(f"fieldguide analyze {MODEL}"),
        )

    def searched(self, layer: int, head: int) -> str:
        """What the search reads of what a source prints about this head."""
        return in_short(self._atlas, layer, head)

    def needed(self, layer: int, head: int) -> str:
        """What topics say of whether the model needs it, such as what disabling it changes."""
        return " ".join(filter(None, (topic.needed(layer, head) for topic in self._topics)))

    def looks(self, layer: int, head: int) -> str:
        """Where else it looks than its title and the sentence below say, compared with what it writes, and what topics
        add.
        """
        more = (topic.looks(layer, head) for topic in self._topics)
        return " ".join(filter(None, (self._besides(layer, head), self._writes(layer, head), *more)))

    def _besides(self, layer: int, head: int) -> str:
        """The other targets that get LITTLE of its attention or more, the largest share first, and ordinary words; what
        a token is before where it stands, for the two overlap.
        """
        summary, at = self._atlas.summaries[layer, head], (layer - 1, head - 1)
        columns = {target.column: target.words for target in TARGETS}
        columns |= {f"attention.{key}": words for key, words in self._words.items()}
        others = (columns.keys() & self._atlas.estimates.keys()) - {*summary.looks, *summary.shares}
        shares = {column: self._value(column, at) for column in columns if column in others}
        named = sorted((column for column in shares if shares[column] >= LITTLE), key=lambda column: -shares[column])
        told: list[str] = []
        for beginning, near in (("By kind of token, ", False), ("By place, ", True)):
            of = [(self._percent(column, at), columns[column]) for column in named if (column in NEAR) == near]
            text = goes_to(of, " goes to ") if near and told else goes_to(of)
            told += [f"{beginning}{text}."] if of else []
        return " ".join(told)

    def _writes(self, layer: int, head: int) -> str:
        """The class of tokens whose share of its attention is furthest from the share of what it writes; "" if the
        summary says so.
        """
        at = layer - 1, head - 1
        gaps = {name: self._value(f"attention.{name}", at) - self._value(f"norm.{name}", at) for _, name in CLASSES}
        gaps = {name: gap for name, gap in gaps.items() if not math.isnan(gap)}
        if not gaps:
            saved = self._atlas.results.manifest.observed == SAVED
            return "" if saved else "Its output cannot be seen: only its weights are stored."
        most = max(gaps, key=gaps.__getitem__)
        most = most if gaps[most] >= AGREE else max(gaps, key=lambda name: abs(gaps[name]))
        if abs(gaps[most]) < AGREE:
            return ""
        if f"norm.{most}" in self._atlas.summaries[layer, head].shares:
            return ""
        seen, norm = (self._value(f"{of}.{most}", at) for of in ("attention", "norm"))
        written, words = self._percent(f"norm.{most}", at), self._words[most]
        if norm < SILENT * seen:
            return f"But only {written} of its output comes from {words}."
        if norm > seen:
            return f"It takes more from {words} than its arcs show: {written} of its output."
        return f"Of its output, {written} comes from {words}."

    def _percent(self, column: str, at: tuple[int, int]) -> str:
        """A share of one head in per cent, rounded as beside its interval."""
        return percent(self._atlas.estimates[column].of(at[0] + 1, at[1] + 1), ends=False)

    def _value(self, column: str, at: tuple[int, int]) -> float:
        return float(self._atlas.estimates[column].value[at])
