"""Names that say what the maps of a head are: one target, one pattern (Kovaleva et al. 2019), a window, or breadth.

Each rests on a mean over documents, of which there must be as many as a claim asks for. Its interval, widened so that
those of all heads of the model hold together, must lie above the cut-off of the name and, but for breadth, which is
itself a share of it, above uniform attention. What attention is named for must get PREFERRED times as much as uniform
attention gives it: in inputs of a dozen tokens, even attention gives half to a few of them. A name lists no token that
does not, and a head that looks all around looks at both sides.

A head without a name may still lean to one target, or to two that together get more than half of its attention. A lean
is said in the place of a name and is none: nothing counts it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np

from generator.claims.bounds import cutoff, fewest
from generator.claims.cutoffs import MAINLY
from generator.claims.gate.statement import Check, Place, Row, Statement, above, beats, least
from generator.measures.position import OFFSET_COLUMNS
from generator.numbers.number import UNDEFINED, Number, total
from generator.numbers.resampling import with_width
from generator.numbers.simultaneous import widened
from generator.numbers.writing import listed, pieces
from generator.numbers.writing import number as written

TARGET, PATTERN, WINDOW, BROAD = "target", "pattern", "window", "broad"
"""The kinds of these names."""
LEAN = "lean"
"""The kind of what is said of a head without a name that gives one target surely more than any other."""
PAIR = "pair"
"""The kind of what is said of a head without a name that surely gives two targets together more than half."""
FORMED = "formed"
"""The kind of what is said of a head that came to look at one target while its model was trained."""
LISTED = cutoff("listed")
"""Share of its attention that a token of several gets for which a head is named."""
ELSEWHERE = "head_facts"
"""The table of what another text says; the names of its numbers begin with that of the token."""
LEANING = cutoff("leaning")
"""Share of its attention that a head gives to what it leans to, and more; random weights do not give as much."""
NAMED = ("vertical", "diagonal", "mixed", "block")
"""The patterns that name a head, in the order in which they are tried; heterogeneous is what the others leave."""
WIDE = 0.8
"""Share of uniform attention's entropy from which a head counts as broad; Clark et al. use 3.8 of about 4.8 nats."""
FURTHEST = int(cutoff("window"))
WINDOWS = sorted(
    [(side, reach) for side in ("before", "after") for reach in range(2, FURTHEST + 1)]
    + [("around", reach) for reach in range(1, FURTHEST + 1)],
    key=lambda window: window[1] if window[0] != "around" else 2 * window[1] + 1,
)
"""Side and reach of the windows that name a head, the one with fewest tokens first; around, the token itself counts.
A window of one token is a target.
"""
PREFERRED = cutoff("preferred")
SPECIAL = "attention.cls", "attention.sep"
NEAR, BESIDE = ("attention.previous", "attention.self", "attention.next"), "around.1"
"""The token itself and those beside it: the measures of attention to each, and the window that they are."""
LOOKS_AT: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "vertical": (SPECIAL,),
    "diagonal": (NEAR,),
    "mixed": (SPECIAL, NEAR),
}
"""Pattern -> the measures of the tokens at which a head with this pattern looks, at one of each group at least."""
BLOCK = NAMED[-1]
"""The one that a head may seem to have that only looks near."""
WITHIN = cutoff("within-segment")
FEWEST = fewest("documents")


class Measured(NamedTuple):
    """What was measured of the maps of one head, beside uniform attention on the same text; both are by column."""

    place: Place
    values: Mapping[str, Number]
    uniform: Mapping[str, float]
    heads: int
    """How many heads the model has."""
    excess: Number = UNDEFINED
    """Attention within the segment beyond what the distances alone give at which the head looks."""
    breadth: Number = UNDEFINED
    """Its entropy as a share of that of uniform attention on the same documents."""


