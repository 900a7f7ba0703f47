"""The heads that a paper prints for what a claim is about: how they do here, and the claims that such a head is for."""

from collections.abc import Collection, Iterator, Mapping
from functools import cache

from generator.claims.all import CLAIMS
from generator.claims.claim import Claim
from generator.corpora.relation_names import in_words
from generator.numbers.writing import listed
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.papers_model import has_printed
from generator.pages.inline import Joined, Link, Part
from generator.pages.links import to_head
from generator.topics.relations.page.printed import printed_for, right_for
from generator.topics.relations.page.tried import tried_by


def printed_heads(claim: Claim, atlas: Atlas, page: str) -> Iterator[str | Part]:
    """Sentences that say how the heads printed for the claim do in this model, with a link to each and the numbers of
    its page; nothing if none was printed, and nothing in models that are not that of the papers.
    """
    untested: list[tuple[Link, str]] = []
    for place, printed in printed_for(claim.published) if has_printed(atlas) else ():
        name, link = in_words(printed.relation), to_head(atlas.slug, *place, page)
        if own := tried_by(atlas.results, name, *place):
            yield from (" Head ", link, f", which the paper prints, is {right_for(own)}, both on all sentences.")
        else:
            untested.append((link, name))
    if untested:
        *links, last = (link for link, _ in untested)
        yield from (" Heads ", Joined(tuple(links)), " and ", last) if links else (" Head ", last)
        names = listed([name for _, name in untested])
        yield f", which the paper prints for {names}, {'were' if links else 'was'} not tested: "
        yield "too few words are so labelled."


def printed_in(layer: int, head: int) -> Collection[str]:
    """The claims for which a paper prints this head of its model."""
    return _by_head().get((layer, head), ())


@cache
def _by_head() -> Mapping[tuple[int, int], Collection[str]]:
    """1-based (layer, head) -> the claims for which a paper prints it."""
    found: dict[tuple[int, int], set[str]] = {}
    for claim in CLAIMS:
        for place, _ in printed_for(claim.published):
            found.setdefault(place, set()).add(claim.id)
    return found
