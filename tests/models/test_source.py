"""Where a model's files lie, and what the model is called."""

import pytest

from generator.errors import ModelError
from generator.models.source import locate


@pytest.mark.parametrize("name", [" ", "  \t"])
def test_a_name_of_spaces_is_refused(name: str) -> None:
    with pytest.raises(ModelError, match=r"Expected a name for 'small-bert', found nothing but spaces; name it"):
        locate("small-bert", name=name)


def test_a_model_without_a_name_is_called_by_its_id() -> None:
    assert locate("small-bert").title == "small-bert"
    assert locate("small-bert", name="x").title == "x"
