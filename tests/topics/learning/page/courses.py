"""The course of an invented training: rows of `curves` and `rises`, no two numbers alike, in no order."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from generator.claims.all import CLAIMS
from generator.claims.cutoffs import FEWEST_WORDS
from generator.corpora import kinds
from generator.corpora.files import TEXT
from generator.corpora.relation_names import DIRECTIONS
from generator.corpora.treebank import TREEBANK
from generator.measures import COLUMNS
from generator.pages.heads.atlas import Atlas
from generator.results.store import Results
from generator.results.tables import TABLES
from generator.results.writing import write
from generator.studies.declared import quantity_of
from generator.studies.halves import HELD_OUT
from tests.results.samples import corpus_of, documents_of, in_range, manifest

STEPS = (0, 16, 80, 405, 2033)
TEXTS, TREES, OTHER_TREES, TASK = "texts <i>", '"><img src=x onerror=alert(1)> trees', "other trees", "rte"
RELATIONS = {"nsubj": (1, 2), "det:<b>": (2, 5), "amod": (1, 3), "all": (2, 1)}
FOUND = ("nsubj", "det:<b>")
SIGNATURES = ("begin", "separator", "punctuation")
MODEL = "Tiny"
Rows = list[dict[str, Any]]


class Course:
    """Invents numbers; `curves` and `rises` are lists of rows."""

    def __init__(self, steps: Sequence[int] = STEPS, layers: int = 2, heads: int = 5, seed: int = 1) -> None:
        self.rng = np.random.default_rng(seed)
        self.steps, self.shape = tuple(steps), (layers, heads)
        self.places = [(layer, head) for layer in range(1, layers + 1) for head in range(1, heads + 1)]
        self.curves: Rows = []
        self.rises: Rows = []
        self.heads: Rows = []

    def curve(self, study: str, name: str, layer: int = 0, head: int = 0, corpus: str = TEXTS, **more: Any) -> None:
        """A number at every step, below `top` and of `n`; `bare` leaves the interval out, `even` never falls.

        With `rise` half of its change is made at one of the checkpoints.
        """
        quantity_of(study, name)
        top, n = more.get("top", 1.0), more.get("n", int(self.rng.integers(20, 900)))
        of = {"model": MODEL, "corpus": corpus, "study": study, "name": name, "layer": layer, "head": head}
        values = top * self.rng.uniform(0.05, 0.95, len(self.steps))
        for step, value in zip(self.steps, np.sort(values) if more.get("even") else values, strict=True):
            low, high = value - top * self.rng.uniform(0.01, 0.05), value + top * self.rng.uniform(0.01, 0.05)
            ends = {"low": np.nan, "high": np.nan} if more.get("bare") else {"low": low, "high": high}
            self.curves.append(of | {"step": step, "value": value, "n": n} | ends)
        if more.get("rise"):
            first, last = (self.curves[at]["value"] for at in (-len(self.steps), -1))
            at = int(self.rng.integers(1, len(self.steps)))
            when = {"step": self.steps[at], "low": self.steps[at - 1], "high": self.steps[-1]}
            self.rises.append(of | {"start": first, "end": last, "n": n} | when)

    def forms(self, name: str, layer: int, head: int) -> None:
        """A head comes to give 0.9 of its attention to a target, half of it by the third checkpoint."""
        of = {"name": name, "layer": layer, "head": head}.items()
        (rise,) = (row for row in self.rises if of <= row.items())
        rise.update(start=0.1, end=0.9, step=self.steps[2])
        last = next(row for row in self.curves if of <= row.items() and row["step"] == self.steps[-1])
        last.update(value=0.9, low=0.88, high=0.92, n=20)

    def single(self, study: str, name: str, value: float, corpus: str = TEXTS, n: int = 333) -> None:
        """One number of the last step."""
        quantity_of(study, name)
        of = {"corpus": corpus, "study": study, "name": name, "layer": 0, "head": 0}
        ends = dict(zip(("low", "high"), in_range(study, name, value - 0.02, value + 0.03), strict=True))
        self.curves.append(of | {"model": MODEL, "step": self.steps[-1], "value": value, "n": n} | ends)

    def learns(self, relation: str, layer: int, head: int, corpus: str, words: int, lead: float = 0.5) -> None:
        """A head comes to find 0.9 of so many words of a relation, so much more than the best fixed offset."""
        self.curve("relation", relation, layer, head, corpus=corpus, rise=True)
        end = 0.88 + self.rng.uniform(0, 0.02)
        self.curves[-1].update(value=end, low=end - 0.02, high=end + 0.02)
        self.rises[-1]["end"] = end
        self.single("relation.baseline", relation, end - lead, corpus, words)

    def finds(self, relation: str, layer: int, head: int, gain: float = 0.3) -> None:
        """What the last checkpoint's analysis says of the best head of a relation, in both treebanks."""
        of = {"model": MODEL, "relation": relation, "protocol": HELD_OUT, "direction": DIRECTIONS[0], "n": 50}
        of |= {"layer": layer, "head": head, "offset": 1, "rank": 1, "value": 0.9, "low": 0.8, "high": 0.95}
        of |= {"baseline": 0.9 - gain, "baseline_low": 0.0, "baseline_high": 1.0, "gain": gain, "gain_low": gain - 0.05}
        of |= {"gain_high": 0.4, "twin": 0.1, "twin_low": 0.1, "twin_high": 0.1}
        self.heads += [of | {"corpus": corpus} for corpus in (OTHER_TREES, TREES)]

    def everything(self, measures: Sequence[str] = COLUMNS) -> "Course":
        """All studies of the contract."""
        for name in measures:
            top = 4.0 if name.startswith("entropy") else 0.45
            for layer in range(1, self.shape[0] + 1):
                self.curve("measure", name, layer, top=top, n=9, rise=True)
            for layer, head in self.places:
                self.curve("measure", name, layer, head, top=top, n=9, rise=True)
        for name in SIGNATURES:
            self.curve("signature", name, rise=True, n=9)
        for name in ("begin.separator", "separator.punctuation"):
            of = {"model": MODEL, "corpus": TEXTS, "study": "order", "name": name, "layer": 0, "head": 0}
            ends = {"start": np.nan, "end": np.nan, "step": self.rng.normal(), "low": -2.5, "high": 3.5, "n": 9}
            self.rises.append(of | ends)
        self.of_relations()
        for claim in [claim for claim in CLAIMS if claim.parts][::3]:
            for part in claim.parts:
                self.curve("claim", part.key, even=True)
        return self.learned()

    def of_relations(self) -> None:
        """What heads find in both treebanks."""
        for name, place in RELATIONS.items():
            self.finds(name, *place, 0.3 if name in FOUND else 0.05)
            for corpus in (OTHER_TREES, TREES):
                if name in FOUND:
                    self.learns(name, *place, corpus, int(self.rng.integers(FEWEST_WORDS, 900)))
                else:
                    offset, words = self.rng.uniform(0.1, 0.5), int(self.rng.integers(900))
                    self.curve("relation", name, *place, corpus=corpus, rise=True)
                    self.single("relation.baseline", name, offset, corpus, words)

    def learned(self) -> "Course":
        """What belongs to the model as a whole."""
        for name in ("self_similarity", "intra_sentence", "explained_variance"):
            for layer in range(self.shape[0] + 1):
                self.curve("fact", f"contextuality:{name}.adjusted", layer)
        self.curve("fact", "manipulations:base.loss")
        for name in ("masked_loss", "masked_accuracy", "next_loss", "next_accuracy"):
            self.curve("training", name, bare=True, n=400)
        for name, value in (("unigram_loss", 6.5), ("bigram_loss", 5.25), ("follows", 0.51)):
            self.single("training.baseline", name, value)
        self.curve("weights", "distance", bare=True)
        self.curve("tuning", f"{TASK}.accuracy", corpus=TASK)
        self.curve("without next sentence", "begin.lead")
        self.single("tuning.baseline", f"{TASK}.accuracy", 0.527, TASK)
        for kind in ("attention", "loss"):
            for name in ("spearman", "first.spearman", "held.spearman"):
                self.single("types", f"{kind}.{name}", float(self.rng.uniform(-0.5, 0.5)))
            self.single("types", f"{kind}.undone", float(self.rng.integers(200)))
        for name in ("loss", "gain", "share"):
            self.single("types", f"end.{name}", float(self.rng.uniform(-0.5, 0.5)))
        return self

    def store(self, place: Path) -> Atlas:
        """Write the results of a model with this course, rows in no order."""
        made = {"curves": self.curves, "rises": self.rises, "relation_heads": self.heads}
        return store(place, self.shape, made, self.rng)


