"""The first page shows how attention forms in a model whose training is stored."""

from generator.pages import home
from generator.pages.blocks import Figure
from generator.pages.heads.atlas import Atlas
from tests.pages.reading import told


def test_the_home_page_shows_the_course_of_a_model_and_leads_to_its_curve(atlas: Atlas) -> None:
    found = home.forms([atlas], "")
    assert found is not None
    (figure,) = (block for block in found.blocks if isinstance(block, Figure))
    assert figure.kinds == ("curve-signatures",)
    assert "No head came to give one target more than half of its attention." in told(found)
    assert "its learning curve" in told(found)
    assert home.forms([], "") is None
