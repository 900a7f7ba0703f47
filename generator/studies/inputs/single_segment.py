"""Whether a separator weighs more where it is the only one: part of study "separators" (Kovaleva et al. 2019, section
4.4).

A text is read with both paragraphs as one segment, and with the paragraphs apart. The paper compares tasks of one
sentence with tasks of two, whose texts differ.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.attention.stream import Observed, observe
from generator.corpora.classes import TokenClass
from generator.corpora.kinds import CorpusKind
from generator.corpora.pairs import Input
from generator.models.encoder import Encoder
from generator.numbers.resampling import bootstrap
from generator.studies.fact_rows import facts
from generator.studies.inputs.changed import arranged, one_each, places_of, with_segments
from generator.studies.inputs.separator_quantities import SEPARATORS
from generator.studies.inputs.separators import DOCUMENTS, place_facts, separator_facts
from generator.studies.procedure import Need, Part, Procedure, Subject, Tables

NAMES = ("single.larger", "pair.larger", "single.gain")


def single_facts(
    encoder: Encoder, anatomy: Anatomy, corpus: str, inputs: Sequence[Input], seed: int
) -> list[pd.DataFrame]:
    """`facts` by layer, means over heads, and with layer 0 the mean over layers; none without pairs of segments.

    At most 24 documents are read, the first part of each; intervals resample them.
    """
    pairs = [item for item in one_each(inputs, DOCUMENTS, seed) if len(places_of(item, TokenClass.SEPARATOR)) > 1]
    if not pairs:
        return []
    single, pair = (_larger(observe(encoder, anatomy, items)) for items in (as_single(pairs), pairs))
    rows = np.stack([np.stack([single[name], pair[name], single[name] - pair[name]]) for name in sorted(pair)])
    rows = np.concatenate([rows.mean(-1, keepdims=True), rows], axis=-1)
    found = {name: bootstrap(rows[:, at], seed) for at, name in enumerate(NAMES)}
    return [facts(found, SEPARATORS, encoder.id, corpus, first_layer=0)]


def as_single(pairs: Sequence[Input]) -> list[Input]:
    """The same texts without the separators in between, in one segment."""
    made = []
    for item in pairs:
        ends = places_of(item, TokenClass.SEPARATOR)[:-1].tolist()
        left = arranged(item, [place for place in range(len(item)) if place not in ends])
        made.append(with_segments(left, [0] * len(left)))
    return made


def _larger(seen: Iterable[Observed]) -> dict[str, np.ndarray]:
    """By document, `[layer]`: the mean weight, over all tokens and heads, on each head's heaviest separator."""
    found = {}
    for one in seen:
        places = places_of(one.input, TokenClass.SEPARATOR)
        found[one.input.document] = one.primitives.received[..., places].max(-1).mean(-1) / len(one.input)
    return found


def _place(of: Subject) -> Tables:
    return {"facts": [place_facts(of.table("roles"), of.model, of.corpus, of.seed)]}


def _changed(of: Subject, encoder: Encoder, anatomy: Anatomy) -> Tables:
    of_model = encoder, anatomy, of.corpus, of.inputs, of.seed
    return {"facts": [*separator_facts(*of_model), *single_facts(*of_model)]}


PROCEDURE = Procedure(
    SEPARATORS.name,
    CorpusKind.TEXT,
    parts=(Part(Need.MAPS, _place), Part(Need.MODEL, _changed)),
    after=("roles",),
)
