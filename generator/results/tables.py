"""The tables of a results folder: their columns, types and order, and the version of the format.

    documents.parquet   one row per document, layer and head; one column per measure
    uniform.parquet     one row per document: what uniform attention would score on the same text
    heads.parquet       tidy: one row per corpus, measure, layer and head, with a 95 % interval over documents
    layers.parquet      the same for the plain mean of each layer's heads
    inputs.parquet      what the model read, token by token
    examples.parquet    whole maps of the example sentences

Layers, heads and parts are 1-based. Rows are sorted, so the same input gives the same bytes.
"""

import pyarrow as pa

from generator.measures import COLUMNS

FORMAT = 2
"""Raised whenever a file changes its meaning; a folder of a newer format is refused."""

_PLACE = [("layer", pa.int16()), ("head", pa.int16())]
_MEASURES = [(column, pa.float64()) for column in COLUMNS]
_DOCUMENT = [("corpus", pa.string()), ("document", pa.string())]

DOCUMENTS = pa.schema([*_DOCUMENT, *_PLACE, *_MEASURES, ("sink.token", pa.int32())])
"""`sink.token` is the vocabulary id of the token that receives most attention."""
UNIFORM = pa.schema([*_DOCUMENT, ("tokens", pa.float64()), *_MEASURES])
_OF = [("model", pa.string()), ("corpus", pa.string()), ("measure", pa.string())]
_ESTIMATE = [("value", pa.float64()), ("low", pa.float64()), ("high", pa.float64()), ("n", pa.int32())]

HEADS = pa.schema([*_OF, *_PLACE, *_ESTIMATE, ("uniform", pa.float64())])
"""`n` counts the documents in which the measure is defined; `value` is their mean, NaN where there is none."""
LAYERS = pa.schema([*_OF, _PLACE[0], *_ESTIMATE])
"""Where a document defines a measure for some heads only, its layer is their mean."""
INPUTS = pa.schema(
    [
        *_DOCUMENT,
        ("part", pa.int32()),
        ("input_ids", pa.list_(pa.int32())),
        ("segment_ids", pa.list_(pa.int8())),
    ]
)
EXAMPLES = pa.schema(
    [
        ("sentence", pa.int16()),
        ("text", pa.string()),
        ("tokens", pa.list_(pa.string())),
        *_PLACE,
        ("weights", pa.list_(pa.float32())),
    ]
)
"""`weights` is the map row by row, query by query."""

TABLES = {
    "documents": DOCUMENTS,
    "uniform": UNIFORM,
    "heads": HEADS,
    "layers": LAYERS,
    "inputs": INPUTS,
    "examples": EXAMPLES,
}
REQUIRED = ("documents", "uniform", "heads", "layers", "examples")
"""Without these a folder cannot be shown; inputs stay out of the repository for text that is not ours."""
