"""Curves over layers by which two models are set side by side, whatever their depth."""

from collections.abc import Mapping

import pandas as pd

from generator.measures.position import FAR_COLUMNS
from generator.numbers.makers import makes
from generator.numbers.number import Grid
from generator.numbers.resampling import bootstrap
from generator.topics.layers.derived.profiles import BREADTH, layer_profiles
from generator.topics.layers.records import COURSES

NAMES = tuple(quantity.name for quantity in COURSES.quantities)
SPECIAL = ("attention.cls", "attention.sep")


@makes(COURSES, *NAMES)
def courses(documents: pd.DataFrame, uniform: pd.DataFrame, seed: int) -> Mapping[str, Grid]:
    """Name of a curve -> its numbers, `[layer]`; NaN where no document defines one.

    Takes the rows of one corpus of the tables `documents` and `uniform`, in any order.
    """
    profiles = layer_profiles(documents, uniform)
    table = documents.sort_values(["document", "layer", "head"])
    of_heads = table[list(FAR_COLUMNS)].to_numpy(float).sum(-1)
    far = of_heads.reshape(len(profiles.documents), profiles.layers, -1).mean(-1)
    begin, separator = (profiles.curves[name] for name in SPECIAL)
    rows = profiles.curves[BREADTH], begin + separator, far
    return {name: bootstrap(row, seed) for name, row in zip(NAMES, rows, strict=True)}
