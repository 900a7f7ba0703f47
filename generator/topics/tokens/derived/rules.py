"""Rules that derive roles from the table `roles`, and the hypothesis' statements about frequent outsiders.

Hunter, separator and loner are the names that the hypothesis of 2021 ("A Hypothesis about Learning Curve of BERT")
gives to [CLS], to [SEP] and to periods and commas; it calls other frequent tokens insiders. The rules define each name
by behaviour and do not consider which token it is: any type of the table may have any role, and another one in every
layer.

    outsider    no constant partners: the entropy of who attends to it is above the median of the types in the table
    broad       its own rows are broader, by BROADER of ln n, than those of the other types (mean by occurrence)
    attended    an occurrence receives at least ATTENDED times what uniform attention gives
    fixed       at one place of the input, or always at one distance from the end of a segment

    hunter      outsider, broad
    separator   outsider, attended and fixed, but not broad
    loner       outsider, attended and at no fixed place, but not broad
    insider     with constant partners
    none        anything else
"""

from collections.abc import Collection, Hashable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from generator.numbers.makers import makes
from generator.numbers.permutation import chance_of_ranks
from generator.numbers.writing import number
from generator.topics.tokens.records.derived import OVER_LAYERS
from generator.topics.tokens.records.tokens import SAMPLE

RoleName = Literal["hunter", "separator", "loner", "insider", "none"]
FREQUENT = 20
"""How many of the commonest types count as frequent. The number is ours, the text says "high word frequency". The rules
do not ask for it, because in long inputs [CLS] is rarer.
"""
BROADER = 0.05
"""Share of ln n by which broad rows exceed the others: a quarter of a nat at 128 tokens. The number is ours; the text
says "obviously broader than the average".
"""
ATTENDED = 2.0
"""Times uniform attention from which a type is attended. The number is ours; half of a head's attention on two [SEP] of
128 tokens would be 32, on ten periods and commas 6.4.
"""
WHOLE_MODEL = 0
"""The layer of a role that is derived from the mean over layers."""


@dataclass(frozen=True)
class Role:
    """The role of one token type in one layer."""

    token: str
    layer: int
    """1-based; WHOLE_MODEL where the rules were applied to the mean over layers."""
    name: RoleName
    reason: str
    """One sentence on why the type has this role."""


def classify(roles: pd.DataFrame) -> list[Role]:
    """The role of every type in every layer; `roles` holds the rows of one model and corpus, in any order."""
    found: list[Role] = []
    for _, rows in roles.sort_values(["layer", "rank"]).groupby("layer"):
        median = float(rows["attended_by_entropy"].median())
        weighted = rows["breadth"] * rows["count"]
        others = (weighted.sum() - weighted) / (rows["count"].sum() - rows["count"])
        for row, broadness in zip(rows.to_dict("records"), others, strict=True):
            name, reason = _role(row, float(broadness), median)
            found.append(Role(row["token"], int(row["layer"]), name, reason))
    return found


@makes(
    OVER_LAYERS,
    *("received", "breadth", "attended_by_entropy", "attends_to_entropy", "end_deviation", "beside"),
)
def over_layers(roles: pd.DataFrame) -> pd.DataFrame:
    """A row for each type by rank: the plain mean over layers of every number, and `beside`, that of both neighbours'
    entropies. `roles` holds the rows of one model and corpus, in any order.
    """
    rows = roles.sort_values(["layer", "rank"])
    types = rows.groupby(["rank", "token"], as_index=False).mean(numeric_only=True).assign(layer=WHOLE_MODEL)
    types["beside"] = types[["next_entropy", "previous_entropy"]].mean(axis=1)
    return types


def classify_model(roles: pd.DataFrame) -> list[Role]:
    """The role of every type in the model as a whole: the same rules on the mean over layers."""
    return classify(over_layers(roles))


