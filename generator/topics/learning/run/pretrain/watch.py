"""What a model in training attends to, and which relations its heads find; cheap enough to be done often.

Attention is measured on a fixed set of held-out inputs and relations on a treebank, with the same measures and the same
study as in an analysis. The log gets numbers by layer, and what uniform attention would give.
"""

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from transformers import BertForPreTraining, PreTrainedTokenizerBase

from generator.attention.anatomy import Anatomy, examine
from generator.attention.stream import observe
from generator.corpora.classes import TokenClass
from generator.corpora.kind import Corpus
from generator.corpora.opening import open_corpora
from generator.corpora.pairs import Document, Input, PairMaker
from generator.corpora.relation_names import ALL
from generator.corpora.treebank import TREEBANK, Inputs, Sentence, treebank_inputs
from generator.errors import CorpusError
from generator.measures.measure import Counts, Measure
from generator.measures.position import NEXT, PREVIOUS
from generator.measures.special_tokens import TO_BEGIN, TO_PUNCTUATION, TO_SEPARATOR
from generator.models.encoder import Encoder
from generator.studies.halves import HELD_OUT, order
from generator.topics.relations.compute.reading import read_predictions
from generator.topics.relations.compute.relations import relation_heads
from generator.topics.seeds.records import BEYOND

INPUTS = 24
"""Held-out inputs whose attention is read."""
PARAGRAPHS = 40
"""Inputs are made from the first paragraphs of each document, at most this many."""
SENTENCES = 300
"""Sentences of the treebank that are read."""
RELATIONS = ("obj", "nsubj", "det", "case", "amod")
TARGETS: Mapping[str, tuple[Measure, TokenClass | None]] = {
    "begin": (TO_BEGIN, TokenClass.BEGIN),
    "separator": (TO_SEPARATOR, TokenClass.SEPARATOR),
    "punctuation": (TO_PUNCTUATION, TokenClass.PUNCTUATION),
    "previous": (PREVIOUS, None),
    "next": (NEXT, None),
}
"""Name -> the measure, and the class of the tokens that receive the attention; None for a neighbour."""
_DIGITS = 5


@dataclass(frozen=True)
class Watched:
    """What is read at every look; the same throughout a run."""

    inputs: Sequence[Input]
    sentences: Inputs
    """The sentences of the treebank; empty if there is no treebank."""


def watched(
    tokenizer: PreTrainedTokenizerBase, held_out: Corpus[Document], treebank: Path | None, max_tokens: int, seed: int
) -> Watched:
    """Make what is read at every look. Raises CorpusError for a treebank that cannot be read or has no sentence that
    fits into an input.
    """
    maker = PairMaker(tokenizer, max_tokens, seed)
    openings = [Document(item.id, item.paragraphs[:PARAGRAPHS]) for item in held_out.items]
    share = math.ceil(INPUTS / len(openings))
    inputs = [item for opening in openings for item in maker.inputs(opening)[:share]][:INPUTS]
    return Watched(inputs, treebank_inputs(_sample(treebank, seed), maker) if treebank else {})


def watch(model: BertForPreTraining, tokenizer: PreTrainedTokenizerBase, what: Watched, seed: int) -> dict[str, Any]:
    """The numbers of one model, computed in float32 on a copy of its encoder; the model itself is left as it is."""
    copied = copy.deepcopy(model.bert).float().eval().requires_grad_(False)
    positions = model.config.max_position_embeddings
    segments = model.config.type_vocab_size > 1
    encoder = Encoder("the model in training", copied, tokenizer, positions, segments=segments, device=model.device)
    anatomy = examine(encoder)
    found = {"attention": attention(encoder, anatomy, what.inputs)}
    return found | ({"gains": gains(encoder, anatomy, what.sentences, seed)} if what.sentences else {})


def attention(encoder: Encoder, anatomy: Anatomy, inputs: Sequence[Input]) -> dict[str, dict[str, Any]]:
    """For each target: the uniform share, and by layer the mean and the highest share of attention among the heads.

    `times` and `highest_times` are these two divided by the uniform share; `beyond` is the share of a layer's heads
    with more than twice the uniform share. A head's share is its mean over inputs, and so is the uniform share.
    """
    rows: dict[str, list[np.ndarray]] = {name: [] for name in TARGETS}
    even: dict[str, list[float]] = {name: [] for name in TARGETS}
    for seen in observe(encoder, anatomy, inputs):
        counts = Counts.of(seen.input)
        for name, (measure, kind) in TARGETS.items():
            rows[name].append(measure.compute(seen.primitives, counts))
            n = counts.tokens
            even[name].append((n - 1) / n**2 if kind is None else counts.by_class[kind] / n)
    found = {}
    for name in TARGETS:
        share, uniform = np.mean(rows[name], axis=0), float(np.mean(even[name]))
        times = share / uniform
        found[name] = {
            "uniform": round(uniform, _DIGITS),
            "mean": _rounded(share.mean(1)),
            "highest": _rounded(share.max(1)),
            "times": _rounded(times.mean(1)),
            "highest_times": _rounded(times.max(1)),
            "beyond": _rounded((times > BEYOND).mean(1)),
        }
    return found


def gains(encoder: Encoder, anatomy: Anatomy, sentences: Inputs, seed: int) -> dict[str, dict[str, Any]]:
    """For each relation: the best head's score minus that of the best fixed offset, and which head it is.

    Head, direction and offset are chosen on one half of the sentences, and the numbers come from the other half.
    Relations with too few words are left out.
    """
    all_words = read_predictions(encoder, anatomy, sentences)
    # All other relations are put together and left out below, since each takes its time.
    few = np.where(np.isin(all_words.relation, RELATIONS), all_words.relation, ALL)
    table = relation_heads(replace(all_words, relation=few), (), encoder.id, "", seed)
    table = table[(table["protocol"] == HELD_OUT) & (table["relation"] != ALL)]
    return {
        row["relation"]: {
            "gain": round(float(row["gain"]), _DIGITS),
            "value": round(float(row["value"]), _DIGITS),
            "head": f"{row['layer']}-{row['head']}",
            "words": int(row["n"]),
        }
        for row in table.to_dict("records")
    }


def _sample(treebank: Path, seed: int) -> Corpus[Sentence]:
    banks = open_corpora([str(treebank.resolve())]).of(TREEBANK)
    if not banks:
        raise CorpusError(f"Expected a treebank in {treebank}, found another kind of file; give a .conllu file.")
    kept = set(order([item.id for item in banks[0].items], seed)[:SENTENCES])
    return replace(banks[0], items=tuple(item for item in banks[0].items if item.id in kept))


def _rounded(values: np.ndarray) -> list[float | None]:
    """The values, rounded for the log; undefined ones are None, because JSON has no NaN."""
    return [round(float(value), _DIGITS) if np.isfinite(value) else None for value in values]
