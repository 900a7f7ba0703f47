"""Study "usability": whether a linear classifier can read word classes off hidden states, layer by layer.

The probe is a logistic regression on the mean vector of a word's pieces; it learns on one half of the sentences and is
judged on the other. In the control task (Hewitt and Liang 2019) every word type, in lower case, has a random label,
drawn once with the frequencies that the tags have among the words to learn from. Selectivity, accuracy minus control
accuracy, is what the probe finds in the vectors beyond remembering types. In a small treebank selectivity is too high,
because many of the words to judge are new and the label of a new type cannot be remembered; `tag.seen` is the share of
words that are known.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from generator.attention.anatomy import Anatomy, forward
from generator.attention.batches import collate
from generator.attention.hook import observing
from generator.attention.portions import in_portions
from generator.corpora.pairs import Input, WordInput
from generator.corpora.treebank import TREEBANK, Sentence
from generator.models.encoder import Encoder
from generator.models.threads import hooked
from generator.numbers.resampling import bootstrap_ratio
from generator.studies.fact_rows import facts
from generator.studies.halves import FEWEST, order, reported
from generator.studies.procedure import Need, Part, Procedure, Subject, Tables
from generator.topics.inputs.compute.hidden_tokens import Unobserved
from generator.topics.probes.records import USABILITY

MOST_WORDS = 6000
"""Sentences are drawn by name as long as they have no more words than this together."""
PENALTY = 0.1
"""Inverse strength of the L2 penalty, on vectors scaled to unit variance."""
STEPS = 1000
"""The most iterations of the regression."""
Inputs = Mapping[str, tuple[Sentence, WordInput]]


@dataclass(frozen=True)
class Words:
    """All words of the sentences of one half, in order."""

    vectors: np.ndarray
    """`[layer, word, dimension]`."""
    tags: np.ndarray
    types: np.ndarray
    sentence: np.ndarray
    """`[word]`: the number of the sentence that each word is in."""


def usability_facts(encoder: Encoder, corpus: str, inputs: Inputs, seed: int) -> pd.DataFrame:
    """`facts` of study "usability" by layer; layer 0 is what the first layer reads, `hidden_states[0]`.

    `tag.type` and `tag.seen` need no vectors and have only layer 0. Differences are paired. Intervals resample the
    judged sentences, which `n` counts. Empty for fewer than FEWEST sentences in either half, or if there is only one
    tag to learn.
    """
    names = sampled(inputs, seed)
    judged = reported(names, seed)
    halves = [[name for name, shown in zip(names, judged, strict=True) if shown == side] for side in (False, True)]
    tags = {word.upos for name in halves[0] for word in inputs[name][0].words}
    if min(map(len, halves)) < FEWEST or len(tags) < 2:
        return facts({}, USABILITY, encoder.id, corpus)
    vectors = word_vectors(encoder, [inputs[name][1] for name in names])
    learn, judge = (judged_words({name: inputs[name][0] for name in half}, vectors) for half in halves)
    labels = control_labels([*learn.types, *judge.types], learn.tags, seed)
    # A control task gives every type of word one tag by lot: what is right there was learned by heart (Hewitt and Liang
    # 2019).
    controls = [np.array([labels[kind] for kind in half.types]) for half in (learn, judge)]

    pairs = list(zip(learn.vectors, judge.vectors, strict=True))
    accuracy = np.stack([found_right(*pair, learn.tags, judge.tags) for pair in pairs]).astype(float)
    control = np.stack([found_right(*pair, *controls) for pair in pairs]).astype(float)
    columns = {"tag.accuracy": accuracy, "tag.control": control, "tag.selectivity": accuracy - control}
    of_type = commonest_of_type(learn, judge) * 1.0
    columns |= {
        "tag.lead": accuracy - of_type,
        "tag.type": of_type,
        "tag.seen": np.isin(judge.types, learn.types) * 1.0,
    }
    # `[word, sentence]`: adds up words by sentence.
    of_sentence = np.eye(len(halves[1]))[judge.sentence]
    words = of_sentence.sum(0)
    found = {name: bootstrap_ratio((hits @ of_sentence).T, words, seed) for name, hits in columns.items()}
    return facts(found, USABILITY, encoder.id, corpus, first_layer=0)


def control_labels(types: Sequence[str], tags: Sequence[str] | np.ndarray, seed: int) -> dict[str, str]:
    """Type -> a label drawn from `tags` by the seed and the type's name, so that other types do not change it."""
    # One for each word, so that labels are drawn as often as tags occur.
    pool = np.sort(np.asarray(tags))

    def drawn(kind: str) -> int:
        digest = hashlib.sha256(f"{seed}:control:{kind}".encode()).digest()
        return int(int.from_bytes(digest[:8], "big") / 2**64 * len(pool))

    return {kind: str(pool[drawn(kind)]) for kind in sorted(set(types))}


