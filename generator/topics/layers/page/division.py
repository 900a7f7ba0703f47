"""The layers of a model divided in three, with the curves by which they are divided."""

from typing import NamedTuple

import numpy as np

from generator.claims.cutoffs import FEWEST_WORDS
from generator.corpora.relation_names import NOT_RELATIONS
from generator.corpora.treebank import TREEBANK
from generator.pages.heads.atlas import Atlas, Cached
from generator.results.store import Results
from generator.topics.layers.derived.phases import Phases, find_phases
from generator.topics.layers.derived.profiles import LayerProfiles, layer_profiles
from generator.topics.relations.derived.layer_gains import layer_gains


class Division(NamedTuple):
    """The best division of the layers, and what it was found from."""

    profiles: LayerProfiles
    treebank: str
    """The treebank whose relations give the gains in syntax; empty if none has relations with enough words."""
    syntax: np.ndarray | None
    """The gains in syntax, `[layer]`."""
    found: Phases


def divided(results: Results, corpus: str) -> Division:
    """The division of the layers by their profiles on a corpus."""
    seed = int(results.manifest.settings["seed"])
    measured = layer_profiles(*(table[table["corpus"] == corpus] for table in (results.documents, results.uniform)))
    treebank, syntax = syntax_gain(results)
    return Division(measured, treebank, syntax, find_phases(measured, seed, syntax))


def syntax_gain(results: Results) -> tuple[str, np.ndarray | None]:
    """The first treebank that has relations with enough words, and its `layer_gains` over these; "" and None if there
    is none.
    """
    heads, offsets = (
        rows[~rows["relation"].isin(NOT_RELATIONS) & (rows["n"] >= FEWEST_WORDS)]
        for rows in map(results.table, ("relations", "relation_baselines"))
    )
    for corpus in results.manifest.of(TREEBANK):
        if (heads["corpus"] == corpus).any():
            return corpus, layer_gains(heads[heads["corpus"] == corpus], offsets[offsets["corpus"] == corpus])
    return "", None


def _of_model(atlas: Atlas) -> Division | None:
    return divided(atlas.results, atlas.corpus) if atlas.drawn_from_layers else None


DIVISION = CACHED = Cached[Division | None]("division", _of_model, (Division, LayerProfiles, Phases))
"""How the layers of a model divide in three; None without documents whose layers are known."""
