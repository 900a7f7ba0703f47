"""Text with frames: files of FrameNet and of Universal Propositions, and what a model reads of them.

Filters say which frames and elements a study looks at.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.corpora.formats.annotation import FrameSentence
from generator.corpora.formats.conllu import ENDINGS, has_propositions, is_conllu
from generator.corpora.kind import LEFT_OUT, Content, Corpus, Form, Kind
from generator.corpora.pairs import PairMaker, WordInput
from generator.errors import CorpusError
from generator.topics.frames.corpus.framenet import PACKED, is_framenet, read_framenet
from generator.topics.frames.corpus.propositions import read_propositions


@dataclass(frozen=True)
class Filters:
    """Which frames count, and which of their core elements; the defaults let all pass."""

    longest_sentence: int | None = None
    """The most words that a sentence may have."""
    longest_element: int | None = None
    """The most words that an annotated element may have; a longer one excludes the frame."""
    nearest: int = 1
    """The least distance of an element from the target, in words; a nearer element does not count, but others do."""

    def linked(self, frame: FrameSentence) -> tuple[int, ...]:
        """0-based places of the words of core elements that count, except words of the target; empty if the frame does
        not count.
        """
        if self.longest_sentence and len(frame.words) > self.longest_sentence:
            return ()
        if self.longest_element and any(len(element.positions) > self.longest_element for element in frame.elements):
            return ()
        spans = [set(element.positions) - set(frame.target) for element in frame.elements if element.core]
        far = [span for span in spans if span and _distance(span, frame.target) >= self.nearest]
        return tuple(sorted(set().union(*far)))


PAPER = Filters(longest_sentence=12, longest_element=3, nearest=2)
"""The filters that the text of Kovaleva et al. 2019, section 4.2, describes. Their released code differs: it leaves out
whole sentences in which an element is nearer than three words.
"""


Inputs = Mapping[str, tuple[tuple[FrameSentence, ...], WordInput]]


def has_frames(path: Path) -> bool:
    """Whether it is a release of FrameNet, or a CoNLL-U file with the columns of propositions."""
    return is_framenet(path) or (is_conllu(path) and has_propositions(path))


def read_frames(name: str, paths: Sequence[Path], skip_bad: bool = False) -> Content[FrameSentence]:
    """Read files of one format as one corpus. Raises CorpusError naming the file."""
    return (read_framenet if is_framenet(paths[0]) else read_propositions)(name, paths, skip_bad)


def sentence_of(frame: FrameSentence) -> str:
    """The name of a frame's sentence: all frames of a sentence are drawn into a sample together."""
    return frame.sentence


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
            f"Expected at least two sentences of {corpus.name} that fit into one input and have a core element, found "
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


FRAMES = Kind(
    name="frames",
    noun="text with frames",
    unit="frames",
    counted={"sentences": "sentences", "words": "words", "frames": "frames"} | LEFT_OUT,
    form=Form.WORDS,
    endings=(*ENDINGS, *PACKED),
    recognises=has_frames,
    read=read_frames,
    inputs=frame_inputs,
    counts=counts_of,
    group=sentence_of,
)


def _distance(element: set[int], target: Sequence[int]) -> int:
    return min(abs(place - other) for place in element for other in target)


KIND = FRAMES


FILTERS: Mapping[str, Filters] = {"": Filters(), "paper.": PAPER}
"""Prefix of the names -> the filters of the frames."""
