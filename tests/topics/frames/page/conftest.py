"""A model's stored results on invented treebanks and frames, and its page."""

from typing import Any

import numpy as np
import pytest

from generator.pages.blocks import Sections
from generator.pages.heads.atlas import Atlas
from generator.topics.frames.page.page import features_page
from tests.results.samples import in_range
from tests.topics.frames.page.annotated import (
    FRAME_TABLES,
    FRAMES,
    KINDS,
    LAYERS,
    LINKS,
    MATCHING,
    OTHER,
    PLACES,
    SCORES,
    TEXTS,
    TREEBANK,
    Rows,
    atlas_of,
)


class Maker:
    """Invents rows of tables, no two numbers alike."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(3)
        self.tables: dict[str, Rows] = {"facts": [], "head_facts": []}

    def add(self, value: float | None = None, **of: Any) -> None:
        """One row, of a head if `of` names one."""
        middle = self.rng.uniform(0.1, 0.9) if value is None else value
        ends = (middle - self.rng.uniform(0.01, 0.1), middle + self.rng.uniform(0.01, 0.1))
        numbers = zip(("value", "low", "high"), in_range(of["study"], of["name"], middle, *ends), strict=True)
        row = {"model": "Tiny", "layer": 0, "n": int(self.rng.integers(50, 5000))} | dict(numbers) | of
        self.tables["head_facts" if "head" in of else "facts"].append(row)

    def heads(self, study: str, corpus: str, name: str) -> None:
        """A number of every head, with one n."""
        n = int(self.rng.integers(50, 5000))
        for layer, head in PLACES:
            self.add(study=study, corpus=corpus, name=name, layer=layer, head=head, n=n)

    def features(self, corpus: str) -> None:
        """Numbers of layers that have nothing to do with those of heads."""
        for kind in KINDS:
            self.add(study="features", corpus=corpus, name=f"{kind}.frequency")
            n = int(self.rng.integers(50, 5000))
            for score in SCORES:
                self.heads("features", corpus, f"{kind}.{score}")
                for layer in range(1, LAYERS + 1):
                    self.add(study="features", corpus=corpus, name=f"{kind}.{score}", layer=layer, n=n)

    def frames(self, corpus: str) -> None:
        """Both filters, both directions."""
        for prefix in ("", "paper."):
            self.add(study="frames", corpus=corpus, name=f"{prefix}frames", value=1234.0)
        for prefix, direction in FRAME_TABLES:
            of = {"study": "frames", "corpus": corpus}
            for end in ("", ".matched", ".gain", ".gain.family"):
                self.heads("frames", corpus, f"{prefix}{direction}{end}")
            for end in ("percentile99", "best.gain"):
                self.add(name=f"{prefix}{direction}.{end}", **of)
            whole = {"above": 7, "best.layer": 1 + bool(prefix), "best.head": 3 + (direction < "f")}
            for end, value in whole.items():
                self.add(name=f"{prefix}{direction}.{end}", value=float(value), **of)


@pytest.fixture(scope="package")
def made() -> dict[str, Rows]:
    """Gives the tables of all four studies, and rows of others."""
    maker = Maker()
    for corpus in (TREEBANK, OTHER):
        maker.features(corpus)
        for name in (*LINKS.values(), "sep.outside"):
            maker.heads("words", corpus, name)
    for name in MATCHING:
        maker.heads("matching", TEXTS, name)
    for name in ("best.gain", "best.matched.gain"):
        maker.add(study="matching", corpus=TEXTS, name=name)
    maker.frames(FRAMES)
    maker.heads("trees", TREEBANK, "uuas")
    maker.heads("compare:b", TREEBANK, "noun.max")
    return maker.tables


@pytest.fixture(scope="package")
def atlas(made: dict[str, Rows], tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives results with every study."""
    return atlas_of(tmp_path_factory.mktemp("features"), made)


@pytest.fixture(scope="package")
def page(atlas: Atlas) -> Sections:
    """Gives the context."""
    return features_page(atlas)