def store(place: Path, shape: tuple[int, int], made: dict[str, Rows], rng: np.random.Generator) -> Atlas:
    """Write the results of a model of this shape with these tables."""
    layers, heads = shape
    places = [(layer, head) for layer in range(1, layers + 1) for head in range(1, heads + 1)]
    uniform = {"entropy.all": 4.2, "entropy.cls": 4.2}
    stored = pd.DataFrame(
        {"corpus": TEXTS, "measure": column, "layer": layer, "head": head, "n": 9, "uniform": uniform.get(column, 0.1)}
        | {"value": (value := rng.uniform(0.1, 0.9)), "low": value - 0.05, "high": value + 0.06, "model": MODEL}
        for column in COLUMNS
        for layer, head in places
    )
    whole = {"examples": TABLES["examples"].empty_table().to_pandas()} | documents_of(TEXTS, 9, *shape)
    whole |= {"heads": stored, "layers": stored.drop_duplicates(["measure", "layer"])}
    whole |= {
        name: pd.DataFrame(rows).sample(frac=1, random_state=0).reindex(columns=TABLES[name].names)
        for name, rows in made.items()
        if rows
    }
    record = manifest(
        model=MODEL,
        layers=layers,
        heads=heads,
        corpora=(
            corpus_of(TEXT, TEXTS, documents=9),
            corpus_of(TREEBANK, TREES, sentences=12, words=99),
            corpus_of(TREEBANK, OTHER_TREES),
            corpus_of(kinds.TASK, TASK),
        ),
        command="fieldguide curve RUN",
    )
    return Atlas(Results.open(write(place, record, whole)))
