"""Sentences with one annotated frame each: the words that evoke it, and the words that fill its roles.

Two schools annotate frames. FrameNet names the elements of each frame and says which are core; PropBank numbers the
arguments of each predicate. Here both are a target and its elements. A sentence stands once for every frame in it.
Filters say which frames and elements a study looks at.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.corpora.document import Corpus
from generator.corpora.kinds import CorpusKind
from generator.corpora.pairs import PairMaker, WordInput
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
    """None where no role is filled in this sentence."""
    sentence: str
    """Name of the sentence, the same for all frames in it."""


@dataclass(frozen=True)
class Filters:
    """Which frames count, and which of their core elements; the defaults let all pass."""

    longest_sentence: int | None = None
    """The most words that a sentence may have."""
    longest_element: int | None = None
    """The most words that an annotated element may have; a longer one excludes the frame."""
    nearest: int = 1
    """The least distance of an element from the target, in words; a nearer element does not count, others still do."""

    def linked(self, frame: FrameSentence) -> tuple[int, ...]:
        """0-based places of the words of core elements that count, outside the target; none if the frame does not."""
        if self.longest_sentence and len(frame.words) > self.longest_sentence:
            return ()
        if self.longest_element and any(len(one.positions) > self.longest_element for one in frame.elements):
            return ()
        spans = [set(one.positions) - set(frame.target) for one in frame.elements if one.core]
        far = [one for one in spans if one and _distance(one, frame.target) >= self.nearest]
        return tuple(sorted(set().union(*far)))


PAPER = Filters(longest_sentence=12, longest_element=3, nearest=2)
"""The filters that the text of Kovaleva et al. 2019, section 4.2, describes. Their released code differs: it leaves out
whole sentences in which an element is nearer than three words.
"""


def gather(name: str, sha256: str, sentences: Sequence[FrameSentence]) -> Corpus[FrameSentence]:
    """The sentences as a corpus. Raises CorpusError for two frames with one id, or if no frame has a filled role."""
    seen: set[str] = set()
    for one in sentences:
        if one.id in seen:
            raise CorpusError(
                f"Expected every frame of {name} to have its own id, found {one.id!r} twice; leave one file out."
            )
        seen.add(one.id)
    if not any(one.elements for one in sentences):
        raise CorpusError(f"Expected frames with filled roles in {name}, found none; check that it is annotated.")
    return Corpus(name, CorpusKind.FRAMES, sha256, tuple(sentences))


Inputs = Mapping[str, tuple[tuple[FrameSentence, ...], WordInput]]


def frame_inputs(
    corpus: Corpus[FrameSentence], maker: PairMaker
) -> dict[str, tuple[tuple[FrameSentence, ...], WordInput]]:
    """Sentences that fit into one input, by name, with their frames that have a core element outside the target.

    Raises CorpusError when fewer than two are left.
    """
    by_sentence: dict[str, list[FrameSentence]] = defaultdict(list)
    for frame in corpus.items:
        if Filters().linked(frame):
            by_sentence[frame.sentence].append(frame)
    made = {name: (tuple(frames), maker.words(name, frames[0].words)) for name, frames in by_sentence.items()}
    inputs = {name: (frames, item) for name, (frames, item) in made.items() if item is not None}
    if len(inputs) < 2:
        raise CorpusError(
            f"Expected two sentences of {corpus.name} that fit into one input and have a core element, found "
            f"{len(inputs)} among {len(made)} with such an element; raise --max-tokens or give more text."
        )
    return inputs


def counts_of(_corpus: Corpus[FrameSentence], inputs: Inputs) -> dict[str, int]:
    """Sentences, their words, and the frames that count."""
    return {
        "sentences": len(inputs),
        "words": sum(len(frames[0].words) for frames, _ in inputs.values()),
        "frames": sum(len(frames) for frames, _ in inputs.values()),
    }


def _distance(element: set[int], target: Sequence[int]) -> int:
    return min(abs(one - other) for one in element for other in target)
