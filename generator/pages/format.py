"""How numbers are written on every page."""

import math


def number(value: float) -> str:
    """Two decimals, three below 0.1; a dash where it is undefined.

    >>> number(0.6789), number(0.0123), number(float("nan"))
    ('0.68', '0.012', '-')
    """
    if math.isnan(value):
        return "-"
    return f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3f}"


def interval(low: float, high: float) -> str:
    """Both ends, or a dash.

    >>> interval(0.61, 0.7)
    '0.61 to 0.70'
    """
    return "-" if math.isnan(low) or math.isnan(high) else f"{number(low)} to {number(high)}"