def targets(measured: Measured, columns: Mapping[str, str]) -> list[Statement]:
    """A statement for each target that there is, the largest share first; `columns` are those of measures by the name
    of the target.
    """
    shares = {name: measured.values.get(column, UNDEFINED) for name, column in columns.items()}
    ranked = sorted((name for name in shares if not np.isnan(shares[name].value)), key=lambda name: -shares[name].value)
    return [
        _of(
            measured,
            kind=TARGET,
            column=columns[name],
            number=shares[name],
            bound=MAINLY,
            what=f"its attention to {name}",
        )
        for name in ranked
    ]


def leans(measured: Measured, columns: Mapping[str, str]) -> list[Statement]:
    """A statement that a head gives the target with the largest share surely more than any other; none without targets.
    `columns` are as in `targets`.
    """
    said = targets(measured, columns)
    if not said:
        return []
    most, *others = said
    lean = _of(
        measured,
        kind=LEAN,
        column=most.about,
        number=most.number,
        bound=LEANING,
        what=f"its attention to {_short(most)}",
    )
    low = widened(most.number, measured.heads).low
    checks = (_less(other, low, measured.heads) for other in others)
    rows = (row for other in others for row in other.rows)
    return [lean._replace(checks=(*lean.checks, *checks), rows=(*lean.rows, *rows))]


class Move(NamedTuple):
    """What gets more of a head's attention in another text than what gets most in the text that is shown."""

    column: str
    """The measure of attention to it."""
    corpus: str
    share: Number
    own: Number
    """What the other gets there."""


def moves(lean: Statement | None) -> tuple[Move, ...]:
    """What gets more in other texts, of a lean that is true of the text that is shown alone; nothing of others."""
    if lean is None or not lean.only or lean.given:
        return ()
    shares = {(str(row["corpus"]), _column(row)): Number.of(row) for row in lean.of(ELSEWHERE)}
    return tuple(
        Move(column, corpus, share, shares[corpus, lean.about])
        for (corpus, column), share in shares.items()
        if column != lean.about
    )


def _column(row: Row) -> str:
    """The measure of attention whose name a number of another text begins with."""
    return f"attention.{str(row['name']).partition('.')[0]}"


def pairs(measured: Measured, columns: Mapping[str, str]) -> list[Statement]:
    """A statement that a head gives the two targets with the largest shares most of its attention; none without two.

    What goes to a token of a class may also go to one at a place, such as a [CLS] that is the previous token. That is
    at most as much as uniform attention gives to the class, and is counted once. `columns` are as in `targets`.
    """
    said = targets(measured, columns)[:2]
    if len(said) < 2:
        return []
    about = [each.about for each in said]
    share, uniform = _together(measured, about)
    classes = [column for column in about if column not in NEAR]
    twice = measured.uniform[classes[0]] if len(classes) == 1 else 0.0
    share = Number(share.value - twice, share.low - twice, share.high, share.n)
    what = f"its attention to {' and '.join(map(_short, said))}"
    checks = (
        least(share.n, FEWEST, "documents", "of the text that is shown"),
        above(share, MAINLY, measured.heads, what),
        beats(widened(share, measured.heads), uniform, "uniform attention", PREFERRED),
        *(_beyond(measured, column) for column in about),
    )
    rows = tuple(row for each in said for row in each.rows)
    return [Statement(measured.place, kind=PAIR, about="+".join(about), number=share, checks=checks, rows=rows)]


def formed(rise: Row, first: Number, last: Number, heads: int) -> Statement:
    """That a head came to look at one target, from its row of `rises`, which has a step where its attention surely
    changed, and its attention at the first and the last checkpoint; `heads` is how many heads the model has.
    """
    grew = bool(not np.isnan(rise["step"]) and rise["start"] < rise["end"])
    checks = (
        least(last.n, FEWEST, "documents", "of the text that is read at every checkpoint"),
        above(last, MAINLY, heads, "its attention at the last checkpoint"),
        Check("null", grew, f"at the first checkpoint it is {pieces(first)[0]}"),
    )
    return Statement(
        (rise["layer"], rise["head"]),
        kind=FORMED,
        about=rise["name"],
        number=last,
        checks=checks,
        rows=(("rises", rise),),
    )


