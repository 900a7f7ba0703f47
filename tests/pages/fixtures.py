"""A tiny encoder's stored results, and copies of them in which a test sets the numbers of its heads."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from generator.claims.gate.maps import FEWEST
from generator.corpora import treebank
from generator.corpora.files import TEXT
from generator.pages.heads.atlas import Atlas
from generator.results.store import Results
from generator.results.tables import TABLES
from generator.results.writing import write
from generator.topics.mentions.corpus import mentions
from generator.topics.relations.records.trees import RESTING
from tests.pages.invented import HOSTILE, MENTIONS, TREEBANK, made
from tests.results.altered import with_table
from tests.results.samples import corpus_of
from tests.site.hostile import WORDS

Setter = Callable[[Mapping[str, np.ndarray]], Atlas]


@pytest.fixture(scope="session")
def atlas(plain: Path) -> Atlas:
    """Gives the results of a tiny encoder of 3 layers and 4 heads."""
    return Atlas(Results.open(plain))


@pytest.fixture
def with_values(atlas: Atlas, tmp_path: Path) -> Setter:
    """Gives a function that stores the same results again, with some measures set to arrays `[layer, head]`, and to
    as many documents as a name asks for.

    The divergence of heads is left out, so that their measures say how alike they are, and so is what sentences say
    against the values.
    """

    def store(values: Mapping[str, np.ndarray]) -> Atlas:
        def change(heads: pd.DataFrame) -> pd.DataFrame:
            for name, array in values.items():
                of_measure = heads["measure"] == name
                at = heads.loc[of_measure, ["layer", "head"]].to_numpy() - 1
                for column in ("value", "low", "high"):
                    heads.loc[of_measure, column] = array[at[:, 0], at[:, 1]]
                heads.loc[of_measure, "n"] = FEWEST
            return heads

        folder = tmp_path / atlas.results.folder.name
        shutil.copytree(atlas.results.folder, folder, ignore=shutil.ignore_patterns("divergence.parquet"))
        with_table(folder, "head_facts", lambda facts: facts[facts["study"] != RESTING.name])
        return Atlas(Results.open(with_table(folder, "heads", change)))

    return store


@pytest.fixture(scope="session")
def bare(atlas: Atlas, tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives the tiny encoder's results on running text alone."""
    tables = {name: atlas.results.table(name) for name in TABLES}
    texts = {name: of_corpus(frame, atlas.corpus) for name, frame in tables.items()}
    old = atlas.results.manifest
    manifest = replace(old, corpora=(old.of(TEXT)[atlas.corpus],))
    stored = {name: frame for name, frame in texts.items() if len(frame)}
    return Atlas(Results.open(write(tmp_path_factory.mktemp("bare"), manifest, stored)))


def of_corpus(frame: pd.DataFrame, corpus: str) -> pd.DataFrame:
    """The rows of a corpus, or all of a table that knows none."""
    return frame[frame["corpus"] == corpus] if "corpus" in frame else frame


@pytest.fixture(scope="session")
def full(bare: Atlas, tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives the same with a treebank and linked mentions of invented numbers, rows in any order, and odd tokens."""
    tables = {name: bare.results.table(name) for name in TABLES}
    tables |= {name: pd.concat([tables[name], frame], ignore_index=True) for name, frame in made(bare).items()}
    tables["roles"] = tables["roles"].replace({"token": {"the": WORDS[1], "and": HOSTILE}})
    tables = {name: frame.sample(frac=1, random_state=0) for name, frame in tables.items() if len(frame)}
    old = bare.results.manifest
    manifest = replace(
        old,
        corpora=(
            *old.corpora,
            corpus_of(treebank.TREEBANK, TREEBANK, language="de", sentences=1234, words=5678, long=9),
            corpus_of(mentions.MENTIONS, MENTIONS, documents=21, words=432, mentions=65),
        ),
    )
    return Atlas(Results.open(write(tmp_path_factory.mktemp("full"), manifest, tables)))
