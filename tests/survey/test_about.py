"""What an encoder is, where it differs from BERT."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from generator.models.catalogue import CATALOGUE, EMBEDDED
from generator.models.encoder import Encoder
from generator.models.load import load
from generator.models.source import locate
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


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ({"AutoModel": "mine.Model"}, True),
        ({"AutoModelForMaskedLM": "owner/code--mine.Model"}, True),
        ({"AutoConfig": "mine.Config", "AutoTokenizer": ["mine.Tokenizer", None]}, False),
        ({}, False),
        ("mine.Model", False),
    ],
)
def test_code_that_a_checkpoint_brings_for_its_model_is_told(
    tmp_path: Path, checkpoint: Callable[[str], Path], named: object, told: bool
) -> None:
    folder = shutil.copytree(checkpoint("bert"), tmp_path / "model")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"auto_map": named}))
    found = about(load(locate(str(folder)), torch.device("cpu")), NAMELESS)
    assert found == (
        "It brings code for a model of its own, which was not run: transformers' BertModel read its weights."
        if told
        else ""
    )
