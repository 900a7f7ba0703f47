"""The claims of the literature, in the order of the ledger: those on measures alone, and those of topics."""

from itertools import chain

from generator.claims.claim import Claim
from generator.claims.clark import breadth, position, special
from generator.claims.kovaleva import attention
from generator.claims.others import introductions
from generator.topics import of_topics

OF_MEASURES = (position, special, breadth, attention, introductions)
SOURCES = "CKHRQ"
"""First letters of our claims, one for each source, in the order of the ledger; any other follows."""


def _place(claim: Claim) -> tuple[int, str]:
    source = SOURCES.find(claim.id[0])
    return source if source >= 0 else len(SOURCES), claim.id


_ALL = chain((module.CLAIMS for module in OF_MEASURES), of_topics("claims", "CLAIMS"))
CLAIMS: tuple[Claim, ...] = tuple(sorted(chain.from_iterable(_ALL), key=_place))
