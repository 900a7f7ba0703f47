"""The sentences with frames that one input of a model can hold."""

from collections import defaultdict
from collections.abc import Mapping

from generator.corpora.document import Corpus
from generator.corpora.frames import Filters, FrameSentence
from generator.corpora.pairs import PairMaker, WordInput
from generator.errors import CorpusError

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


def counts_of(inputs: Inputs) -> dict[str, int]:
    """Sentences, their words, and the frames that count."""
    return {
        "sentences": len(inputs),
        "words": sum(len(frames[0].words) for frames, _ in inputs.values()),
        "frames": sum(len(frames) for frames, _ in inputs.values()),
    }
