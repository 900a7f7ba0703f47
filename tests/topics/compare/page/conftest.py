"""Tiny models, a trained copy, and their comparisons."""

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
import torch

from generator.attention.anatomy import examine
from generator.attention.stream import observe
from generator.corpora import files, treebank
from generator.corpora.relation_names import DIRECTIONS
from generator.models.encoder import Encoder
from generator.models.names import slug
from generator.pages.heads.atlas import Atlas
from generator.results.rows import CorpusRows
from generator.results.store import Results
from generator.results.tables import TABLES
from generator.results.writing import write
from generator.studies.halves import HELD_OUT
from generator.topics.compare.records.names import relation_fact, study
from generator.topics.compare.run.models import compare
from tests.attention.observations import inputs_of
from tests.encoders import HEADS, LAYERS, loaded
from tests.encoders import write as write_encoder
from tests.pages.compare.beside import MODEL, OTHER, RELATION, SEED, SMALL, TEXT, TREEBANK
from tests.results.samples import corpus_of, manifest

Frames = Mapping[str, Sequence[pd.DataFrame]]
Made = Callable[[str], Encoder]


@pytest.fixture(scope="package")
def base(encoder: Made) -> Encoder:
    """Gives the tiny BERT."""
    return replace(encoder("bert"), id=MODEL)


@pytest.fixture(scope="package")
def tuned(base: Encoder) -> Encoder:
    """Gives a copy that was moved."""
    model = copy.deepcopy(base.model)
    rng = torch.Generator().manual_seed(SEED)
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(0.1 * torch.randn(weight.shape, generator=rng))
    return replace(base, id=OTHER, model=model)


def stored(encoder: Encoder, place: Path, extra: Frames | None = None) -> Atlas:
    """A model's results on a few documents, with more rows of some tables."""
    found = examine(encoder)
    rows = CorpusRows(encoder.id, TEXT)
    for observation in observe(encoder, found, inputs_of(encoder)):
        rows.add(observation)
    tables = rows.tables(SEED) | {"examples": TABLES["examples"].empty_table().to_pandas()}
    tables |= {name: pd.concat(parts, ignore_index=True) for name, parts in (extra or {}).items()}
    record = manifest(slug(encoder.id), model=encoder.id, layers=found.layers, heads=found.heads)
    sinks = {str(number): str(number) for number in set(tables["documents"]["sink.token"])}
    record = replace(
        record,
        corpora=(corpus_of(files.TEXT, TEXT, documents=6), corpus_of(treebank.TREEBANK, TREEBANK)),
        vocabulary=sinks,
    )
    tables = {name: frame.sample(frac=1, random_state=0) for name, frame in tables.items()}
    return Atlas(Results.open(write(place, record, tables)))


def set_beside(a: Encoder, b: Encoder) -> Frames:
    """The comparison of two models on the same documents."""
    return compare(a, b, {TEXT: inputs_of(a)}, SEED)


@pytest.fixture(scope="package")
def same(base: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives a model that was compared with itself."""
    return stored(base, tmp_path_factory.mktemp("same"), set_beside(base, base))


@pytest.fixture(scope="package")
def other(tuned: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives the results of the copy, whose name is hostile."""
    return stored(tuned, tmp_path_factory.mktemp("other"))


@pytest.fixture(scope="package")
def changed(base: Encoder, tuned: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives a model that was compared with a copy, on a text and on a treebank, and with a model of another shape."""
    place = tmp_path_factory.mktemp("changed")
    small = loaded(write_encoder("bert", place / SMALL, num_hidden_layers=2, num_attention_heads=2))
    parts = [set_beside(base, tuned), set_beside(base, small)]
    extra = {name: [frame for part in parts for frame in part[name]] for name in ("facts", "head_facts")}
    extra["head_facts"] = [*extra["head_facts"], relation_changes(), feature_changes()]
    extra["facts"] = [*extra["facts"], scores()]
    return stored(base, place, extra | relations())


def scores() -> pd.DataFrame:
    """How well the copy does what the text asks, which is not surely better than saying the same of everything."""
    values = {"score": (0.567, 0.511, 0.621), "score.majority": (0.527, 0.469, 0.585), "score.lead": (0.04, -0.02, 0.1)}
    table = pd.DataFrame([(name, *ends) for name, ends in values.items()], columns=["name", "value", "low", "high"])
    return table.assign(model=MODEL, corpus=TEXT, study=study(OTHER).name, layer=0, n=277)


def relation_changes() -> pd.DataFrame:
    """Changes of accuracy, another for every direction and head."""
    rows = [
        {"name": relation_fact(RELATION, direction), "layer": layer, "head": head, "value": value}
        | {"low": value - 0.05, "high": value + 0.06, "n": 40}
        for at, direction in enumerate(DIRECTIONS)
        for layer in range(1, LAYERS + 1)
        for head in range(1, HEADS + 1)
        for value in [0.1 * layer + 0.01 * head - at]
    ]
    return pd.DataFrame(rows).assign(model=MODEL, corpus=TREEBANK, study=study(OTHER).name)


def feature_changes() -> pd.DataFrame:
    """Changes of attention to nouns, of which one head's is the largest and downwards, and two are beyond doubt."""
    rows = [
        {
            "name": name,
            "layer": layer,
            "head": head,
            "n": 30,
            "value": value,
            "low": value - 0.15,
            "high": min(value + 0.15, 1.0),
        }
        for layer in range(1, LAYERS + 1)
        for head in range(1, HEADS + 1)
        for name, value in (("noun.mean", {(3, 1): -0.4, (1, 2): 0.2}.get((layer, head), 0.01)), ("noun.max", 0.9))
    ]
    return pd.DataFrame(rows).assign(model=MODEL, corpus=TREEBANK, study=study(OTHER).name)


def relations() -> dict[str, list[pd.DataFrame]]:
    """One relation whose held-out head is 2-3, read from head to dependent."""
    chosen = {"relation": RELATION, "direction": DIRECTIONS[1], "layer": 2, "head": 3}
    of = {"model": MODEL, "corpus": TREEBANK}
    numbers = dict.fromkeys(["value", "low", "high", "baseline", "baseline_low", "baseline_high"], 0.5)
    numbers |= {"gain": 0.1, "gain_low": 0.0, "gain_high": 0.2, "n": 20, "offset": 1, "rank": 1}
    numbers |= {"twin": 0.1, "twin_low": 0.05, "twin_high": 0.15}
    counted = [
        of | {"relation": RELATION, "direction": direction, "layer": layer, "head": head, "correct": head, "n": 40}
        for direction in DIRECTIONS
        for layer in range(1, LAYERS + 1)
        for head in range(1, HEADS + 1)
    ]
    return {
        "relation_heads": [pd.DataFrame([of | chosen | {"protocol": HELD_OUT} | numbers])],
        "relations": [pd.DataFrame(counted)],
    }
