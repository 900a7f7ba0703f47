"""The tables of a results folder: what they hold, their columns, types and order, and the version of the format.

Studies that need more than sums add tidy tables; the table of a study that was not made for a model has no rows.
Layers, heads and parts are 1-based. Rows are sorted, so the same input gives the same bytes.
"""

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pyarrow as pa

from generator.measures import COLUMNS

NO_NUMBER = "A change of what tables mean raises their format."

FORMAT = 6
"""Raised whenever a file changes its form or its meaning; a folder of a newer format is refused."""
MEANING = 5
"""The first format whose tables mean the same as today's; studies from before are made again."""

_PLACE = [("layer", pa.int16()), ("head", pa.int16())]
_MEASURES = [(column, pa.float64()) for column in COLUMNS]
ROLE_COLUMNS = (
    "next_entropy",
    "previous_entropy",
    "position_deviation",
    "end_deviation",
    "received",
    "breadth",
    "attended_by_entropy",
    "attends_to_entropy",
)
_DOCUMENT = [("corpus", pa.string()), ("document", pa.string())]

DOCUMENTS = pa.schema([*_DOCUMENT, *_PLACE, *_MEASURES, ("sink.token", pa.int32())])
"""`sink.token` is the vocabulary id of the token that receives most attention."""
UNIFORM = pa.schema([*_DOCUMENT, ("tokens", pa.float64()), *_MEASURES])
_OF = [("model", pa.string()), ("corpus", pa.string()), ("measure", pa.string())]
_ESTIMATE = [("value", pa.float64()), ("low", pa.float64()), ("high", pa.float64()), ("n", pa.int32())]

HEADS = pa.schema([*_OF, *_PLACE, *_ESTIMATE, ("uniform", pa.float64())])
"""`n` counts the documents in which the measure is defined; `value` is the mean over them, NaN if there are none."""
LAYERS = pa.schema([*_OF, _PLACE[0], *_ESTIMATE])
"""Numbers of layers. A document that defines a measure only for some heads counts with the mean over these."""
INPUTS = pa.schema(
    [
        *_DOCUMENT,
        ("part", pa.int32()),
        ("input_ids", pa.list_(pa.int32())),
        ("segment_ids", pa.list_(pa.int8())),
        ("parts", pa.list_(pa.int8())),
    ]
)
"""`segment_ids` is what the model was given, only 0 if it takes none; `parts` is the segment of every token, 0 or 1, by
which it was measured.
"""
EXAMPLES = pa.schema(
    [
        ("sentence", pa.int16()),
        ("text", pa.string()),
        ("tokens", pa.list_(pa.string())),
        *_PLACE,
        ("weights", pa.list_(pa.float32())),
    ]
)
"""`weights` is the map as a flat list, query by query."""

