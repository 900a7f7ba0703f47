"""Documents for the tiny encoders, and every column of what was observed of them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.utils.hooks import RemovableHandle

from generator.attention.anatomy import Anatomy
from generator.attention.observed import Observed
from generator.attention.saved import SavedMaps
from generator.attention.stream import Options, observe
from generator.corpora.classes import CLASSES
from generator.corpora.pairs import Document, Input, PairMaker
from generator.measures import COLUMNS, OF_COLUMN, compute
from generator.measures.measure import Counts
from generator.models.encoder import Encoder
from tests.encoders import SENTENCES

MAX_TOKENS = 64
DOCUMENTS = (
    Document("tiny", ("A.", "rock")),
    Document("plain", ("the sea froze", "the boats stayed in the harbour")),
    Document("short", (SENTENCES[4], SENTENCES[9])),
    Document("middle", (SENTENCES[2], SENTENCES[5])),
    Document("full", SENTENCES[:2]),
    Document("long", (SENTENCES[3], SENTENCES[5], SENTENCES[6], SENTENCES[7], SENTENCES[8], SENTENCES[0])),
)
"""From a handful of tokens to several inputs; one without periods and commas."""
Columns = Mapping[str, np.ndarray]
RANGE = {"share": 1.0, "nats": float(np.log(MAX_TOKENS))}


def inputs_of(encoder: Encoder, documents: Sequence[Document] = DOCUMENTS, max_tokens: int = MAX_TOKENS) -> list[Input]:
    """The documents' inputs, in order."""
    maker = PairMaker(encoder.tokenizer, max_tokens)
    return [item for document in documents for item in maker.inputs(document)]


def shown(item: Input, weights: np.ndarray) -> Observed:
    """What an input with these maps `[layer, head, query, key]` shows."""
    maps = {item.document: np.asarray(weights, np.float32)}
    return next(SavedMaps("maps", "", (item,), (), maps).observe())


def columns_of(seen: Observed) -> Columns:
    """Every column of one input, each `[layer, head]`."""
    measured = compute(seen.primitives, counts_of(seen.input))
    return {name: measured[..., at] for at, name in enumerate(COLUMNS)}


def counts_of(item: Input) -> Counts:
    """How many tokens the input has, in all, of each class and in each segment."""
    return Counts(len(item), np.bincount(item.classes, minlength=CLASSES), np.bincount(item.segment_ids))


def survey(
    encoder: Encoder, anatomy: Anatomy, inputs: Sequence[Input], options: Options | None = None
) -> dict[tuple[str, int], Columns]:
    """Document and part -> columns."""
    seen = observe(encoder, anatomy, inputs, options)
    return {(one.input.document, one.input.part): columns_of(one) for one in seen}


def largest_difference(one: Mapping[tuple[str, int], Columns], other: Mapping[tuple[str, int], Columns]) -> float:
    """Over all inputs and columns, as a share of the column's range; what is undefined must be so in both."""
    assert set(one) == set(other)
    gaps = []
    for key, columns in one.items():
        for name, values in columns.items():
            np.testing.assert_array_equal(np.isnan(values), np.isnan(other[key][name]), err_msg=f"{key} {name}")
            gap = np.abs(np.nan_to_num(values) - np.nan_to_num(other[key][name])).max()
            gaps.append(gap / RANGE[OF_COLUMN[name].unit])
    return float(max(gaps))


def scarce(encoder: Encoder, most: int) -> RemovableHandle:
    """Memory for so many padded tokens at once."""

    def refuse(_module: object, _arguments: object, given: Mapping[str, Any]) -> None:
        if given["input_ids"].numel() > most:
            raise torch.OutOfMemoryError("nothing left")

    handle: RemovableHandle = encoder.model.register_forward_pre_hook(refuse, with_kwargs=True)
    return handle
