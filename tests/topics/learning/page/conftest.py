"""An invented course of training, and its page."""

import pytest

from generator.pages.blocks import Sections
from generator.pages.heads.atlas import Atlas
from generator.topics.learning.page.page import curve_page
from generator.topics.learning.page.slider import SHOWN
from tests.topics.learning.page.courses import Course


@pytest.fixture(scope="package")
def made() -> Course:
    """Gives the invented numbers."""
    return Course().everything(SHOWN)


@pytest.fixture(scope="package")
def atlas(made: Course, tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives the stored results."""
    return made.store(tmp_path_factory.mktemp("curve"))


@pytest.fixture(scope="package")
def page(atlas: Atlas) -> Sections:
    """Gives the context."""
    return curve_page(atlas)
