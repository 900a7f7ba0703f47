"""What holds of every page of sections, whatever it is about."""

import json
import re

from generator.charts.compile import specification
from generator.charts.theme import LIGHT, signals
from generator.pages.blocks import Figure, Sections, Table
from tests.charts.test_specifications import settings
from tests.pages.reading import every, seen
from tests.pages.test_figures import fields
from tests.pages.titled import check_titles
from tests.site.documents import Document

UNDEFINED = re.compile(r"\b(nan|inf)\b|[>( ]None[<), ](?!of)")


def check_charts(page: Sections) -> None:
    """Every chart finds the columns and settings that it reads, columns are of one length, and titles are true."""
    for figure in every(page, Figure):
        check_titles(figure)
        data = json.loads(figure.data)
        for view in data["views"]:
            columns = data["shared"] | view["columns"]
            assert len({len(column) for column in columns.values()}) == 1
            for kind in figure.kinds:
                spec = specification(kind)
                assert set(fields(spec)) <= {*columns, *view.get("constants", {})}, kind
                assert set(settings(spec)) - set(signals(LIGHT)) <= set(view.get("signals", {})), kind


def check_html(page: Sections, html: str) -> None:
    """Every cell is shown, below a heading of its own; no anchor stands twice and no number is undefined."""
    document = Document(html)
    cells = {element.text for element in document.elements if element.tag in ("td", "th")}
    for table in (*every(page, Table), *(figure.table for figure in every(page, Figure))):
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert {seen(cell) for row in (table.columns, *table.rows) for cell in row} - cells == set()
    ids = [element.attributes["id"] for element in document.elements if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    assert not UNDEFINED.search(html)
