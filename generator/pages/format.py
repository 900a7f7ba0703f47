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
