"""What a reader finds on the page of a course of training."""

import json
from typing import Any

from generator.home import TEMPLATES
from generator.pages.blocks import Figure, Sections, Table
from generator.pages.renderer import Renderer
from generator.topics.learning.page.slider import Slider
from tests.pages.reading import block
from tests.topics.learning.page.courses import STEPS

LAST = STEPS[-1]
Rows = list[dict[str, Any]]


def render(page: Sections) -> str:
    """The page of a context."""
    return Renderer(TEMPLATES).render("page.html", page)


def one(rows: Rows, **chosen: Any) -> dict[str, Any]:
    """The only row with these values."""
    found = [row for row in rows if all(row[name] == value for name, value in chosen.items())]
    assert len(found) == 1, chosen
    return found[0]


def grid(page: Sections) -> Slider:
    """The heads of every checkpoint."""
    return block(page, "checkpoints", Slider)


def drawn(page: Sections, anchor: str, at: int = 0) -> dict[str, Any]:
    """The columns of a view of a section's figure."""
    return dict(view_of(block(page, anchor, Figure), at)["columns"])


def rows(page: Sections, anchor: str, at: int = 0) -> Any:
    """The rows of a section's table."""
    return block(page, anchor, Table, at).rows


def view_of(figure: Figure, at: int = 0) -> dict[str, Any]:
    """The data of one view."""
    return dict(json.loads(figure.data)["views"][at])
