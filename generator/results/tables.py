"""The tables of a results folder: what they hold, their columns, types and order, and the version of the format.

Studies that need more than sums add tidy tables; the table of a study that was not made for a model has no rows.
Layers, heads and the parts of a document are 1-based. Rows are sorted, so the same input gives the same bytes.

What numbers a column may hold stands in their record or, where they have none, in the metadata of the column; a column
that may be empty says there why. A reading refuses everything else.
"""

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pyarrow as pa

from generator.measures import COLUMNS

NO_NUMBER = "A change of what tables mean raises their format."

FORMAT = 6
"""Raised whenever a file changes its form or its meaning; a folder of another format is refused."""
MEANING = 5
"""The first format whose tables mean the same as today's; studies from before are made again."""

RANGE, EMPTY = b"range", b"empty"
"""Keys of the metadata of a column: what numbers it holds, and why it may be empty."""
LAST_OF = "the last of "
"""Begins the end of a range that is the last 0-based place in a list of the same row, whose column follows."""


def _column(name: str, kind: pa.DataType, holds: str = "", empty: str = "") -> pa.Field:
    """A column whose numbers have no record, so that `holds` is their range, or which may be `empty` for a reason.

    A range may end in "layers" or "heads", which are those of the model, in a column of the same table, or in LAST_OF.
    """
    return pa.field(name, kind, metadata={key: text for key, text in ((RANGE, holds), (EMPTY, empty)) if text})


UNDEFINED = "what was read does not define it"
_PLACE = [_column("layer", pa.int16(), "1 to layers"), _column("head", pa.int16(), "1 to heads")]
_PLACE_OR_NONE = [_column("layer", pa.int16(), "0 to layers"), _column("head", pa.int16(), "0 to heads")]
_MEASURES = [_column(column, pa.float64(), empty=UNDEFINED) for column in COLUMNS]
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
ALONE = "of a single unit there is no interval"
_ENDS = [_column(name, pa.float64(), empty=ALONE) for name in ("low", "high")]
_VALUE = [_column("value", pa.float64(), empty=UNDEFINED), *_ENDS]
_ESTIMATE = [*_VALUE, ("n", pa.int32())]
_NUMBER = [*_VALUE, _column("n", pa.int32(), "0 and more")]
"""The estimate of a number whose name stands in its row."""

HEADS = pa.schema([*_OF, *_PLACE, *_ESTIMATE, _column("uniform", pa.float64(), empty=UNDEFINED)])
"""`n` counts the documents in which the measure is defined; `value` is the mean over them, NaN if there are none."""
LAYERS = pa.schema([*_OF, _PLACE[0], *_ESTIMATE])
"""Numbers of layers. A document that defines a measure only for some heads counts with the mean over these."""
INPUTS = pa.schema(
    [
        *_DOCUMENT,
        _column("part", pa.int32(), "1 and more"),
        _column("input_ids", pa.list_(pa.int32()), "0 and more"),
        _column("segment_ids", pa.list_(pa.int8()), "0 to 1"),
        _column("parts", pa.list_(pa.int8()), "0 to 1", empty="earlier versions did not store it"),
    ]
)
"""`segment_ids` is what the model was given, only 0 if it takes none; `parts` is the segment of every token, 0 or 1, by
which it was measured.
"""
EXAMPLES = pa.schema(
    [
        _column("sentence", pa.int16(), "1 and more"),
        ("text", pa.string()),
        ("tokens", pa.list_(pa.string())),
        *_PLACE,
        _column("weights", pa.list_(pa.float32()), "0 to 1"),
    ]
)
"""`weights` is the map as a flat list, query by query."""

