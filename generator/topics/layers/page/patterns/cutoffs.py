"""The part of a model's page on patterns about the cut-offs: how the shares change when these are moved."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from generator.measures.patterns import CUTOFFS, PATTERNS
from generator.numbers.number import Grid
from generator.numbers.writing import number, written
from generator.pages.blocks import Figure, Note, Section, Table, first_title, present
from generator.pages.figures import embed, number_columns
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link
from generator.pages.studies.tables import stored
from generator.pages.titles.courses import moved_seen
from generator.topics.layers.derived.pattern_shares import STEPS, sweep

VIEWS = {
    "both": ("Both cut-offs", "both", "attention to special tokens, and to neighbours"),
    "special": ("Special tokens", "special tokens", "attention to special tokens"),
    "near": ("Neighbours", "neighbours", "attention to neighbours"),
    "column": ("One column", "one column", "attention to the token that receives most, in place of special tokens"),
}
"""Cut-off that is moved -> its name, its name in the table, and what it is a cut-off on."""


def moved(atlas: Atlas, documents: pd.DataFrame, seed: int) -> Section:
    """The section on how the shares depend on the cut-offs."""
    uniform = stored(atlas, "uniform", corpus=atlas.corpus)
    steps = list(map(number, STEPS))
    views, rows = [], []
    for rule, (_, short, what) in VIEWS.items():
        shares = sweep(documents, uniform, rule, seed)
        seen = moved_seen(what, (steps[0], steps[-1]), shares, PATTERNS)
        views.append({**bars(atlas, shares, steps, rule, f"cut-off on {what}"), "title": seen})
        rows += list(rows_of(shares, [(short, step) for step in steps]))
    choices = tuple(Link(title, "") for title, _, _ in VIEWS.values())
    figure = Figure(
        id="cutoffs",
        label=first_title(views),
        kinds=("patterns",),
        data=embed({"shared": {}, "views": views}),
        views=choices,
        chooser="Which cut-off moves",
        caption=(
            f"Every bar is a value of the cut-off; {number(CUTOFFS.special)}, in the middle, is the one in use. All "
            "other cut-offs stay as they are. In the last view a map is vertical if one token, whatever it is, "
            "receives enough; attention to that token from its neighbours then counts twice. 95 % intervals over "
            "documents are in the table."
        ),
        table=Table(("what moves", "cut-off", *PATTERNS), tuple(rows)),
    )
    return Section("moved", "What depends on the cut-offs", present(figure, _split(atlas)))


def _split(atlas: Atlas) -> Note | None:
    split = atlas.results.manifest.counts[atlas.corpus].get("split", 0)
    if not split:
        return None
    return Note(
        f"{split} of {atlas.documents} documents were read in several inputs. Their mean is stored and counts here as "
        "one map, so the bar in the middle differs a little from the shares above."
    )


def bars(atlas: Atlas, shares: Grid, names: Sequence[str], of: str, caption: str) -> dict[str, Any]:
    """The data of a view of bars, from shares `[bar, pattern]`."""
    columns: dict[str, Any] = {
        "at": np.repeat(names, len(PATTERNS)).tolist(),
        "pattern": list(PATTERNS) * len(names),
        "order": list(range(len(PATTERNS))) * len(names),
    }
    columns |= number_columns(shares)
    columns["n"] = shares.n.ravel().tolist()
    constants = {"corpus": atlas.corpus, "measure": "pattern", "of": of, "unit": "share"}
    return {"columns": columns, "signals": {"caption": caption}, "constants": constants}


def rows_of(shares: Grid, names: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """A row for each bar: its names, then each pattern's share."""
    for at, name in enumerate(names):
        yield (*name, *(written(shares.at(at, kind)) for kind in range(shares.value.shape[1])))
