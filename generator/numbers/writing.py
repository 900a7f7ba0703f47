"""How a number and its interval are written: on pages, in verdicts, on the command line.

The number of digits follows from the interval: value and both ends are written to two significant digits of its width,
but to no more than three of the end nearer to 0, or as many more as tell the ends apart: 98.24 (98.21 to 98.26), not
98.240 (98.214 to 98.262). There is one digit more if an end that differs from the value would otherwise read like it.
Without an interval there are three significant digits. A share in per cent, which stands in a sentence, has two where
others have three. A number that would otherwise read as 0, or as lying on the other side of a threshold, gets more
digits. Thousands are separated by commas, the minus sign is a hyphen, and numbers nearer to 0 than 0.0000001 are
written as 4.2e-8.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import count

from generator.numbers.number import Number

NO_NUMBER = "It writes numbers for people."

UNDEFINED = "-"
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
"""Counts that are written as words."""
ALONE, IN_PERCENT = 3, 2
"""Significant digits of a number, and of a share in per cent, without an interval, and enough for one whose interval
they show.
"""
OF_WIDTH = 2
"""Significant digits of an interval's width that are shown; one where the number already has as many digits as alone.
"""
PRECISION = 1e-6
"""Relative width of an interval below which its ends differ by the rounding of single precision alone."""
SMALL = 1e-7
"""Numbers nearer to 0 are written with an exponent."""
HANDED, ALL = 6, 17
"""Significant digits of a number that is handed to a program: at least and at most; with 17, no two numbers agree."""


def written(estimate: Number, unit: str = "", *, signed: bool = False, against: Sequence[float] = ()) -> str:
    """A number, its unit and its interval in brackets; `against` are the thresholds it is compared with.

    >>> written(Number(0.1071, 0.09994, 0.1148, 40)), written(Number(0.1071, 0.09994, 0.1148, 40), against=(0.1,))
    ('0.107 (0.100 to 0.115)', '0.107 (0.0999 to 0.115)')
    >>> written(Number(1.25, 1.1, 1.5, 40), "nats"), written(Number(0.5, math.nan, math.nan, 1))
    ('1.25 nats (1.10 to 1.50)', '0.5')
    """
    text, ends = pieces(estimate, signed=signed, against=against)
    return joined(f"{text} {unit}" if unit and text != UNDEFINED else text, ends)


def joined(text: str, ends: str) -> str:
    """What `pieces` returns, as one text."""
    return text if UNDEFINED in (text, ends) else f"{text} ({ends})"


def listed(some: Sequence[str], last: str = "and") -> str:
    """Names as a list within a sentence; `last` is the word before the last name.

    >>> listed(["3-1"]), listed(["3-1", "4-2", "5-6"]), listed(["3-1", "4-2"], "or")
    ('3-1', '3-1, 4-2 and 5-6', '3-1 or 4-2')
    """
    return f" {last} ".join(filter(None, (", ".join(some[:-1]), *some[-1:])))


def in_letters(count: int) -> str:
    """A count as a word of a sentence, or in digits if it is above ten.

    >>> in_letters(0), in_letters(10), in_letters(11)
    ('no', 'ten', '11')
    """
    return WORDS[count] if count < len(WORDS) else str(count)


def percent(
    share: Number, unit: str = "%", *, against: Sequence[float] = (), ends: bool = True, digits: int = IN_PERCENT
) -> str:
    """A share in per cent with its interval, as `written` writes it; `against` are thresholds of the share.

    Without `ends` the interval is left out, and the share is rounded as beside it. What was published keeps `ALONE`
    significant digits.

    >>> percent(Number(0.775, 0.739, 0.804, 622)), percent(Number(0.00775, math.nan, math.nan, 1))
    ('78 % (74 to 80)', '0.78 %')
    >>> percent(Number(0.2273, 0.15, 0.31, 110), ends=False), percent(Number(0.2273, math.nan, math.nan, 1))
    ('23 %', '23 %')
    >>> percent(Number(0.9824, 0.98214, 0.98262, 70)), percent(Number(1.0, 1.0, 1.0, 1))
    ('98.24 % (98.21 to 98.26)', '100 %')
    >>> percent(Number(0.4998, 0.4970, 0.5003, 70)), percent(Number(0.4998, 0.4970, 0.5003, 70), against=(0.5,))
    ('49.98 % (49.70 to 50.03)', '49.98 % (49.70 to 50.03)')
    """
    value, low, high = (100 * part for part in share[:3])
    bounds = tuple(100 * bound for bound in against)
    text, spread = _pieces(value, low=low, high=high, signed=False, against=bounds, alone=digits)
    text = text if text == UNDEFINED else f"{text} {unit}"
    return joined(text, spread) if ends else text


def pieces(estimate: Number, *, signed: bool = False, against: Sequence[float] = ()) -> tuple[str, str]:
    """Value and interval separately, for two columns or lines; a dash if undefined or if the interval is the value.

    >>> pieces(Number(0.1071, 0.09994, 0.1148, 40)), pieces(Number(1.0, 1.0, 1.0, 40))
    (('0.107', '0.100 to 0.115'), ('1', '-'))
    """
    value, low, high, _ = estimate
    return _pieces(value, low, high, signed, tuple(against))


def number(
    value: float, low: float = math.nan, high: float = math.nan, *, signed: bool = False, against: Sequence[float] = ()
) -> str:
    """The value alone, as `written` writes it; a dash if it is undefined. `signed` writes the sign of a change.

    >>> number(0.6789), number(0.6789, 0.61, 0.74), number(30522.0), number(-0.00042), number(4.2e-5), number(4.2e-8)
    ('0.679', '0.68', '30,522', '-0.00042', '0.000042', '4.2e-8')
    >>> number(11.0, 9.0, 12.0), number(0.09996, against=(0.1,)), number(0.2, signed=True)
    ('11', '0.09996', '+0.2')
    >>> number(0.9999999985, 0.9999999955, 1.0)
    '1'
    """
    return _value(value, low, high, signed, tuple(against))


def in_column(value: float, *, against: Sequence[float] = ()) -> str:
    """A number without an interval in a column of them: as `number` writes it, but with the zeros at its end.

    >>> in_column(0.15), in_column(1.3), in_column(0.6789), in_column(0.0), in_column(0.49996, against=(0.5,))
    ('0.150', '1.30', '0.679', '0', '0.49996')
    """
    if math.isnan(value):
        return UNDEFINED
    return _text(value, _decimals(abs(value), ALONE) if value else None, False, tuple(against))


def interval(
    low: float, high: float, *, value: float = math.nan, signed: bool = False, against: Sequence[float] = ()
) -> str:
    """Both ends, as `written` writes them beside the value, if that is given; a dash if there is no interval.

    >>> interval(0.61, 0.7), interval(-0.01, 0.2, signed=True), interval(0.00003, 0.25), interval(9.0, 12.0)
    ('0.610 to 0.700', '-0.01 to +0.20', '0.00003 to 0.25', '9 to 12')
    """
    return _ends(low, high, low if math.isnan(value) else value, signed, tuple(against))


@lru_cache(maxsize=1 << 16)
def handed(value: float) -> str:
    """A number for a program that compares it and writes it as `number` does; short, and a dash if it is undefined.

    It has six significant digits and two decimals, or more where the last of these would be 0: so a number of at most
    five digits lies on the same side of it as of the value.

    >>> handed(0.4996249), handed(0.49999996), handed(0.5), handed(4.55e-9), handed(-0.0123456789), handed(math.nan)
    ('.499625', '.49999996', '.5', '4.55e-9', '-.0123457', '-')
    """
    if math.isnan(value):
        return UNDEFINED
    least = max(HANDED, len(f"{abs(value):.0f}") + 2)
    fitting = (some for some in range(least, ALL) if f"{value:.{some - 1}e}".partition("e")[0][-1] != "0")
    short = f"{value:.{least}g}"
    text = short if float(short) == value else f"{value:.{next(fitting, ALL)}g}"
    return text.replace("e-0", "e-").replace("0.", ".", text.lstrip("-").startswith("0."))


def unbroken(page: str) -> str:
    r"""The text with a no-break space between each number and its per cent sign, so that no line ends between them.

    >>> unbroken("77.5 % of 40 % %").split(" ")
    ['77.5\xa0%', 'of', '40\xa0%', '%']
    """
    before, *after = page.split(" %")
    parts = [before]
    for part in after:
        parts += ["\N{NO-BREAK SPACE}%" if parts[-1][-1:].isdigit() else " %", part]
    return "".join(parts)


@lru_cache(maxsize=1 << 16)
def _pieces(
    value: float, low: float, high: float, signed: bool, against: tuple[float, ...], alone: int = ALONE
) -> tuple[str, str]:
    if math.isnan(low) or math.isnan(high):
        return UNDEFINED if math.isnan(value) else _text(value, None, signed, against, alone), UNDEFINED
    if math.isnan(value):
        return UNDEFINED, _ends(low, high, low, signed, against)
    decimals = _shared_decimals(low, high, value, alone)
    text, *ends = (_text(end, decimals, signed, against, alone) for end in (value, low, high))
    return text, UNDEFINED if ends == [text, text] else " to ".join(ends)


@lru_cache(maxsize=1 << 16)
def _value(value: float, low: float, high: float, signed: bool, against: tuple[float, ...]) -> str:
    if math.isnan(value):
        return UNDEFINED
    return _text(value, _shared_decimals(low, high, value), signed, against)


def _ends(low: float, high: float, value: float, signed: bool, against: tuple[float, ...]) -> str:
    if math.isnan(low) or math.isnan(high):
        return UNDEFINED
    decimals = _shared_decimals(low, high, value)
    return f"{_text(low, decimals, signed, against)} to {_text(high, decimals, signed, against)}"


def _shared_decimals(low: float, high: float, value: float, alone: int = ALONE) -> int | None:
    """Decimals of value and ends, 0 if all are whole; None without an interval or if its width is only rounding."""
    width = high - low
    if math.isnan(width) or width <= PRECISION * max(1.0, abs(low), abs(high)):
        return None
    if low % 1 == high % 1 == value % 1 == 0:
        return 0
    # One decimal more where the number would be written like an end of its interval.
    more = _telling(low, high, alone)
    text = f"{value:.{more}f}"
    return more + ((low != value and f"{low:.{more}f}" == text) or (high != value and f"{high:.{more}f}" == text))


@lru_cache(maxsize=1 << 16)
def _telling(low: float, high: float, alone: int) -> int:
    """Decimals that show an interval: `alone` digits of the end nearer to 0, or as many more as tell the ends apart."""
    width = high - low
    nearer = min(abs(low), abs(high)) or width
    enough = max(_decimals(nearer, alone), _decimals(width, 1))
    if f"{low:.{enough}f}" == f"{high:.{enough}f}":
        enough += 1
    return min(enough, _decimals(width, OF_WIDTH))


def _decimals(size: float, digits: int) -> int:
    """How many decimals are needed to show `digits` significant digits of a number of this size."""
    return max(digits - 1 - math.floor(math.log10(size)), 0) if math.isfinite(size) else 0


def _text(value: float, decimals: int | None, signed: bool, against: tuple[float, ...], alone: int = ALONE) -> str:
    """The number with `decimals` decimals, or `alone` significant digits if None; with more if it would be misread."""
    if value == 0:
        return "0"
    least = _decimals(abs(value), alone) if decimals is None else max(decimals, _decimals(abs(value), 1))
    sign = "+" if signed and value > 0 else ""
    text = _digits(value, least, decimals is None)
    # More decimals until the text lies on the same side of every threshold as the number.
    for more in count(least + 1) if against else ():
        read = float(text.replace(",", ""))
        if all(_side(read, bound) == _side(value, bound) for bound in against):
            break
        text = _digits(value, more, decimals is None)
    return sign + text


def _digits(value: float, decimals: int, shortest: bool) -> str:
    """The number with `decimals` decimals; if `shortest`, without zeros at the end."""
    size, tail = abs(value), ""
    if size < SMALL:
        text, _, exponent = f"{value:.{max(decimals + math.floor(math.log10(size)), 0)}e}".partition("e")
        tail = f"e{int(exponent)}"
    else:
        text = f"{value:,.{decimals}f}"
    return (text.rstrip("0").rstrip(".") if shortest and "." in text else text) + tail


def _side(value: float, bound: float) -> int:
    return int(value > bound) - int(value < bound)


def handed_row(numbers: Iterable[float]) -> str:
    """Numbers in one text as `handed` writes them, a dash for each that is undefined."""
    return " ".join(handed(float(estimate)) for estimate in numbers)
