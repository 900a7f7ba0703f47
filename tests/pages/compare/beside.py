"""Two tiny models set side by side, with invented changes, and what a reader finds of them."""

import re
from pathlib import Path

import pandas as pd

from generator.models.names import slug
from generator.pages.blocks import Sections
from generator.pages.heads.atlas import Atlas
from generator.results.store import Results
from generator.results.tables import TABLES
from generator.results.writing import write
from generator.topics.compare.page.numbers import Other
from generator.topics.compare.page.page import compare_page
from generator.topics.compare.records.names import study

SEED, MODEL, OTHER, SMALL = 3, "First", '<b>Tuned</b> & {{ 7*7 }} "x"', "Small"
TEXT, TREEBANK = "text <i>&amp;", "trees <u>{{ 7*7 }}"
RELATION = "nsubj <img src=x>"
UNDEFINED = re.compile(r"\b(nan|inf)\b|[>( ]None[<), ](?!of)")


def of(atlas: Atlas, beside: str, known: Atlas | None = None) -> Sections:
    """The context of the comparison with a model."""
    return compare_page(atlas, Other(slug(beside), known))


def rows_of(atlas: Atlas, name: str, beside: str = OTHER, table: str = "head_facts") -> pd.DataFrame:
    """The stored rows of one name, in the order of the heads."""
    rows = atlas.results.table(table)
    rows = rows[(rows["study"] == study(beside).name) & (rows["name"] == name) & (rows["corpus"] == TEXT)]
    return rows.sort_values(["layer", "head"] if "head" in rows else ["layer"])


def with_heads(atlas: Atlas, heads: pd.DataFrame, place: Path) -> Atlas:
    """The same results with other numbers of heads."""
    tables = {name: atlas.results.table(name) for name in TABLES} | {"head_facts": heads}
    kept = {name: frame for name, frame in tables.items() if len(frame) or name == "examples"}
    return Atlas(Results.open(write(place, atlas.results.manifest, kept)))
