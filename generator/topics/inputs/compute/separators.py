"""Whether separators get attention because of their place: study "separators", on inputs whose separators are changed.

The hypothesis of 2021 ("A Hypothesis about Learning Curve of BERT", phase two) says that [SEP], not punctuation, takes
the attention of tokens that have nothing to look for, because [SEP] has a fixed place. If so, attention should follow
the place: whatever stands at the end gets it, and a separator elsewhere loses it. If the token is found by what it is,
attention follows the separator. The base is the input as it is, without periods and commas right before its last
separator. Each change is made alone; the places that are drawn for it lie in the first half of the text that the last
separator ends:

    moved       the last separator stands in the text, whose last word is now at the end. The place predicts
                `moved.kept` near 0, the token near 1.
    repeated    two tokens of the text become separators. The place predicts that they get less than the one at the
                end: `repeated.lead` above 0, and `repeated.share` above 1/3, which is what three alike would have.
    dropped     no separator is left. The place predicts that the begin token and the last token, whose places are
                fixed, gain more than all periods and commas together: `dropped.lead` above 0.
    swapped     the last separator and a period or comma of the text change places. The place predicts that the mark
                at the end gets more than the separator: `swapped.lead` above 0; the token predicts below 0.

`swapped.lead` decides: it is the one number for which the two readings have opposite signs and no third token matters.
The others support. `base.lead` needs no change: the last separator of a pair has a fixed place and the first has not,
so the place predicts a value above 0. All of this asks how a trained model reads; whether a fixed place made [SEP] the
token to learn is another question, on which `correlation.place` bears: over frequent token types, whether those that
receive more than their frequency suggests are those whose position varies less. The place predicts below 0.

Part of the study asks whether a separator gets more attention if it is the only one (Kovaleva et al. 2019, section
4.4). A text is read with both paragraphs as one segment, and with the paragraphs apart. The paper compares tasks of one
sentence with tasks of two, whose texts differ.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.attention.observed import Observed, Observer
from generator.corpora.classes import TokenClass
from generator.corpora.files import TEXT
from generator.corpora.pairs import Input
from generator.models.encoder import Encoder
from generator.numbers.correlation import plain_spearman
from generator.numbers.number import Number
from generator.numbers.resampling import bootstrap, bootstrap_ratio, estimated, sample_places
from generator.studies.fact_rows import facts
from generator.studies.gathered import Gathered, asking
from generator.studies.procedure import Asked, Need, Part, Procedure, Subject, Tables, Watcher
from generator.topics.inputs.compute.changed import (
    MORE_SEPARATORS,
    arranged,
    draws,
    dropped,
    moved,
    one_each,
    places_of,
    repeated,
    swapped,
    text_places,
    with_segments,
    without_last_marks,
)
from generator.topics.inputs.records.separators import SEPARATORS

DOCUMENTS = 24
"""How many documents are read: a sample, because each is read up to six times more."""
FEWEST_TYPES = 5
"""The fewest token types for `correlation.place`."""
CLASSES = {"separator": TokenClass.SEPARATOR, "punctuation": TokenClass.PUNCTUATION, "begin": TokenClass.BEGIN}
CHANGES: Mapping[str, Callable[[Input, np.random.Generator], Input | None]] = {
    "moved": moved,
    "repeated": repeated,
    "dropped": dropped,
    "swapped": swapped,
}
NAMES = ("single.larger", "pair.larger", "single.gain")


@dataclass(frozen=True)
class _Run:
    """The attention that tokens of one document receive in one condition."""

    item: Input
    received: np.ndarray
    """`[layer, token]`: weight on every token, mean over the queries of the text and over heads."""

    def of(self, kind: TokenClass) -> np.ndarray:
        """`[layer]`: weight on all tokens of a class."""
        total: np.ndarray = self.received[:, places_of(self.item, kind)].sum(-1)
        return total

    @property
    def last(self) -> np.ndarray:
        """`[layer]`: weight on the last separator."""
        on_it: np.ndarray = self.received[:, places_of(self.item, TokenClass.SEPARATOR)[-1]]
        return on_it


class SeparatorRuns(Gathered[_Run]):
    """Gathers the attention that tokens receive, as separators are and under each of the CHANGES."""

    def __init__(self, inputs: Sequence[Input], seed: int) -> None:
        """The first part of at most DOCUMENTS documents is read, if it has a separator and enough text."""
        chosen = [without_last_marks(item) for item in one_each(inputs, DOCUMENTS, seed)]
        conditions: dict[str, list[Input | None]] = {"base": chosen}
        for name, change in CHANGES.items():
            conditions[name] = [item and change(item, draws(item, name, seed)) for item in chosen]
        asked = [Asked(name, item, (_from_text,)) for name, some in conditions.items() for item in some if item]
        super().__init__(asked, _run)

    def facts(self, model: str, corpus: str, seed: int) -> list[pd.DataFrame]:
        """`facts` of study "separators" by layer, and with layer 0 as the mean over layers; empty if no input has a
        separator and enough text.

        Changes are paired by document. If `base.last` is no more than `base.uniform`, there is no attention to explain,
        and the other numbers mean nothing. Ratios pool documents and, with layer 0, also layers. Intervals resample
        documents, and `n` counts those that define a number.
        """
        runs = list(self.by_document().values())
        if not runs:
            return []
        numbers, shares = [_numbers(each) for each in runs], [_shares(each) for each in runs]
        found = {name: bootstrap(_with_mean(rows), seed) for name, rows in _stacked(numbers, np.nan).items()}
        for name, rows in _stacked(shares, 0.0).items():
            part, whole = np.moveaxis(_with_mean(rows), 1, 0)
            found[name] = bootstrap_ratio(part, whole, seed)
        return [facts(found, SEPARATORS, model, corpus, first_layer=0)]


def place_facts(roles: pd.DataFrame, model: str, corpus: str, seed: int) -> pd.DataFrame:
    """`facts` by layer: `correlation.place`, over the frequent token types of the table `roles`.

    Intervals resample types, which `n` counts; empty for fewer than FEWEST_TYPES types.
    """
    found = []
    for _, types in roles.sort_values(["layer", "rank", "token"]).groupby("layer"):
        columns = types[["received", "position_deviation", "count"]].to_numpy(float)
        if len(columns) >= FEWEST_TYPES:
            drawn = _partial_correlation(columns[sample_places(len(columns), seed)])
            found.append(estimated(_partial_correlation(columns).item(), drawn, len(columns)))
    estimates = {"correlation.place": Number(*np.array(found).T)} if found else {}
    return facts(estimates, SEPARATORS, model, corpus)


def _run(one: Asked, seen: Observed) -> _Run:
    return _Run(one.input, seen.of(_from_text) / len(text_places(one.input)))


def _from_text(item: Input) -> Observer:
    """An observer that returns `[token]`: the weight that each gets from all queries of the text, mean over heads."""
    text = np.isin(np.arange(len(item)), text_places(item))

    def observer(weights: np.ndarray, first: int) -> np.ndarray:
        received = text[first : first + weights.shape[1]].astype(weights.dtype) @ weights
        return received.mean(axis=0, dtype=float)

    return observer


def _numbers(runs: Mapping[str, _Run]) -> dict[str, np.ndarray]:
    """The numbers of one document that are weights or differences of weights; each `[layer]`."""
    base = runs["base"]
    kinds = {name: kind for name, kind in CLASSES.items() if name != "begin" or kind in base.item.classes}
    found = {f"base.{name}": base.of(kind) for name, kind in kinds.items()}
    found |= {"base.last": base.last, "base.uniform": np.full(len(base.received), 1 / len(base.item))}
    *others, _ = places_of(base.item, TokenClass.SEPARATOR).tolist()
    if others:
        found["base.lead"] = base.last - base.received[:, others].mean(-1)
    for condition in (name for name in CHANGES if name in runs):
        run = runs[condition]
        found |= {f"{condition}.{name}": run.of(kind) - base.of(kind) for name, kind in kinds.items()}
    word = base.received[:, text_places(base.item)[-1]]
    for condition in ("moved", "dropped"):
        found[f"{condition}.place"] = runs[condition].received[:, -1] - word
    # What [SEP] gave up may go to the last place or to [CLS], which both stand where they always do, or to punctuation.
    fixed = found["dropped.place"] + found.get("dropped.begin", 0)
    found["dropped.lead"] = fixed - found["dropped.punctuation"]
    if "repeated" in runs:
        found["repeated.lead"] = runs["repeated"].last - _more(runs["repeated"]) / MORE_SEPARATORS
    if "swapped" in runs:
        found["swapped.lead"] = runs["swapped"].received[:, -1] - runs["swapped"].last
    return found


def _shares(runs: Mapping[str, _Run]) -> dict[str, np.ndarray]:
    """Name of a ratio -> its part and its whole for one document, `[2, layer]`."""
    found = {"moved.kept": np.stack([runs["moved"].last, runs["base"].last])}
    if "repeated" in runs:
        end = runs["repeated"].last
        found["repeated.share"] = np.stack([end, end + _more(runs["repeated"])])
    return found


def _more(run: _Run) -> np.ndarray:
    """`[layer]`: weight on the separators that were put into the text."""
    places = places_of(run.item, TokenClass.SEPARATOR)[-1 - MORE_SEPARATORS : -1]
    total: np.ndarray = run.received[:, places].sum(-1)
    return total


def _stacked(documents: Sequence[Mapping[str, np.ndarray]], missing: float) -> dict[str, np.ndarray]:
    """Name -> `[document, ...]`, in the order in which names first appear; `missing` where a document has no value."""
    shapes = {name: values.shape for found in documents for name, values in found.items()}
    return {
        name: np.stack([found.get(name, np.full(shape, missing)) for found in documents])
        for name, shape in shapes.items()
    }


def _with_mean(rows: np.ndarray) -> np.ndarray:
    """The numbers, on the last axis, with their mean over layers before them."""
    return np.concatenate([rows.mean(-1, keepdims=True), rows], axis=-1)


def _partial_correlation(columns: np.ndarray) -> np.ndarray:
    """`[...]` from `[..., type, 3]`: partial rank correlation of two columns given the third; NaN if a column is
    constant or the third one says all of another.
    """
    first, second, both = (plain_spearman(columns[..., a], columns[..., b]) for a, b in ((0, 2), (1, 2), (0, 1)))
    with np.errstate(invalid="ignore", divide="ignore"):
        left = (1 - first**2) * (1 - second**2)
        # Where the third column says all of one of the others, nothing is left to correlate.
        partial: np.ndarray = np.where(left > 1e-12, (both - first * second) / np.sqrt(np.maximum(left, 0)), np.nan)
    return partial


class SingleAndPair(Gathered[np.ndarray]):
    """Gathers what pairs of paragraphs show as they are, and as one segment."""

    def __init__(self, inputs: Sequence[Input], seed: int) -> None:
        """Of at most DOCUMENTS documents the first part is used, if it has more than one separator."""
        chosen = one_each(inputs, DOCUMENTS, seed)
        pairs = [item for item in chosen if len(places_of(item, TokenClass.SEPARATOR)) > 1]
        conditions = {"pair": pairs, "single": as_single(pairs)}
        super().__init__(
            [Asked(name, item, measured=True) for name, some in conditions.items() for item in some], _larger
        )

    def facts(self, model: str, corpus: str, seed: int) -> list[pd.DataFrame]:
        """`facts` by layer, means over heads, and with layer 0 the mean over layers; none without pairs of segments.

        Intervals resample documents.
        """
        both = [(seen["single"], seen["pair"]) for seen in self.by_document().values()]
        if not both:
            return []
        rows = np.stack([np.stack([single, pair, single - pair]) for single, pair in both])
        rows = np.concatenate([rows.mean(-1, keepdims=True), rows], axis=-1)
        found = {name: bootstrap(rows[:, at], seed) for at, name in enumerate(NAMES)}
        return [facts(found, SEPARATORS, model, corpus, first_layer=0)]


def as_single(pairs: Iterable[Input]) -> list[Input]:
    """The same texts without the separators in between, in one segment."""
    made = []
    for item in pairs:
        ends = places_of(item, TokenClass.SEPARATOR)[:-1].tolist()
        left = arranged(item, [place for place in range(len(item)) if place not in ends])
        made.append(with_segments(left, [0] * len(left)))
    return made


def _larger(_one: Asked, seen: Observed) -> np.ndarray:
    """`[layer]`: the weight on each head's heaviest separator, mean over all queries and heads."""
    on_separators = seen.primitives.received[..., places_of(seen.input, TokenClass.SEPARATOR)]
    mean: np.ndarray = on_separators.max(-1).mean(-1) / len(seen.input)
    return mean


def _place(of: Subject) -> Tables:
    return {"facts": [place_facts(of.table("roles"), of.model, of.corpus, of.seed)]}


def _watch(of: Subject, _encoder: Encoder, _anatomy: Anatomy) -> Watcher:
    runs, pairs = SeparatorRuns(of.inputs, of.seed), SingleAndPair(of.inputs, of.seed)

    def tables() -> Tables:
        of_model = of.model, of.corpus, of.seed
        return {"facts": [*runs.facts(*of_model), *pairs.facts(*of_model)]}

    return asking(tables, runs, pairs)


PROCEDURE = Procedure(SEPARATORS.name, TEXT, _watch, Need.MODEL, parts=(Part(Need.MAPS, _place),), after=("roles",))