def _role(row: dict[Hashable, float], others: float, median: float) -> tuple[RoleName, str]:
    partners, breadth, received = row["attended_by_entropy"], row["breadth"], row["received"]
    if np.isnan(partners):
        return "none", f"With fewer than {SAMPLE} occurrences it is not known who attends to it."
    where = f"In layer {row['layer']:.0f}" if row["layer"] != WHOLE_MODEL else "Over all layers"
    against = () if partners == median else (median,)
    of_median = f"(entropy {number(partners, against=against)} nats, median of frequent types {number(median)})"
    if partners <= median:
        return "insider", f"{where} comparatively few kinds of token attend to it {of_median}."
    outsider = f"{where} many kinds of token attend to it {of_median}"
    looks = f"broad ({number(breadth)} of uniform entropy, other frequent types {number(others)})"
    gets = f"it receives {number(received, against=(ATTENDED,))} times uniform attention"
    if breadth > others + BROADER:
        return "hunter", f"{outsider}, its own rows are {looks}, and {gets}."
    if received < ATTENDED:
        return "none", f"{outsider}, but its own rows are not {looks} and {gets}."
    if _fixed(row):
        return "separator", f"{outsider}, {gets}, and its place is fixed."
    place = f"the distance to the end of its segment varies by {number(row['end_deviation'])} tokens"
    return "loner", f"{outsider}, {gets}, and {place}."


def _fixed(row: dict[Hashable, float]) -> bool:
    """Whether a type always stands at one place of the input, or at one distance from the end of its segment."""
    return row["position_deviation"] == 0 or row["end_deviation"] == 0


class Contrast(NamedTuple):
    """A number's mean over the special tokens and over the other frequent types."""

    special: float
    others: float
    p: float
    """One-sided exact Mann-Whitney test over types: how often chance would place the special tokens as high."""


class Outsiders(NamedTuple):
    """The numbers on a statement of the hypothesis: special tokens are frequent and related to no particular tokens."""

    frequent: bool
    """Whether every special token ranks among the FREQUENT commonest types."""
    neighbours: Contrast
    """Entropy of the neighbours in the text, mean of both sides, in nats."""
    attended_by: Contrast
    """Entropy of who attends to the type, mean over layers, in nats."""
    attends_to: Contrast


def outsiders(roles: pd.DataFrame, special: Collection[str]) -> Outsiders:
    """Compare special tokens (with periods and commas) to the other types among the FREQUENT commonest.

    `roles` holds the rows of one model and corpus. A contrast is NaN where either side has no defined type.
    """
    types = over_layers(roles)
    chosen = types["token"].isin(list(special))
    others = ~chosen & (types["rank"] <= FREQUENT)

    def contrast(values: pd.Series) -> Contrast:
        ours, theirs = (values[side].dropna().to_numpy() for side in (chosen, others))
        if not len(ours) or not len(theirs):
            return Contrast(float("nan"), float("nan"), float("nan"))
        return Contrast(float(ours.mean()), float(theirs.mean()), chance_of_ranks(ours, theirs))

    return Outsiders(
        frequent=bool(chosen.any() and (types.loc[chosen, "rank"] <= FREQUENT).all()),
        neighbours=contrast(types["beside"]),
        attended_by=contrast(types["attended_by_entropy"]),
        attends_to=contrast(types["attends_to_entropy"]),
    )


class Places(NamedTuple):
    """Standard deviations, in tokens, of the distance to the end of the segment."""

    separator: float
    """The largest among separators; 0 by construction, because a segment ends with its separator."""
    marks: float
    """The smallest among periods and commas."""


def places(roles: pd.DataFrame, separators: Collection[str], marks: Collection[str]) -> Places:
    """How fixed the places of separators are, and how flexible those of periods and commas; NaN if there is no such
    type.
    """
    deviation = roles.drop_duplicates("token").set_index("token")["end_deviation"]
    return Places(
        float(deviation[deviation.index.isin(list(separators))].max()),
        float(deviation[deviation.index.isin(list(marks))].min()),
    )
