"""Where the words go that a head's relation leaves out: study "resting".

Clark et al. 2019, section 3.2, and the hypothesis of 2021 say that such words turn to [SEP]. Other encoders rest on
[CLS], or on periods and commas, so that this study keeps the attention to each of the three. The relation of a head is
that of `links`, chosen on one half of the sentences; attention is that on the other half. The first untrained twin of
the model reads the same sentences, and its heads choose relations of their own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from generator.attention.words import WordMaps
from generator.corpora.treebank import TREEBANK, Sentence
from generator.models.twin import untrained_twin
from generator.numbers.number import Grid
from generator.numbers.resampling import bootstrap_ratio
from generator.studies.fact_rows import head_facts
from generator.studies.halves import reported
from generator.studies.procedure import Procedure, SeenWords, Subject, Tables, Watcher
from generator.topics.relations.compute.links import own_relations
from generator.topics.relations.derived.predictions import Predictions, predict
from generator.topics.relations.records.trees import KINDS, RESTING, SIDES, TWIN

MARKS = (".", ",")


@dataclass
class Sentences:
    """What one model did with sentences; each is added once, in any order."""

    seed: int
    """Draws the halves and the intervals."""
    pairs: list[tuple[Sentence, np.ndarray]] = field(default_factory=list)
    """The words that its heads pick."""
    masses: dict[str, np.ndarray] = field(default_factory=dict)
    """Sentence of the half that reports -> `[layer, head, word, kind]`, kinds in the order of KINDS."""

    def add(self, seen: SeenWords) -> None:
        """Look at one sentence."""
        name = seen.annotated.id
        self.pairs.append((seen.annotated, seen.once(predict)))
        if reported([name], self.seed)[0]:
            self.masses[name] = to_kinds(seen.maps, seen.annotated)

    def numbers(self) -> dict[str, Grid]:
        """The numbers "cls.outside" and so on, `[layer, head]`; none where `by_side` gives none."""
        sides = by_side(self.masses, Predictions.of(self.pairs), self.seed)
        if sides is None:
            return {}
        return {
            f"{kind}.{side}": sides.part(..., at, where)
            for at, kind in enumerate(KINDS)
            for where, side in enumerate(SIDES)
        }


def to_kinds(maps: WordMaps, sentence: Sentence) -> np.ndarray:
    """`[layer, head, word, kind]`: attention from every word to [CLS], to [SEP], and to periods and commas."""
    marks = [at for at, word in enumerate(sentence.words) if word.form in MARKS]
    return np.stack([maps.begin, maps.separator, maps.weights[..., marks].sum(-1)], axis=-1)


def by_side(masses: Mapping[str, np.ndarray], found: Predictions, seed: int) -> Grid | None:
    """Mean attention to each kind from words outside and inside a head's own relation, `[layer, head, kind, side]`.

    `masses` holds `[layer, head, word, kind]` of the sentences that are reported. Words are pooled, sentences
    resampled. NaN for a kind that gets nothing at all, such as a token that the model does not have; None if no
    relation has enough words in the half that chooses, or no sentence is reported.
    """
    own = own_relations(found, ~reported(found.sentences, seed)[found.sentence])
    if own is None or not masses:
        return None
    # Attention to what the text has none of is undefined, and not 0.
    there = np.any([mass.any((0, 1, 2)) for mass in masses.values()], axis=0)
    sums, counts = [], []
    for at, name in enumerate(found.sentences):
        if name in masses:
            inside = found.relation[found.sentence == at] == own[..., None]
            sides = np.stack([~inside, inside], axis=-1)[..., None, :] & there[:, None]
            sums.append((masses[name][..., None].astype(float) * sides).sum(2))
            counts.append(sides.sum(2))
    return bootstrap_ratio(np.stack(sums), np.stack(counts), seed)


def _watch(of: Subject) -> Watcher:
    model, twin = Sentences(of.seed), Sentences(of.seed)

    def tables() -> Tables:
        found = model.numbers()
        if twin.pairs:
            found |= {f"{TWIN}{name}": grid for name, grid in twin.numbers().items()}
        return {"head_facts": [head_facts(found, RESTING, of.model, of.corpus)]}

    def add_twin(_draw: int, seen: SeenWords) -> None:
        twin.add(seen)

    return Watcher(model.add, tables, 1, untrained_twin, add_twin)


PROCEDURE = Procedure("resting", TREEBANK, _watch)
