"""What an encoder is, where it differs from BERT."""

from collections.abc import Callable

import pytest

from generator.models.catalogue import CATALOGUE, EMBEDDED
from generator.models.encoder import Encoder
from generator.survey.about import about

NAMELESS = "a-folder"


@pytest.mark.parametrize(
    ("family", "told"),
    [
        ("bert", ""),
        ("mpnet", "Unlike BERT it has relative positions, no segments and 3 [SEP] in a pair of texts."),
        ("roberta", "Unlike BERT it has no segments and 3 [SEP] in a pair of texts."),
        ("distilbert", "Unlike BERT it has no segments."),
        ("modernbert", "Unlike BERT it has rotary positions and no segments."),
        ("t5", "Unlike BERT it has relative positions and no segments."),
    ],
)
def test_what_its_inputs_and_positions_are(encoder: Callable[[str], Encoder], family: str, told: str) -> None:
    assert about(encoder(family), NAMELESS) == told


def test_a_known_model_has_the_note_of_the_catalogue_first(encoder: Callable[[str], Encoder]) -> None:
    assert about(encoder("bert"), EMBEDDED.id) == EMBEDDED.note
    assert about(encoder("distilbert"), EMBEDDED.id) == f"{EMBEDDED.note} Unlike BERT it has no segments."
    assert all(one.note.endswith(".") for one in CATALOGUE)
