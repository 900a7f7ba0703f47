"""When something is learned: the first checkpoint with most of the final change, and whether frequency helps.

The hypothesis of 2021 says that high frequency makes learning easier and earlier, and that its three phases are
phases of learning, too. Both need the same number: the step at which a curve has made enough of its change.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from generator.errors import ResultsError
from generator.numbers.correlation import rank_correlation
from generator.numbers.number import Number, alone
from generator.topics.learning.records.curves import TYPES

NEARLY_ALL = 0.9
"""The share of the final change at which something counts as learned."""
HALF = 0.5
"""The share of a change by which its rise is dated, and below which a change that was made is undone."""
TIE = 1e-9
"""A share that is missed by no more than this counts as reached, so that rounding causes no delay."""


_Row = tuple[str, str, str, float, float, float, int]


def reached(steps: Sequence[float], curve: np.ndarray) -> float:
    """The first of `steps` at which `curve` has made NEARLY_ALL of its change from its first to its last value.

    Rising and falling curves are treated alike. The first checkpoint that reaches the share counts, whatever follows
    (see `undone` and `held`); moving in the other direction does not count. NaN if the curve ends where it started, or
    has a gap.

    >>> reached([0, 10, 20, 30], np.array([5.0, 4.0, 1.5, 1.0]))
    30.0
    """
    made = _made(curve)
    return float("nan") if made is None else float(steps[_first(made)])


def held(steps: Sequence[float], curve: np.ndarray) -> float:
    """The first of `steps` from which on `curve` has made NEARLY_ALL of its change for good; NaN as in `reached`.

    >>> held([0, 10, 20, 30], np.array([0.0, 3.0, 1.0, 2.0])), reached([0, 10, 20, 30], np.array([0.0, 3.0, 1.0, 2.0]))
    (30.0, 10.0)
    """
    made = _made(curve)
    if made is None:
        return float("nan")
    below = np.flatnonzero(made < NEARLY_ALL - TIE)
    return float(steps[below[-1] + 1 if len(below) else 0])


def undone(curve: np.ndarray) -> bool:
    """Whether a curve falls back below half of its change after it has made NEARLY_ALL; its step then means little."""
    made = _made(curve)
    return made is not None and bool((made[_first(made) :] < HALF).any())


def earlier_when_frequent(
    steps: Sequence[float],
    curves: np.ndarray,
    counts: np.ndarray,
    seed: int,
    step_of: Callable[[Sequence[float], np.ndarray], float] = reached,
) -> Number:
    """Rank correlation over token types of frequency and the step at which a type is learned; below 0 if frequent types
    are learned earlier.

    `curves` is `[type, step]` (attention received, or the loss of the type); `counts` is `[type]`; `step_of` is
    `reached` or `held`. The order of types matters, because the bootstrap draws them by place. Types without a step are
    left out; NaN for fewer than three.
    """
    learned = np.array([step_of(steps, curve) for curve in curves])
    return rank_correlation(counts.astype(float), learned, seed)


def type_correlations(steps: Sequence[float], tables: Sequence[pd.DataFrame], seed: int) -> pd.DataFrame:
    """Whether frequent token types are learned earlier: rows of study "types", for every corpus of all checkpoints.

    `tables` holds the table `types` of one model at each of `steps`. Columns are corpus, study, name, value, low, high
    and n. `n` counts the types that have a step, which are resampled. A correlation of ranks is the same with the
    logarithm of the frequency. Without losses there are no rows about them.

    Types whose loss does not fall from the first checkpoint to the last were not learned and are left out of the
    numbers about losses. Types whose change was made and undone before the last checkpoint are left out of `spearman`,
    because their step means little.

    Rare types change less, and noise passes a share of a small change early and falls back below it late. If only the
    size of the change depends on frequency, noise moves `first.spearman` above 0 and `held.spearman`, of the step from
    which on the 90 % are kept, below 0, both by 0.2 and more. Both also count undone changes; `spearman` lies between
    and may err to either side. If first and held have the same sign, noise alone is hardly the reason.

    Raises ResultsError if the checkpoints did not read the same text.
    """
    corpora = sorted(set.intersection(*(set(table["corpus"]) for table in tables)))
    rows = []
    for corpus in corpora:
        rows += _of_corpus(steps, [_of(table, corpus) for table in tables], corpus, seed)
    table = pd.DataFrame(rows, columns=["corpus", "study", "name", "value", "low", "high", "n"])
    return table.astype(dict.fromkeys(("value", "low", "high"), "float64") | {"n": "int32"})


def _of_corpus(steps: Sequence[float], tables: Sequence[pd.DataFrame], corpus: str, seed: int) -> list[_Row]:
    counts = tables[0]["count"]
    for step, table in zip(steps, tables, strict=True):
        if not table["count"].equals(counts):
            raise ResultsError(
                f"Expected the same count of every token type of {corpus} at all checkpoints, found others at step "
                f"{step} than at step {steps[0]}; analyse all checkpoints again, with the same text and settings."
            )
    frequency = counts.to_numpy()
    received, loss = (np.stack([table[name] for table in tables], axis=1) for name in ("received", "loss"))
    found = _correlated(steps, received, frequency, seed, "attention")
    known = ~np.isnan(loss).any(axis=1)
    if known.any():
        falls = known & (loss[:, -1] < loss[:, 0])
        found |= _correlated(steps, loss[falls], frequency[falls], seed, "loss")
        found["loss.not_falling"] = alone(float((known & ~falls).sum()), int(known.sum()))
    TYPES.check(found, "model")
    return [(corpus, TYPES.name, name, *figures) for name, figures in found.items()]


def _correlated(
    steps: Sequence[float], curves: np.ndarray, frequency: np.ndarray, seed: int, name: str
) -> dict[str, Number]:
    back = np.array([undone(curve) for curve in curves], dtype=bool)
    return {
        f"{name}.spearman": earlier_when_frequent(steps, curves[~back], frequency[~back], seed),
        f"{name}.first.spearman": earlier_when_frequent(steps, curves, frequency, seed),
        f"{name}.held.spearman": earlier_when_frequent(steps, curves, frequency, seed, step_of=held),
        f"{name}.undone": alone(float(back.sum()), len(back)),
    }


def _made(curve: np.ndarray) -> np.ndarray | None:
    """`[step]`: the share of the change made so far; None if there is no change or the curve has a gap."""
    change = curve[-1] - curve[0]
    if not np.isfinite(curve).all() or change == 0:
        return None
    made: np.ndarray = (curve - curve[0]) / change
    return made


def _first(made: np.ndarray) -> int:
    """The first place where the share is reached; the end of a curve always reaches it."""
    return int(np.argmax(made >= NEARLY_ALL - TIE))


def _of(table: pd.DataFrame, corpus: str) -> pd.DataFrame:
    """The rows of one corpus with the token as index, sorted by token."""
    return table[table["corpus"] == corpus].set_index("token").sort_index()