def patterns(measured: Measured) -> Iterator[Statement]:
    """A statement for each pattern of which the share is known."""
    for name in NAMED:
        share = measured.values.get(f"pattern.{name}", UNDEFINED)
        if not np.isnan(share.value):
            spread = with_width(Number(*(np.array([part]) for part in share)), [0.0]).at(0)
            said = _of(
                measured,
                kind=PATTERN,
                column=f"pattern.{name}",
                number=spread,
                bound=MAINLY,
                what=f"the share of its maps that are {name}",
            )
            if name == BLOCK:
                yield _all_around(measured, said)
            else:
                found = _preferring(measured, said)
                yield _nearest(measured, found) if LOOKS_AT[name] == (NEAR,) else found


def windows(measured: Measured) -> Iterator[Statement]:
    """A statement for each window, the one with fewest tokens first: about its side and how far it reaches."""
    for side, reach in WINDOWS:
        columns = columns_of(f"{side}.{reach}")
        if any(column not in measured.values for column in columns):
            continue
        share, uniform = _together(measured, columns)
        if np.isnan(share.value):
            continue
        # Every window is tried with every head.
        several = measured.heads * len(WINDOWS)
        checks = (
            least(share.n, FEWEST, "documents", "of the text that is shown"),
            above(share, MAINLY, several, f"its attention to tokens {side}, up to {reach} away,"),
            beats(widened(share, several), uniform, "uniform attention", PREFERRED),
        )
        rows = tuple(("heads", _row(measured, column)) for column in columns)
        yield Statement(measured.place, kind=WINDOW, about=f"{side}.{reach}", number=share, checks=checks, rows=rows)


def window_of_uniform(measured: Measured, about: str) -> float:
    """What uniform attention gives to the window that a statement is about."""
    return sum(measured.uniform[column] for column in columns_of(about))


def columns_of(about: str) -> list[str]:
    """The measures whose sum is the attention to a window, or to two targets.

    >>> columns_of("before.2"), columns_of("around.1")
    (['offset.-2', 'offset.-1'], ['offset.-1', 'offset.0', 'offset.1'])
    >>> columns_of("attention.cls+attention.sep")
    ['attention.cls', 'attention.sep']
    """
    if "+" in about:
        return about.split("+")
    side, _, reach = about.partition(".")
    offsets = range(1 if side == "after" else -int(reach), 0 if side == "before" else int(reach) + 1)
    return [f"offset.{offset}" for offset in offsets]


def broad(measured: Measured) -> Statement:
    """That a head looks broadly."""
    return _of(
        measured,
        kind=BROAD,
        column="entropy.all",
        number=measured.breadth,
        bound=WIDE,
        what="its entropy as a share of that of uniform attention",
    )


def _of(measured: Measured, kind: str, column: str, number: Number, bound: float, what: str) -> Statement:
    checks = [
        least(number.n, FEWEST, "documents", "of the text that is shown"),
        above(number, bound, measured.heads, what),
    ]
    if kind != BROAD:
        times = PREFERRED if kind in (TARGET, LEAN) else 1.0
        checks.append(beats(widened(number, measured.heads), measured.uniform[column], "uniform attention", times))
    rows = tuple(("heads", _row(measured, name)) for name in (column,) if name in measured.values)
    return Statement(measured.place, kind=kind, about=column, number=number, checks=tuple(checks), rows=rows)


def _less(other: Statement, low: float, heads: int) -> Check:
    high, (value, ends) = widened(other.number, heads).high, pieces(other.number)
    text = f"its attention to {_short(other)} is {value} ({ends}), to {written(high)} with all {heads} heads in view"
    return Check("elsewhere", low > high, f"{text} (below {written(low)})")


