"""What a paper says of a head, on the pages of its model: readers may look for head 8-10 of BERT-base."""

from collections.abc import Collection, Iterator

from generator.claims.claim import Claim
from generator.corpora.relation_names import in_words
from generator.pages.blocks import LINES, Items, Section
from generator.pages.heads.found import Finding
from generator.pages.heads.of_head import Counted, OfHead, title_of
from generator.pages.heads.summary import weaker
from generator.pages.inline import Kind, Part, Prose
from generator.pages.links import to_head
from generator.pages.of_model import OfModel
from generator.topics.relations.page.papers import printed_heads, printed_in
from generator.topics.relations.page.printed import (
    REFERENCE,
    confirmed,
    counted,
    headline,
    here,
    in_short,
    printed,
    published,
)


class Published(OfHead):
    """What a source prints of heads of BERT-base, and what was counted here of it."""

    def titled(self, layer: int, head: int) -> str:
        """By a source if it has no specialty here, otherwise what it is named for; what else a source says of it stands
        below. Empty if no source names it.
        """
        some = printed(self.atlas, layer, head)
        if not some:
            return ""
        summary = self.atlas.summaries[layer, head]
        if summary.kind in weaker():
            return headline(some, self.atlas, layer, head)
        return f"{summary.title}{confirmed(some, summary.found)}"

    def listed(self, layer: int, head: int) -> str:
        """What it is named for here and, marked as published, by a source; empty if no source names it."""
        summary, some = self.atlas.summaries[layer, head], printed(self.atlas, layer, head)
        if not some:
            return ""
        if confirmed(some, summary.found):
            return f"{summary.title} (as published)"
        title, lean = (summary.title.removesuffix(")"), "; ") if summary.title.endswith(")") else (summary.title, " (")
        return f"{title}{lean}published: best for {in_words(some[0].relation)})"

    def published(self, layer: int, head: int) -> str:
        """With all labels of its relations."""
        return in_short(printed(self.atlas, layer, head))

    def before(self, layer: int, head: int, page: str, tested: Collection[str]) -> Prose:
        """How often the source found it right, and which relations have too few words here."""
        some = printed(self.atlas, layer, head)
        return published(some, tested, page) if some else ""

    def counted(self, layer: int, head: int) -> dict[str, Counted]:
        """How often it is right here about the same relations."""
        return counted(printed(self.atlas, layer, head), self.atlas, layer, head)

    def finding(self, layer: int, head: int) -> Finding | None:
        """How often it is right about the relation with the largest gain in the source; None if no source names it, or
        the words are too few to tell.
        """
        some = printed(self.atlas, layer, head)
        return here(some, self.atlas, layer, head) if some else None

    def claims(self, layer: int, head: int) -> Collection[str]:
        """The claims beside whose published numbers the source names it."""
        return printed_in(layer, head) if printed(self.atlas, layer, head) else ()


class NamedHeads(OfModel):
    """The heads of BERT-base that a source names."""

    def sections(self, page: str) -> Iterator[Section]:
        """What became of them here."""
        named = [place for place in self.atlas.places if printed(self.atlas, *place)]
        lines = tuple(
            (
                Kind(self.atlas.summaries[place].kind, self.atlas.summaries[place].called),
                to_head(self.atlas.slug, *place, page),
                f" {title_of(self.atlas, *place)}",
            )
            for place in named
        )
        if named:
            yield Section("published", f"Heads that {REFERENCE[1]} name", (Items(lines, style=LINES),))

    def of_claim(self, claim: Claim, page: str) -> Iterator[str | Part]:
        """How those do that are printed for a claim."""
        yield from printed_heads(claim, self.atlas, page)


OF_HEADS = Published
OF_MODELS = NamedHeads
