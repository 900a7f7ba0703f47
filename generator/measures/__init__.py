"""All measures, in the order in which pages show them. A new one is a file here and a name in this tuple."""

from collections.abc import Mapping

import numpy as np

from generator.attention.sums.primitives import Primitives
from generator.measures.breadth import BEGIN_ENTROPY, ENTROPY, LARGEST
from generator.measures.measure import Counts, Measure
from generator.measures.norms import NORM_BEGIN, NORM_OTHER, NORM_PUNCTUATION, NORM_SEPARATOR
from generator.measures.patterns import NEAR, PATTERN, PATTERN_COLUMNS, SEGMENT_BREADTH
from generator.measures.position import FAR, FAR_COLUMNS, NEXT, OFFSET, OFFSET_COLUMNS, PREVIOUS, SAME_SEGMENT, SELF
from generator.measures.sinks import SINK
from generator.measures.special_tokens import (
    OTHER_TO_SEPARATOR,
    SEPARATOR_TO_SEPARATOR,
    TO_BEGIN,
    TO_OTHER,
    TO_PUNCTUATION,
    TO_SEPARATOR,
)
from generator.numbers.quantity import Placeholder

MEASURES: tuple[Measure, ...] = (
    TO_BEGIN,
    TO_SEPARATOR,
    TO_PUNCTUATION,
    TO_OTHER,
    SELF,
    PREVIOUS,
    NEXT,
    NEAR,
    SEPARATOR_TO_SEPARATOR,
    OTHER_TO_SEPARATOR,
    SAME_SEGMENT,
    SEGMENT_BREADTH,
    LARGEST,
    ENTROPY,
    BEGIN_ENTROPY,
    SINK,
    NORM_BEGIN,
    NORM_SEPARATOR,
    NORM_PUNCTUATION,
    NORM_OTHER,
    OFFSET,
    FAR,
    PATTERN,
)
COLUMNS: tuple[str, ...] = tuple(column for measure in MEASURES for column in measure.columns)
OF_COLUMN: Mapping[str, Measure] = {column: measure for measure in MEASURES for column in measure.columns}
_ALONE = {column: f"Attention at {column.replace('.', ' ')}" for column in OFFSET_COLUMNS}
_ALONE |= {column: f"Attention to words far {column.partition('.')[2]}" for column in FAR_COLUMNS}
_ALONE |= {column: f"Maps that are {column.partition('.')[2]}" for column in PATTERN_COLUMNS}
COLUMN = Placeholder("column", {column: _ALONE.get(column, measure.title) for column, measure in OF_COLUMN.items()})
"""The name of a column within the name of another number, and the title of each column."""


def compute(primitives: Primitives, counts: Counts) -> np.ndarray:
    """Every number for one document, `[layer, head, column]`, columns in the order of COLUMNS."""
    layers, heads = primitives.largest.shape
    arrays = [measure.compute(primitives, counts) for measure in MEASURES]
    parts = [
        array.reshape(layers, heads, len(measure.columns)) for measure, array in zip(MEASURES, arrays, strict=True)
    ]
    return np.concatenate(parts, axis=-1)