def _short(target: Statement) -> str:
    return target.about.removeprefix("attention.")


def _together(measured: Measured, columns: Sequence[str]) -> tuple[Number, float]:
    """The sum of several measures, and that of uniform attention."""
    return reduce(total, (measured.values[column] for column in columns)), sum(
        measured.uniform[column] for column in columns
    )


def preferred(measured: Measured, columns: Iterable[str]) -> list[str]:
    """Those of these measures of tokens of which a head surely looks at the tokens, PREFERRED times as much as even
    attention does, with a share of LISTED or more; a measure that is not defined, such as that of a [CLS] that there is
    not, is none of them.
    """
    return [name for name in columns if _value(measured, name) >= LISTED and _beyond(measured, name).met]


def _value(measured: Measured, column: str) -> float:
    return measured.values.get(column, UNDEFINED).value


def _beyond(measured: Measured, column: str) -> Check:
    return beats(
        widened(measured.values[column], measured.heads), measured.uniform[column], "uniform attention", PREFERRED
    )


def _preferring(measured: Measured, said: Statement) -> Statement:
    """A statement on a pattern, if the head surely prefers tokens of each kind that the pattern has."""
    checks, rows = [], []
    for columns in LOOKS_AT[said.about.removeprefix("pattern.")]:
        there = [name for name in columns if not np.isnan(_value(measured, name))]
        found = preferred(measured, there)
        text = f"{listed(found) or 'none'} get {LISTED:g} or more, and surely {PREFERRED:g} times what is uniform"
        checks.append(Check("null", bool(found), f"of {listed(there) or 'no tokens'}, {text}"))
        rows += [("heads", _row(measured, column)) for column in there]
    return said._replace(checks=(*said.checks, *checks), rows=(*said.rows, *rows))


def _nearest(measured: Measured, said: Statement) -> Statement:
    """A statement on the token itself and those beside it, if no window of as few tokens gets more."""
    windows = {
        f"{side}.{reach}": _together(measured, columns)[0].value
        for side, reach in WINDOWS
        if len(columns := columns_of(f"{side}.{reach}")) <= len(NEAR) and measured.values.keys() >= {*columns}
    }
    own = windows.pop(BESIDE, np.nan)
    most = max(windows, key=lambda about: np.nan_to_num(windows[about]), default=BESIDE)
    text = f"the token itself and those beside it get {written(own)}"
    met = not windows.get(most, own) > own
    return said._replace(checks=(*said.checks, Check("null", met, text + f", the window {most} more" * (not met))))


def _all_around(measured: Measured, said: Statement) -> Statement:
    """A statement on a block, if the head keeps within the segment more than one that looks over the same distances, as
    a local window does, and neglects no side.
    """
    sure, (value, ends) = widened(measured.excess, measured.heads), pieces(measured.excess)
    text = f"within the segment it has {value} ({ends}) more than its distances alone give (above {WITHIN:g})"
    sides = (_looks(measured, side) for side in ("before", "after"))
    return said._replace(checks=(*said.checks, Check("null", sure.low > WITHIN, text), *sides))


def _looks(measured: Measured, side: str) -> Check:
    """That the tokens on one side surely get more than uniform attention gives them, divided by PREFERRED."""
    own = OFFSET_COLUMNS.index("offset.0")
    share, uniform = _together(measured, OFFSET_COLUMNS[:own] if side == "before" else OFFSET_COLUMNS[own + 1 :])
    value, ends = pieces(share)
    text = f"tokens {side} get {value} ({ends}); uniform attention gives {written(uniform)}"
    return Check(
        "null", widened(share, measured.heads).low * PREFERRED > uniform, text + f" (above 1/{PREFERRED:g} of it)"
    )


def _row(measured: Measured, column: str) -> dict[str, object]:
    layer, head = measured.place
    return (
        {"measure": column, "layer": layer, "head": head}
        | measured.values[column]._asdict()
        | {"uniform": measured.uniform[column]}
    )
