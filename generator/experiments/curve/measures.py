"""Every measure of every head and layer against training steps, and the signatures of the three phases.

Curves are means over documents, which are resampled. The step at which a measure rises has an interval, too, because
the same documents were read at every checkpoint.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from generator.claims.evidence.evidence import Evidence
from generator.experiments.curve.rows import CurveTables, Steps, curve_rows, rise_rows
from generator.measures import COLUMNS
from generator.numbers.means import defined_mean
from generator.numbers.number import Grid
from generator.numbers.resampling import bootstrap
from generator.studies.layers.profiles import SIGNATURES
from generator.studies.learning.quantities import MEASURE, ORDER, SIGNATURE
from generator.studies.learning.rises import Rise, order, rise


def measure_curves(steps: Steps, evidences: Sequence[Evidence], model: str, corpus: str, seed: int) -> CurveTables:
    """Study "measure": every measure of every head, and as head 0 the mean over the heads of a layer."""
    found: CurveTables = {"curves": [], "rises": []}
    for name in COLUMNS:
        by_head = _rows(evidences, name)
        for rows in (by_head, defined_mean(by_head, -1)):
            of = MEASURE, name, model, corpus
            found["curves"].append(curve_rows(steps, bootstrap(rows, seed), *of))
            found["rises"].append(rise_rows(rise(steps, rows, seed), *of))
    return found


def signature_curves(steps: Steps, evidences: Sequence[Evidence], model: str, corpus: str, seed: int) -> CurveTables:
    """Study "signature": the measure that marks each phase, mean over its layers; and, among `rises`, study "order".

    An order is given as log2 of the later phase's step divided by the earlier phase's step.
    """
    found: CurveTables = {"curves": [], "rises": []}
    rows = {}
    for name, (measure, layers) in SIGNATURES.items():
        by_layer = defined_mean(_rows(evidences, measure), -1)
        rows[name] = defined_mean(by_layer[..., layers(by_layer.shape[-1])], -1)
        of = SIGNATURE, name, model, corpus
        found["curves"].append(curve_rows(steps, bootstrap(rows[name], seed), *of))
        found["rises"].append(rise_rows(rise(steps, rows[name], seed), *of))
    for first, second in pairwise(SIGNATURES):  # the order in which the hypothesis has them learned
        between = order(steps, rows[first], rows[second], seed)
        found["rises"].append(rise_rows(_as_rise(between), ORDER, f"{first}.{second}", model, corpus))
    return found


def _rows(evidences: Sequence[Evidence], name: str) -> np.ndarray:
    """A measure's values at all steps, `[document, step, layer, head]`."""
    return np.stack([evidence.rows(name) for evidence in evidences], axis=1)


def _as_rise(between: Grid) -> Rise:
    nothing = np.full(between.value.shape, np.nan)
    return Rise(nothing, nothing, *between)
