"""A tiny encoder's stored results, and copies of them in which a test sets the numbers of its heads."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from generator.pages.heads.atlas import Atlas
from generator.results.store import Results
from tests.site.project import analyse_plain

Setter = Callable[[Mapping[str, np.ndarray]], Atlas]


@pytest.fixture(scope="session")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives the results of a tiny encoder of 3 layers and 4 heads."""
    root = tmp_path_factory.mktemp("results")
    return Atlas(Results.open(analyse_plain(root, root / "results")))


@pytest.fixture
def with_values(atlas: Atlas, tmp_path: Path) -> Setter:
    """Gives a function that stores the same results again, with some measures set to arrays `[layer, head]`.

    The divergence of heads is left out, so that their measures say how alike they are.
    """

    def store(values: Mapping[str, np.ndarray]) -> Atlas:
        folder = tmp_path / atlas.results.folder.name
        shutil.copytree(atlas.results.folder, folder, ignore=shutil.ignore_patterns("divergence.parquet"))
        table = pq.read_table(folder / "heads.parquet")
        heads = table.to_pandas()
        for name, array in values.items():
            of_measure = heads["measure"] == name
            at = heads.loc[of_measure, ["layer", "head"]].to_numpy() - 1
            for column in ("value", "low", "high"):
                heads.loc[of_measure, column] = array[at[:, 0], at[:, 1]]
        pq.write_table(pa.Table.from_pandas(heads, schema=table.schema, preserve_index=False), folder / "heads.parquet")
        return Atlas(Results.open(folder))

    return store
