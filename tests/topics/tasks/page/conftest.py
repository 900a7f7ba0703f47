"""A model's stored results on invented tasks, and its page."""

from typing import Any

import numpy as np
import pytest

from generator.pages.blocks import Sections
from generator.pages.heads.atlas import Atlas
from generator.topics.tasks.page.page import tasks_page
from tests.results.samples import in_range
from tests.topics.tasks.page.tried import EXAMPLES, LAYERS, OTHER, PLACES, STARTS, WAYS, Rows, atlas_of, metrics_of


class Maker:
    """Invents rows of tables, no two numbers alike."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(5)
        self.tables: dict[str, Rows] = {"facts": [], "head_facts": []}

    def add(self, value: float, n: int, spread: float = 0.03, **of: Any) -> None:
        """One row, of a head if `of` names one."""
        ends = (value - self.rng.uniform(0, spread), value + self.rng.uniform(0, spread))
        numbers = zip(("value", "low", "high"), in_range(of["study"], of["name"], value, *ends), strict=True)
        table = self.tables["head_facts" if "head" in of else "facts"]
        table.append({"model": "Tiny", "layer": 0, "n": n} | dict(numbers) | of)

    def scores(self, task: str, n: int) -> None:
        """Seeds in no order; the majority of a regression is undefined."""
        of = {"corpus": task, "study": "scores"}
        for metric in metrics_of(task):
            self.add(np.nan if task == "stsb" else self.rng.uniform(0.4, 0.6), n, name=f"{metric}.majority", **of)
            for name in (f"{metric}.{start}{end}" for start in STARTS for end in ("", ".seed10", ".seed2", ".seed0")):
                self.add(self.rng.uniform(0.5, 0.9), n, name=name, **of)
            for name in (
                *(f"{start}.lead" for start in STARTS),
                *(f"{STARTS[2]}.minus.{start}" for start in STARTS[:2]),
            ):
                self.add(self.rng.normal(0.1, 0.1), n, name=f"{metric}.{name}", **of)

    def sweep(self, task: str, n: int) -> None:
        """Changes of heads and layers that have nothing to do with one another."""
        of = {"corpus": task, "study": "disabling"}
        self.add(self.rng.uniform(0.5, 0.9), n, name="base", **of)
        self.add(self.rng.uniform(0.4, 0.6), n, name="base.majority", **of)
        self.add(0.0 if task == "rte" else 0.2, n, name="base.lead", **of)
        for way in WAYS:
            self.add(self.rng.normal(0, 0.03), n, name=f"{way}.mean", **of)
            for at in [*({"layer": layer, "head": head} for layer, head in PLACES), {"layer": 1}, {"layer": 2}]:
                change = self.rng.normal(0, 0.03)
                self.add(change, n, name=way, **of, **at)
                self.add(change, n, 0.05, name=f"{way}.family", **of, **at)
        for kind in ("best_head", "best_layer"):
            self.add(self.rng.normal(0, 0.03), n // 2, name=f"uniform.{kind}", **of)
        for layer in range(1, LAYERS + 1):
            self.add(self.rng.normal(0, 0.03), n // 2, name="zero.best_left", layer=layer, **of)
        for layer, head in PLACES:
            self.add(self.rng.exponential(), n, name="importance", layer=layer, head=head, **of)

    def pruning(self, task: str, n: int) -> None:
        """Steps in no order."""
        of = {"corpus": task, "study": "pruning"}
        for gone in (10, 0, 2, 4):
            self.add(self.rng.uniform(0.3, 0.9), n, name=f"score.{gone}", **of)
        self.add(self.rng.uniform(0.2, 0.7), n, name="removable", **of)

    def order(self, task: str, n: int) -> None:
        """When each head goes."""
        for at, (layer, head) in enumerate(self.rng.permutation(PLACES).tolist(), 1):
            self.add(at, n, 0, corpus=task, study="pruning", name="order", layer=layer, head=head)

    def comparison(self, task: str, study: str, copied: float) -> None:
        """Another model on the same examples."""
        of = {"corpus": task, "study": study}
        self.add(copied, 1, name="copy", **of)
        for layer in range(LAYERS + 1):
            self.add(self.rng.uniform(0.5, 1), 50, name="cosine", layer=layer, **of)
        for layer, head in PLACES:
            self.add(self.rng.uniform(0.5, 1), 50, name="cosine", layer=layer, head=head, **of)


@pytest.fixture(scope="package")
def made() -> dict[str, Rows]:
    """Gives the tables of every experiment, and of comparisons that are none with a fine-tuned model."""
    maker = Maker()
    for task, n in EXAMPLES.items():
        maker.scores(task, n)
        maker.sweep(task, n)
        maker.pruning(task, n)
    maker.comparison("rte", OTHER, 1.0)
    maker.comparison("mrpc", "compare:stranger", 0.0)
    maker.comparison("texts", "compare:b", 1.0)
    for task, n in EXAMPLES.items():
        if task != "mrpc":  # as in sweeps that did not store it
            maker.order(task, n)
    return maker.tables


@pytest.fixture(scope="package")
def atlas(made: dict[str, Rows], tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives results with every experiment."""
    return atlas_of(tmp_path_factory.mktemp("tasks"), made)


@pytest.fixture(scope="package")
def page(atlas: Atlas) -> Sections:
    """Gives the sections."""
    return tasks_page(atlas)
