"""The figure of a model's curves over layers, with the borders of phases and what is published of BERT-base."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from generator.charts import PHASES_TALL, TOLD
from generator.charts.naming.signals import over_layers
from generator.charts.theme import QUANTITIES
from generator.claims.cutoffs import FEWEST_WORDS
from generator.claims.published import of_layers, published
from generator.numbers.number import all_alone
from generator.numbers.writing import interval, number
from generator.pages.blocks import Figure, Table
from generator.pages.figures import as_stored, embed, estimate_columns
from generator.pages.heads.atlas import Atlas
from generator.topics.layers.derived.phases import SYNTAX
from generator.topics.layers.derived.profiles import BREADTH
from generator.topics.layers.page.division import Division
from generator.topics.layers.page.phases.sentences import seen

NAMES = dict(zip((BREADTH, "attention.cls", "attention.sep", "attention.punctuation", SYNTAX), QUANTITIES, strict=True))
"""Quantities of the study -> their names in the chart."""
PRINTED = {f"attention.{name}": f"clark.layers.{name}" for name in ("cls", "sep", "punctuation")}
"""Quantities of the study -> the published curves over the layers of BERT-base that measure the same."""


class Ring(NamedTuple):
    """A published number of a layer of BERT-base."""

    quantity: str
    """Its name in the chart."""
    layer: int
    place: float
    """Where the layer stands among those of the model that is shown: at the same part of the depth."""
    value: float


def profiles_figure(atlas: Atlas, division: Division) -> Figure:
    """The curves over layers beside published ones, and the borders of phases: those found, and of the hypothesis."""
    profiles, treebank, syntax, found = division
    of_curves = profiles.estimates(int(atlas.results.manifest.settings["seed"]))
    estimates = {name: of_curves[name] for name in found.quantities if name != SYNTAX}
    if syntax is not None:
        estimates[SYNTAX] = all_alone(syntax)
    layers = np.arange(1, found.layers + 1)
    low, high = (dict(zip(found.boundaries, ends, strict=True)) for ends in (found.low, found.high))
    columns: dict[str, Any] = {
        "layer": np.tile(layers, len(estimates)).tolist(),
        "quantity": np.repeat([NAMES[name] for name in estimates], found.layers).tolist(),
        "found": np.tile(np.isin(layers, found.boundaries).astype(int), len(estimates)).tolist(),
        "expected": np.tile(np.isin(layers, found.expected).astype(int), len(estimates)).tolist(),
    }
    columns |= estimate_columns(estimate.at(layer) for estimate in estimates.values() for layer in range(found.layers))
    for name, ends in (("found_low", low), ("found_high", high)):
        columns[name] = as_stored(np.tile([ends.get(layer, np.nan) for layer in layers.tolist()], len(estimates)))
    across = {layer: (layer - 0.5) / found.layers for layer in layers.tolist()}
    borders = [
        [(end / found.layers, 0.0), (end / found.layers, PHASES_TALL)] for end in (*found.boundaries, *found.expected)
    ]
    rings = list(_printed(found.layers, [name for name in PRINTED if name in estimates]))
    named = over_layers(
        columns, name="quantity", across=across, tall=PHASES_TALL, others=borders, beside=[ring.value for ring in rings]
    )
    view = {
        "columns": _with_rings(columns, rings),
        "signals": {"depth": found.layers} | named,
        "constants": {"corpus": atlas.corpus, "unit": "share", "n": found.n},
    }
    return Figure(
        id="profiles",
        label=seen(found, atlas.results.manifest.model),
        kinds=("profiles",),
        data=embed({"shared": {}, "views": [view]}),
        caption=_caption(atlas, treebank),
        table=Table(
            ("quantity", "layer", "value", "95 % interval"),
            (
                *(
                    (NAMES[name], str(layer), number(value, low, high), interval(low, high, value=value))
                    for name, estimate in estimates.items()
                    for layer, value, low, high in zip(
                        layers.tolist(),
                        estimate.value.tolist(),
                        estimate.low.tolist(),
                        estimate.high.tolist(),
                        strict=True,
                    )
                ),
                *((ring.quantity, f"{ring.layer} of BERT-base, published", number(ring.value), "-") for ring in rings),
            ),
        ),
    )


def _printed(layers: int, quantities: Iterable[str]) -> Iterator[Ring]:
    """What is published of these quantities, for a model with so many layers."""
    for name in quantities:
        keys = of_layers(PRINTED[name])
        for layer, key in enumerate(keys, start=1):
            yield Ring(NAMES[name], layer, (layer - 0.5) / len(keys) * layers + 0.5, published(key).value)


def _with_rings(columns: dict[str, list[Any]], rings: Sequence[Ring]) -> dict[str, list[Any]]:
    """The columns of the curves, with a row for each published number."""
    added: dict[str, list[Any]] = {name: [None] * len(rings) for name in columns} | {
        "layer": [ring.place for ring in rings],
        "quantity": [ring.quantity for ring in rings],
        "value": [ring.value for ring in rings],
        "found": [0] * len(rings),
        "expected": [0] * len(rings),
        TOLD: [f"{number(ring.value)} in layer {ring.layer} of BERT-base" for ring in rings],
    }
    whole = {name: [*column, *added[name]] for name, column in columns.items()}
    return whole | {"printed": [0] * len(columns["layer"]) + [1] * len(rings)}


def _caption(atlas: Atlas, treebank: str) -> str:
    text = (
        "Means over a layer's heads, with 95 % intervals as bands. Breadth is entropy as a share of its most. Solid "
        "lines are the borders that were found, dashed ones those of the hypothesis. Rings are BERT-base, read off a "
        f"plot (Clark et al. 2019) and set at the same depth. Measured on {atlas.text}."
    )
    if treebank:
        text += (
            " Gain in syntax is the lead of a layer's best head over the best fixed offset, mean over the relations of "
            f"{treebank} with {FEWEST_WORDS} words or more; choosing the head on the same words makes it too high."
        )
    return text
