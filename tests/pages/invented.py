"""Tables of a treebank and of linked mentions with invented numbers, and names that try to be markup."""

import numpy as np
import pandas as pd

from generator.claims.cutoffs import FEWEST_WORDS
from generator.corpora.relation_names import DIRECTIONS
from generator.pages.heads.atlas import Atlas
from generator.studies.halves import HELD_OUT, SAME_DATA
from generator.topics.mentions.compute.antecedents import BASELINES
from generator.topics.mentions.records import BEST, GAIN
from generator.topics.relations.derived.predictions import OFFSETS

TREEBANK, MENTIONS = "trees <b>&amp;", "linked"
HOSTILE = '"><img src=x onerror=alert(1)> {{ 7*7 }}'
RELATIONS = ("all", "det", "nsubj", "obj", "punct", "rare", HOSTILE)
GAINS = {"det": (0.3, 0.1), "nsubj": (0.3, -0.01), "obj": (0.05, 0.01), "punct": (0.4, 0.3), "rare": (0.5, np.nan)}
"""Relation -> gain and the low end of its interval."""
SIMPLER = (*BASELINES, BEST)


def made(atlas: Atlas) -> dict[str, pd.DataFrame]:
    """Tables of a treebank and of linked mentions, as studies give them."""
    rng = np.random.default_rng(0)
    of = {"model": atlas.results.manifest.model, "corpus": TREEBANK}

    def spread(middle: float, name: str = "") -> dict[str, float]:
        ends = (f"{name}_low", f"{name}_high") if name else ("low", "high")
        return {name or "value": middle, ends[0]: max(middle - 0.05, 0.0), ends[1]: min(middle + 0.04, 1.0)}

    heads = [
        of
        | {"relation": relation, "protocol": protocol, "direction": DIRECTIONS[at % 2]}
        | {"layer": 1 + at % 3, "head": 1 + at % 4, "n": 60 + at, "offset": OFFSETS[at % 6], "rank": 1 + at}
        | spread(rng.random())
        | spread(rng.random(), "baseline")
        | spread(GAINS.get(relation, (0.2, 0.0))[0], "gain")
        | {"gain_low": GAINS.get(relation, (0.2, 0.15))[1]}
        | spread(np.nan if relation == "rare" else 0.01 * rng.random(), "twin")
        for at, relation in enumerate(RELATIONS)
        for protocol in (SAME_DATA, HELD_OUT)
        if (relation, protocol) != ("rare", SAME_DATA)
    ]
    counted = [
        of
        | {"relation": relation, "direction": direction, "layer": layer, "head": head}
        | {"correct": int(rng.integers(0, words)), "n": words}
        for relation, words in (*((name, 99) for name in RELATIONS), ("few", FEWEST_WORDS - 1))
        for direction in DIRECTIONS
        for layer, head in atlas.places
    ]
    offsets = [
        of | {"relation": relation, "offset": offset, "correct": int(rng.integers(0, 40)), "n": 99}
        for relation in RELATIONS
        for offset in OFFSETS
    ]
    names = {
        "trees": [
            "uuas.adjacent",
            *(f"uuas{name}.best{end}" for name in ("", ".to_dependents") for end in ("", ".gain")),
        ],
        "words": ["split"],
        "probe": ["right-branching"],
    }
    names["probe"] += [f"attention+words{end}" for end in ("", ".control", ".selectivity")]
    facts = [
        of | {"study": study, "name": name, "layer": 0, "n": int(rng.integers(100, 200))} | spread(rng.random())
        for study in names
        for name in names[study]
    ]
    head_facts = [
        of | {"study": "trees", "name": "uuas", "layer": layer, "head": head, "n": 300} | spread(rng.random())
        for layer, head in atlas.places
    ]
    antecedents = [
        of
        | {"corpus": MENTIONS, "candidates": candidates, "kind": kind, "predictor": predictor}
        | {"protocol": protocol, "n": int(rng.integers(20, 90))}
        | {"layer": 2 * (predictor not in SIMPLER), "head": 3 * (predictor not in SIMPLER)}
        | spread(np.nan if predictor.endswith("head match") and kind == "pronoun" else rng.random())
        for candidates in ("words", "mentions")
        for predictor in ("head", *SIMPLER, *(GAIN + name for name in SIMPLER))
        for protocol in (HELD_OUT, SAME_DATA)
        for kind in ("all", "pronoun", "proper", "nominal")
    ]
    return {
        "relation_heads": pd.DataFrame(heads),
        "relations": pd.DataFrame(counted),
        "relation_baselines": pd.DataFrame(offsets),
        "facts": pd.DataFrame(facts),
        "head_facts": pd.DataFrame(head_facts),
        "antecedents": pd.DataFrame(antecedents),
    }
