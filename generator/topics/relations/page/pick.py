"""How many strong arrows of a head are links of the relation that it finds."""

from generator.corpora.relation_names import in_words
from generator.numbers.number import alone
from generator.numbers.writing import percent
from generator.pages import addresses
from generator.pages.heads.naming.specialty import Specialty
from generator.pages.inline import Link, Prose, prose
from generator.pages.studies.seen import HALF
from generator.topics.relations.records.relations import ARROWS


def of_arrows(specialty: Specialty | None, page: str) -> Prose:
    """The sentence on how many strong arrows of a head are links of its relation; empty if none were counted."""
    if not specialty or not specialty.arrows or not specialty.arrows[0].n:
        return ""
    right, offset, gain = specialty.arrows
    base, there = percent(alone(offset.value)), "at the best fixed offset"
    return prose(
        "{also}: {n} times it {arrows} of what words get; {right} of these are links of {relation}{base}.",
        also="It does more than that" if right.high < HALF else "The other way round",
        n=f"{right.n:,}",
        arrows=Link("gives one word over half", addresses.relative(addresses.study(ARROWS.name), page)),
        right=percent(right),
        relation=in_words(specialty.relation),
        base=f"; {there}, {base} would be" if gain.low > 0 else f", not surely more than {base} {there}",
    )
