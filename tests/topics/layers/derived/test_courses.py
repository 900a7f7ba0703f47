"""The curves by which two models are set side by side, against slow loops."""

import math

import numpy as np
import pytest

from generator.measures.position import FAR_COLUMNS
from generator.numbers.resampling import bootstrap
from generator.topics.layers.derived.courses import NAMES, SPECIAL, courses
from generator.topics.layers.derived.profiles import SHOWN
from tests.topics.layers.compute.curves import TOKENS, tables

DOCUMENTS, LAYERS, HEADS = 5, 3, 2


def made():
    rng = np.random.default_rng(1)
    curves = {name: rng.uniform(0, 0.4, (DOCUMENTS, LAYERS, HEADS)) for name in (*SHOWN, *FAR_COLUMNS)}
    documents, uniform = tables(curves)
    return curves, documents.assign(**{name: curves[name].ravel() for name in FAR_COLUMNS}), uniform


def test_curves_are_slow_means_over_heads_with_intervals_over_documents():
    curves, documents, uniform = made()
    expected = {name: np.zeros((DOCUMENTS, LAYERS)) for name in NAMES}
    for document in range(DOCUMENTS):
        for layer in range(LAYERS):
            for head in range(HEADS):
                at = document, layer, head
                expected["breadth"][document, layer] += curves["entropy.all"][at] / math.log(TOKENS) / HEADS
                expected["special"][document, layer] += sum(curves[name][at] for name in SPECIAL) / HEADS
                expected["far"][document, layer] += sum(curves[name][at] for name in FAR_COLUMNS) / HEADS
    found = courses(documents.sample(frac=1, random_state=2), uniform[::-1], seed=3)
    assert tuple(found) == NAMES
    for name, rows in expected.items():
        for part, slow in zip(found[name], bootstrap(rows, 3), strict=True):
            assert part == pytest.approx(slow)


def test_what_no_document_defines_is_undefined():
    _, documents, uniform = made()
    found = courses(documents.assign(**{FAR_COLUMNS[0]: math.nan}), uniform, seed=3)
    assert np.isnan(found["far"].value).all()
    assert not np.isnan(found["special"].value).any()