FACTS = pa.schema([*_OF[:2], ("study", pa.string()), ("name", pa.string()), _PLACE[0], *_ESTIMATE])
"""`layer` is 0 if a number belongs to the whole model or to the input embeddings."""
HEAD_FACTS = pa.schema([*_OF[:2], ("study", pa.string()), ("name", pa.string()), *_PLACE, *_ESTIMATE])
DECILES = pa.schema(
    [
        ("corpus", pa.string()),
        *_PLACE,
        ("decile", pa.int16()),
        ("strength", pa.float64()),
        ("tokens", pa.list_(pa.string())),
        ("weights", pa.list_(pa.float32())),
    ]
)
"""`decile` 10 is the strongest; the corpus is one that comes with the program, whose text may be shown."""
DIVERGENCE = pa.schema([*_DOCUMENT, ("tokens", pa.float64()), ("divergence", pa.list_(pa.float32()))])
"""Divergences in nats, in the order of `numpy.triu_indices(layers * heads, k=1)`."""
ROLES = pa.schema(
    [
        *_OF[:2],
        ("token", pa.string()),
        _PLACE[0],
        ("rank", pa.int32()),
        ("count", pa.int32()),
        *((name, pa.float64()) for name in ROLE_COLUMNS),
    ]
)
TYPES = pa.schema(
    [*_OF[:2], ("token", pa.string()), ("count", pa.int32()), ("received", pa.float64()), ("loss", pa.float64())]
)
_PREDICTED = [("relation", pa.string()), ("direction", pa.string())]
_COUNTED = [("correct", pa.int32()), ("n", pa.int32())]
PREDICTIONS = pa.schema(
    [
        ("corpus", pa.string()),
        ("sentence", pa.string()),
        ("gold", pa.list_(pa.int16())),
        ("relations", pa.list_(pa.string())),
        ("marked", pa.list_(pa.bool_())),
        ("predicted", pa.list_(pa.int16())),
    ]
)
"""`predicted` is `[direction, layer, head, word]` as a flat list; places are 0-based, -1 for none."""
ARROWS = pa.schema([("corpus", pa.string()), ("sentence", pa.string()), ("strong", pa.list_(pa.bool_()))])
"""`strong` is `[layer, head, word]` as a flat list; of the treebank that comes with the program alone, as `deciles`."""
RELATIONS = pa.schema([*_OF[:2], *_PREDICTED, *_PLACE, *_COUNTED])
RELATION_BASELINES = pa.schema([*_OF[:2], _PREDICTED[0], ("offset", pa.int16()), *_COUNTED])
RELATION_HEADS = pa.schema(
    [
        *_OF[:2],
        _PREDICTED[0],
        ("protocol", pa.string()),
        _PREDICTED[1],
        *_PLACE,
        *_ESTIMATE,
        ("offset", pa.int16()),
        *((f"{name}{end}", pa.float64()) for name in ("baseline", "gain") for end in ("", "_low", "_high")),
        ("rank", pa.int32()),
        *((f"twin{end}", pa.float64()) for end in ("", "_low", "_high")),
    ]
)
ANTECEDENTS = pa.schema(
    [
        *_OF[:2],
        *((name, pa.string()) for name in ("candidates", "kind", "predictor", "protocol")),
        *_PLACE,
        *_ESTIMATE,
    ]
)
_CURVE = [*_OF[:2], ("study", pa.string()), ("name", pa.string()), *_PLACE]
CURVES = pa.schema([*_CURVE, ("step", pa.int64()), *_ESTIMATE])
"""A number at every checkpoint; `head` is 0 for numbers of layers or the model, `layer` is 0 for those of the model."""
RISES = pa.schema([*_CURVE, *((name, pa.float64()) for name in ("start", "end", "step", "low", "high")), _ESTIMATE[-1]])
"""When a curve has made half of its change from the first checkpoint to the last."""

TABLES = {
    "documents": DOCUMENTS,
    "uniform": UNIFORM,
    "heads": HEADS,
    "layers": LAYERS,
    "inputs": INPUTS,
    "examples": EXAMPLES,
    "facts": FACTS,
    "head_facts": HEAD_FACTS,
    "deciles": DECILES,
    "divergence": DIVERGENCE,
    "roles": ROLES,
    "types": TYPES,
    "predictions": PREDICTIONS,
    "arrows": ARROWS,
    "relations": RELATIONS,
    "relation_baselines": RELATION_BASELINES,
    "relation_heads": RELATION_HEADS,
    "antecedents": ANTECEDENTS,
    "curves": CURVES,
    "rises": RISES,
}
HOLDS = {
    "documents": "One row per document, layer and head; one column per measure.",
    "uniform": "One row per document: what uniform attention would score on the same text.",
    "heads": "One row per corpus, measure, layer and head: the mean over documents with its 95 % interval.",
    "layers": "The same for the plain mean of each layer's heads.",
    "inputs": "What the model read, token by token, and the segments by which it was measured.",
    "examples": "Whole maps of the example sentences.",
    "facts": "Numbers of a model, or of its layers: study, name, value, interval, n.",
    "head_facts": "The same for single heads.",
    "deciles": "Maps of sentences in which a head attends strongly, middling and weakly.",
    "divergence": "One row per document: the distance of every pair of heads.",
    "roles": "How frequent tokens behave, by layer.",
    "types": "How often each piece of the vocabulary occurs, what it receives, and its loss.",
    "predictions": "One row per sentence of a treebank: its parse, and the word that every head picks.",
    "arrows": "One row per sentence of our treebank: whether the word that a word looks at most gets over half.",
    "relations": "How often each head is right, by relation and direction.",
    "relation_baselines": "How often each fixed offset is right.",
    "relation_heads": "The best head of each relation, by two protocols, against the best offset.",
    "antecedents": "The best head for coreference, against rules.",
    "curves": "A number at every checkpoint of a training.",
    "rises": "When a curve has made half of its change from the first checkpoint to the last.",
}
REQUIRED = ("documents", "uniform", "heads", "layers")
"""Tables without which a folder cannot be shown."""
KEPT_OUT = ("inputs", "predictions")
"""Tables that are not published, because they may hold text that is not ours; so they may be missing from a folder."""


def records(rows: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Each row as a dictionary by column; pandas would take three times as long."""
    columns = [column.to_numpy(object if column.dtype == "str" else None).tolist() for _, column in rows.items()]
    names = list(map(str, rows))
    return (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))
