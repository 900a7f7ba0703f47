"""How much better than a fixed offset the heads of each layer find dependency relations, from stored counts."""

import numpy as np
import pandas as pd

from generator.numbers.makers import makes
from generator.topics.layers.records import PHASES
from generator.topics.relations.derived.tried import accuracies


@makes(PHASES, "syntax")
def layer_gains(relations: pd.DataFrame, baselines: pd.DataFrame) -> np.ndarray:
    """`[layer]`: mean over relations of the accuracy of the layer's best head minus that of the best fixed offset.

    Takes rows of the tables `relations` and `relation_baselines` of one treebank. Heads, directions and offsets are
    chosen on the words on which they are scored, so the level is too high; phases only use the shape of the curve.
    """
    best = _accuracy(relations).groupby(["relation", "layer"]).max().unstack("layer")
    return best.sub(_accuracy(baselines).groupby("relation").max(), axis=0).mean().sort_index().to_numpy()


def _accuracy(rows: pd.DataFrame) -> pd.Series:
    place = [name for name in ("relation", "layer") if name in rows]
    return accuracies(rows).set_axis(pd.MultiIndex.from_frame(rows[place]))
