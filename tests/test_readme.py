"""What the README says of the code is so."""

import re

from generator.topics import OURS
from tests.test_architecture import ORDER, ROOT


def test_the_layout_lists_the_stages_in_their_order():
    """A line of the package imports only from itself and the lines above it, says the README."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    layout = text.partition("    generator/            ")[2].partition("    templates/")[0]
    told = re.findall(r"(\w+)(?:\.py|/)[, ]", layout)
    assert told == [stage for stage in ORDER if stage != "__main__"]


def test_the_layout_lists_the_topics_in_their_order():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    layout = text.partition("    generator/topics/")[2].partition("\n\n")[0]
    assert re.findall(r"^ {6}(\w+)/", layout, re.MULTILINE) == list(OURS)
