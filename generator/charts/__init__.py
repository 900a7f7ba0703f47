"""The charts of the site; here, what they and those who give them data agree on, which needs no library."""

ROWS = "d"
"""The name of a chart's data."""
TOLD = "told"
"""The column that has a number and its interval as text, since no format of Vega follows an interval or a threshold."""
STEP = 30
"""Pixels from one bar of the chart `found` to the next."""
