"""Columns of numbers, and the evidence that holds them."""

from tests.claims.made import (
    evidence,
    text,
)

SEED = 5
SHAPE = (7, 3, 2)
"""Documents, layers, heads: no two alike, so that a wrong axis cannot go unnoticed."""
NAMES = [f"document {number}" for number in range(SHAPE[0])]


def make(columns, **options):
    return text(columns, documents=NAMES, layers=SHAPE[1], heads=SHAPE[2], **options)


def seen(*tables):
    return evidence(*tables, layers=SHAPE[1], heads=SHAPE[2])
