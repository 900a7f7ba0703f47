"""Slow derivations that tests of numbers share."""

import math


def quantile(values, share):
    """The value below which a share of the sorted values lies, interpolated between neighbours."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def wilson(hits, n):
    """The interval's ends, by the formula of Wilson 1927."""
    z = 1.959963984540054
    share = hits / n
    middle = share + z * z / (2 * n)
    width = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (middle - width) / (1 + z * z / n), (middle + width) / (1 + z * z / n)
