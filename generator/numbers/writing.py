"""How numbers are written on every page."""

import math
from functools import lru_cache


@lru_cache(maxsize=1 << 16)
def number(value: float) -> str:
    """Two decimals, two significant digits below 0.1; a dash where it is undefined.

    >>> number(0.6789), number(0.01234), number(0.00042), number(-0.00042), number(0.0)
    ('0.68', '0.012', '<0.001', '>-0.001', '0')
    """
    if math.isnan(value):
        return "-"
    if value == 0:
        return "0"
    if abs(value) >= 0.1:
        return f"{value:.2f}"
    if abs(value) >= 0.001:
        return f"{value:#.2g}"
    return "<0.001" if value > 0 else ">-0.001"


def interval(low: float, high: float) -> str:
    """Both ends, or a dash.

    >>> interval(0.61, 0.7)
    '0.61 to 0.70'
    """
    return "-" if math.isnan(low) or math.isnan(high) else f"{number(low)} to {number(high)}"


def signed(value: float) -> str:
    """A change: its direction always shows.

    >>> signed(0.1234), signed(-0.0123), signed(0.0), signed(-0.00042), signed(float("nan"))
    ('+0.12', '-0.012', '0', '-4.2e-04', '-')
    """
    if math.isnan(value) or value == 0:
        return number(value)
    return f"{value:+.1e}" if abs(value) < 0.001 else ("-" if value < 0 else "+") + number(abs(value))


def between(low: float, high: float) -> str:
    """Both ends of a change's interval; empty where there is none."""
    return "" if math.isnan(low) or math.isnan(high) else f"{signed(low)} to {signed(high)}"
