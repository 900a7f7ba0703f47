"""What a hand-written page compares: the first models, and beside it what a choice of others needs."""

import json
import re

from generator.home import TEMPLATES
from generator.pages.renderer import Renderer
from generator.pages.written.knowledge import Knowledge
from tests.pages.claims.judged import Invent, crossing, ledger, meeting, missing, table, untold
from tests.pages.written.test_knowledge import BIBLIOGRAPHY, PAGE, rendered
from tests.results.samples import manifest
from tests.site.documents import Document

ORDER = ("m5", "m3", "m4", "m1", "m6")
TEXT = '{{ measured("C04", "It is {1}.") }}\n\n{{ compared() }}\n\n{{ figure("C04") }}\n\n{{ figure("C10") }}\n'


def of(*ways: Invent, only: tuple[str, ...] = ()) -> Knowledge:
    """Knowledge of as many models, or of some of them alone, those of `ORDER` first."""
    some = [(way, manifest(f"m{at}", model=f"M{at}")) for at, way in enumerate(ways)]
    some.sort(key=lambda one: (*ORDER, one[1].slug).index(one[1].slug))
    kept = [one for one in some if not only or one[1].slug in only]
    judged = ledger(*(way for way, _ in kept), models=[model for _, model in kept])
    return Knowledge(judged, BIBLIOGRAPHY, Renderer(TEMPLATES))


def test_page_shows_the_first_models_as_if_there_were_no_others() -> None:
    ways = [meeting, missing, meeting, crossing, missing, meeting, missing]
    every, first = (rendered(TEXT, of(*ways, only=only)) for only in ((), ORDER))
    assert table(every, 0) == table(first, 0)
    assert table(every, 1) == table(first, 1)
    assert [row[0] for row in table(every, 1)[1:6]] == ["M5", "M3", "M4", "M1", "M6"]
    found, expected = ([one.text for one in Document(html).find("p", "fg-title")] for html in (every, first))
    assert found == expected
    boxes = Document(every).find("input")
    assert [box.attributes["value"] for box in boxes if "checked" in box.attributes] == list(ORDER)
    assert len(boxes) == len(ways)


def test_fifty_models_cost_the_page_their_boxes_alone() -> None:
    few, many = (rendered(TEXT, of(*[meeting] * count)) for count in (10, 50))
    assert len(many) - len(few) < 40 * 130
    assert len(re.findall("<tr>", many)) == len(re.findall("<tr>", few))


def test_files_beside_the_page_have_every_model() -> None:
    knowledge = of(meeting, missing, untold, meeting, crossing, meeting)
    rendered(TEXT, knowledge)
    files = dict(knowledge._context(PAGE).renderer.drawn(PAGE))
    data = json.loads(files[f"{PAGE}models.js"].removeprefix("window.fieldguideData=").removesuffix(";\n"))
    assert data["first"] == ["m5", "m3", "m4", "m1", "m0"]
    assert set(data["#figure-c04-1"]["rows"]) == {"m0", "m1", "m3", "m4", "m5"}


def test_figure_shows_the_first_models_with_its_number_where_the_compared_ones_have_none() -> None:
    ways = [meeting, untold, missing, untold, untold, untold, untold]
    title, _ = Document(rendered(TEXT, of(*ways))).find("p", "fg-title")
    assert title.text.endswith(": 40 % in M2, up to 60 % in M0 (C04)")


def test_page_of_one_model_has_nothing_to_choose() -> None:
    knowledge = of(meeting)
    assert "<input" not in rendered(TEXT, knowledge)
    assert f"{PAGE}models.js" not in dict(knowledge._context(PAGE).renderer.drawn(PAGE))