def sampled(inputs: Inputs, seed: int) -> list[str]:
    """The names of a sample of sentences, sorted."""
    kept, words = [], 0
    for name in order(list(inputs), seed):
        words += len(inputs[name][0].words)
        if words > MOST_WORDS:
            break
        kept.append(name)
    return sorted(kept)


def word_vectors(encoder: Encoder, items: Sequence[WordInput]) -> dict[str, np.ndarray]:
    """The vectors of each sentence, `[layer, word, dimension]`; inputs of a batch have one length, without padding."""

    def of_words(states: np.ndarray, item: WordInput) -> np.ndarray:
        sums: np.ndarray = np.add.reduceat(states[:, item.pieces], item.starts, axis=1)
        return sums / item.lengths[:, None].astype(np.float32)

    def read(portion: Sequence[WordInput]) -> Iterator[tuple[str, np.ndarray]]:
        states = _hidden_states(encoder, [item.input for item in portion])
        return ((item.input.document, of_words(states[:, row], item)) for row, item in enumerate(portion))

    ordered = sorted(items, key=lambda item: item.input.document)
    return dict(in_portions(encoder, ordered, read, size=lambda item: len(item.input), padded=False))


def _hidden_states(encoder: Encoder, items: Sequence[Input]) -> np.ndarray:
    """`[layer, document, token, dimension]`, layer 0 first, of inputs of equal length."""
    found: list[np.ndarray] = []

    def keep(_module: object, _arguments: object, output: Any) -> None:
        found.extend(states.float().cpu().numpy() for states in output.hidden_states)

    with hooked(encoder.model.register_forward_hook, keep), observing(Unobserved()):
        forward(encoder, collate(items, encoder.pad), output_hidden_states=True)
    return np.stack(found)


def judged_words(sentences: Mapping[str, Sentence], vectors: Mapping[str, np.ndarray]) -> Words:
    """The words of sentences with their vectors."""
    words = [word for sentence in sentences.values() for word in sentence.words]
    lengths = [len(sentence.words) for sentence in sentences.values()]
    return Words(
        vectors=np.concatenate([vectors[name] for name in sentences], axis=1),
        tags=np.array([word.upos for word in words]),
        types=np.array([word.form.lower() for word in words]),
        sentence=np.repeat(np.arange(len(lengths)), lengths),
    )


def found_right(learn: np.ndarray, judge: np.ndarray, labels: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """`[word to judge]`: whether a probe that learned `labels` predicts the true label."""
    if len(set(labels)) < 2:
        return truth == labels[0]
    scale = StandardScaler().fit(learn)
    probe = LogisticRegression(C=PENALTY, max_iter=STEPS).fit(scale.transform(learn), labels)
    return probe.predict(scale.transform(judge)) == truth


def commonest_of_type(learn: Words, judge: Words) -> np.ndarray:
    """`[word to judge]`: whether its tag is the commonest of its type among the words to learn from or, for a new type,
    the commonest of all; of equally common tags the first by alphabet.
    """
    counts: dict[str, Counter[str]] = {}
    for kind, tag in sorted(zip(learn.types.tolist(), learn.tags.tolist(), strict=True)):
        counts.setdefault(kind, Counter())[tag] += 1
    usual = Counter(sorted(learn.tags.tolist())).most_common(1)[0][0]
    guess = {kind: found.most_common(1)[0][0] for kind, found in counts.items()}
    return np.array([guess.get(kind, usual) for kind in judge.types.tolist()]) == judge.tags


def _facts(of: Subject, encoder: Encoder, _anatomy: Anatomy) -> Tables:
    return {"facts": [usability_facts(encoder, of.corpus, of.inputs, of.seed)]}


def _again(of: Subject) -> int:
    return sum(len(of.inputs[name][1].input) for name in sampled(of.inputs, of.seed))


PROCEDURE = Procedure("usability", TREEBANK, parts=(Part(Need.MODEL, _facts),), again=_again)
