"""The model as files for the browser, and how far its attention is from that of the model itself.

The weights are rounded to half precision. In eight bits, with a scale for each row, single weights of the attention
of the encoders that come with the program move by .02 to .09; in half precision by .001.
"""

import json
import math
from collections.abc import Iterator, Sequence

import numpy as np
import torch

from generator.errors import ModelError
from generator.models.catalogue import entry
from generator.models.encoder import Encoder
from generator.models.load import load
from generator.models.masked_lm import load_masked_lm
from generator.models.source import Source
from generator.results.store import Results
from generator.topics.live.compute.packed import packed, places
from generator.topics.live.compute.parts import epsilon, family_of, parts
from generator.topics.live.compute.tokenizer import tokenizer_of

BOUND = 0.02
"""No weight of the attention may be further from that of the model."""
READ = 32
"""Inputs on which that is measured, evenly spaced among all that were read."""
FILE = "model.json"
CPU = torch.device("cpu")


Inputs = Sequence[tuple[np.ndarray, np.ndarray]]
"""Token ids and segments."""


def make(source: Source, results: Results, _: bool) -> dict[str, bytes]:
    """Shards of weights, and a file that says all else. Raises ModelError for a model that no browser could run."""
    return made(source, [*_inputs(results)])


def made(source: Source, inputs: Inputs) -> dict[str, bytes]:
    """What `make` returns, with the attention compared on these inputs. Raises ModelError."""
    masked = load_masked_lm(source, CPU)
    encoder = masked.encoder if masked else load(source, CPU)
    config = encoder.model.config
    family = family_of(encoder.id, config)
    tokenizer = tokenizer_of(encoder.id, encoder.tokenizer)
    weights = parts(encoder.model, family, encoder.positions, masked=bool(masked))
    kept = {name: part.numpy() for name, part in weights.items()}
    shards, files = packed(kept)
    within = furthest(encoder, inputs)
    if not within <= BOUND:
        raise ModelError(
            f"Expected weights of the attention within {BOUND} of the model's in half precision, found {within:.3f} "
            f"for {encoder.id}; take `live` away from it in the settings."
        )
    known = entry(source.id)
    about = {
        "licence": known.licence if known else "",
        "layers": config.num_hidden_layers,
        "heads": config.num_attention_heads,
        "positions": encoder.positions,
        "padding": encoder.pad if family.after_padding else None,
        "epsilon": epsilon(encoder.model),
        "masked": bool(masked),
        # Rounded up: pages say that no weight moved by more.
        "within": math.ceil(within * 10_000) / 10_000,
        "inputs": len(inputs),
        "bytes": sum(len(shard) for shard in files.values()),
        "shards": shards,
        "places": list(places(kept)),
        "tokenizer": tokenizer,
    }
    return {FILE: json.dumps(about, ensure_ascii=False, separators=(",", ":")).encode(), **files}


def furthest(encoder: Encoder, inputs: Inputs) -> float:
    """The largest difference of a weight of the attention once the model's weights are rounded, which they then are."""
    real = [_maps(encoder, *item) for item in inputs]
    with torch.no_grad():
        for weight in encoder.model.parameters():
            weight.copy_(weight.half().float())
    return max(
        (float((_maps(encoder, *item) - maps).abs().max()) for item, maps in zip(inputs, real, strict=True)), default=0
    )


def _inputs(results: Results) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Token ids and segments of some of what the model read."""
    table = results.table("inputs")
    step = max(len(table) // READ, 1)
    for row in table.iloc[::step].head(READ).itertuples():
        yield np.asarray(row.input_ids, np.int64), np.asarray(row.segment_ids, np.int64)


def _maps(encoder: Encoder, ids: np.ndarray, segments: np.ndarray) -> torch.Tensor:
    """`[layer, head, query, key]` of one input."""
    given = torch.from_numpy(ids)[None], torch.ones(1, len(ids), dtype=torch.int64), torch.from_numpy(segments)[None]
    with torch.inference_mode():
        found = encoder.run(*given, output_attentions=True).attentions
    return torch.stack(found)[:, 0]
