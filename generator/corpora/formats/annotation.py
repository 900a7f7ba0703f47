"""Sentences with one annotated frame each: the words that evoke it, and the words that fill its roles.

Two schools annotate frames. FrameNet names the elements of each frame and says which are core; PropBank numbers the
arguments of each predicate. Here both are a target and its elements. A sentence stands once for every frame in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.corpora.formats.raw import Sieve
from generator.corpora.kind import Content
from generator.errors import CorpusError


class Element(NamedTuple):
    """A role and the words that fill it."""

    name: str
    core: bool
    """Whether the frame cannot do without it."""
    positions: tuple[int, ...]
    """0-based places of its words, in order; at least one. They may be words of the target, too."""


@dataclass(frozen=True)
class FrameSentence:
    """The words of a sentence, and one frame in it."""

    id: str
    words: tuple[str, ...]
    target: tuple[int, ...]
    """0-based places of the words that evoke the frame, in order; at least one."""
    elements: tuple[Element, ...]
    """Empty if no role is filled in this sentence."""
    sentence: str
    """Name of the sentence, the same for all frames in it."""


def gather(name: str, sha256: str, sentences: Sequence[FrameSentence], sieve: Sieve) -> Content[FrameSentence]:
    """What was read of a corpus, through a sieve that leaves out, or refuses, two frames of one id.

    Raises CorpusError if no frame has a filled role.
    """
    kept = sieve.distinct(sentences, f"frame of {name}")
    if not any(sentence.elements for sentence in kept):
        raise CorpusError(
            f"Expected frames with filled roles in {name}, found {sieve.none}; check that it is annotated, and that "
            "# global.columns names the columns of a treebank that has more than ten."
        )
    return Content(sha256, kept, sieve.bad)
