"""Sentences with frames, random or made by hand, and the numbers of their links."""

import numpy as np

from generator.corpora.formats.annotation import Element, FrameSentence
from generator.topics.frames.compute.frames import FrameScores
from tests.studies.stored import CORPUS, MODEL, SEED

LAYERS, HEADS = 2, 3


def frame(words, target, *elements, name="s", number=1):
    """A frame of a sentence of so many words; elements are (places, core)."""
    parts = tuple(Element(f"E{at}", core, tuple(places)) for at, (places, core) in enumerate(elements))
    return FrameSentence(f"{name}/{number}", ("w",) * words, tuple(target), parts, name)


def maps(words, seed, layers=LAYERS, heads=HEADS):
    rows = np.random.default_rng(seed).dirichlet(np.full(words + 2, 0.3), (layers, heads, words))
    return rows[..., :-2].astype(np.float32)


def random_sentences(count=40):
    rng = np.random.default_rng(9)
    for number in range(count):
        words = int(rng.integers(4, 16))
        frames = []
        for at in range(rng.integers(1, 4)):
            target = sorted(rng.choice(words, rng.integers(1, 3), replace=False))
            spans = []
            for _ in range(rng.integers(1, 3)):
                start = int(rng.integers(words))
                spans.append((range(start, min(words, start + int(rng.integers(1, 5)))), bool(rng.random() < 0.8)))
            frames.append(frame(words, map(int, target), *spans, name=f"s{number}", number=at))
        yield frames, maps(words, number)


def tables(corpus, seed=SEED):
    scores = FrameScores()
    for frames, weights in corpus:
        scores.add(frames, weights)
    return scores.tables(MODEL, CORPUS, seed)