FACTS = pa.schema([*_OF[:2], ("study", pa.string()), ("name", pa.string()), _PLACE_OR_NONE[0], *_NUMBER])
"""`layer` is 0 if a number belongs to the whole model or to the input embeddings."""
HEAD_FACTS = pa.schema([*_OF[:2], ("study", pa.string()), ("name", pa.string()), *_PLACE, *_NUMBER])
DECILES = pa.schema(
    [
        ("corpus", pa.string()),
        *_PLACE,
        ("decile", pa.int16()),
        ("strength", pa.float64()),
        ("tokens", pa.list_(pa.string())),
        _column("weights", pa.list_(pa.float32()), "0 to 1"),
    ]
)
"""`decile` 10 is the strongest; the corpus is one that comes with the program, whose text may be shown."""
DIVERGENCE = pa.schema(
    [
        *_DOCUMENT,
        ("documents", pa.int32()),
        ("tokens", pa.float64()),
        ("divergence", pa.list_(pa.float32())),
    ]
)
"""Divergences in nats, in the order of `numpy.triu_indices(layers * heads, k=1)`, the mean of so many `documents`, of
which the first is named.
"""
FEW = "a token type may occur too seldom"
ROLES = pa.schema(
    [
        *_OF[:2],
        ("token", pa.string()),
        _PLACE[0],
        ("rank", pa.int32()),
        ("count", pa.int32()),
        *(_column(name, pa.float64(), empty=FEW if name.endswith("_entropy") else "") for name in ROLE_COLUMNS),
    ]
)
TYPES = pa.schema(
    [
        *_OF[:2],
        ("token", pa.string()),
        ("count", pa.int32()),
        ("received", pa.float64()),
        _column("loss", pa.float64(), empty="a checkpoint may have no masked-LM head"),
    ]
)
_PREDICTED = [("relation", pa.string()), ("direction", pa.string())]
_COUNTED = [("correct", pa.int32()), ("n", pa.int32())]
PREDICTIONS = pa.schema(
    [
        ("corpus", pa.string()),
        ("sentence", pa.string()),
        _column("gold", pa.list_(pa.int16()), f"-1 to {LAST_OF}gold"),
        ("relations", pa.list_(pa.string())),
        ("marked", pa.list_(pa.bool_())),
        _column("predicted", pa.list_(pa.int16()), f"-1 to {LAST_OF}gold"),
    ]
)
"""`predicted` is `[direction, layer, head, word]` as a flat list; places are 0-based, -1 for none."""
ARCS = pa.schema(
    [
        ("corpus", pa.string()),
        *_PREDICTED,
        *_PLACE,
        ("kind", pa.string()),
        ("sentence", pa.string()),
        ("word", pa.int16()),
        ("to", pa.int16()),
        _column("weights", pa.list_(pa.float32()), "0 to 1"),
    ]
)
"""`weights` is `[query, key]` among words as a flat list; of the treebank that comes with the program, as `deciles`."""
RELATIONS = pa.schema([*_OF[:2], *_PREDICTED, *_PLACE, *_COUNTED])
RELATION_BASELINES = pa.schema([*_OF[:2], _PREDICTED[0], ("offset", pa.int16()), *_COUNTED])
_OWN = ("", "_low", "_high")
"""The endings of a number and of its interval, where a row has several."""
RELATION_HEADS = pa.schema(
    [
        *_OF[:2],
        _PREDICTED[0],
        ("protocol", pa.string()),
        _PREDICTED[1],
        *_PLACE,
        ("value", pa.float64()),
        *_ENDS,
        ("n", pa.int32()),
        ("offset", pa.int16()),
        *(_column(f"{name}{end}", pa.float64(), empty=end and ALONE) for name in ("baseline", "gain") for end in _OWN),
        ("rank", pa.int32()),
        *(_column(f"twin{end}", pa.float64(), empty="without the model no twin is drawn") for end in _OWN),
    ]
)
ANTECEDENTS = pa.schema(
    [
        *_OF[:2],
        *((name, pa.string()) for name in ("candidates", "kind", "predictor", "protocol")),
        *_PLACE_OR_NONE,
        *_ESTIMATE,
    ]
)
_CURVE = [*_OF[:2], ("study", pa.string()), ("name", pa.string()), *_PLACE_OR_NONE]
CURVES = pa.schema([*_CURVE, ("step", pa.int64()), *_NUMBER])
"""A number at every checkpoint; `head` is 0 for numbers of layers or the model, `layer` is 0 for those of the model."""
RISES = pa.schema(
    [
        *_CURVE,
        *(_column(name, pa.float64(), empty=UNDEFINED) for name in ("start", "end")),
        *(_column(name, pa.float64(), empty="no change may be sure") for name in ("step", "low", "high")),
        _ESTIMATE[-1],
    ]
)
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
    "arcs": ARCS,
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
    "divergence": "One row per document, of more than 100 per group of them: the distance of every pair of heads.",
    "roles": "How frequent tokens behave, by layer.",
    "types": "How often each piece of the vocabulary occurs, what it receives, and its loss.",
    "predictions": "One row per sentence of a treebank: its parse, and the word that every head picks.",
    "arcs": "Sentences of our treebank in which a head that finds a relation is right, or is not, with its weights.",
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
