"""A text whose inputs are read in blocks of queries goes through every study of text."""

from functools import partial

import pandas as pd
import pytest
import torch

from generator import limits
from generator.attention.anatomy import examine
from generator.attention.sums.rows import TILE_ABOVE
from generator.config import Analysis
from generator.corpora.files import TEXT
from generator.corpora.kind import Corpora, Corpus
from generator.corpora.pairs import Document, PairMaker
from generator.errors import TooLongError
from generator.models.load import load
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.studies.all import PROCEDURES
from generator.studies.procedure import Subject
from generator.survey.engine import Surveyor
from generator.survey.rows import gathered
from generator.topics.inputs.compute.hidden_tokens import log_probabilities
from tests.attention.masked_lm import write_masked_lm
from tests.encoders import SENTENCES, tokenizer_of
from tests.reports import Telling

TOKENS = TILE_ABOVE + 76
CPU = torch.device("cpu")
ONE_ROW = pd.DataFrame({"value": [1.0]})
SUBJECT = Subject("m", "long", (1, 1), (), 0, list, pd.DataFrame, pd.DataFrame, told_segments=True)
OF_TEXT = {procedure.study for procedure in PROCEDURES if procedure.reads == TEXT}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A random encoder of long inputs, of two layers of two heads, with a masked-LM head."""
    small = {"num_hidden_layers": 2, "num_attention_heads": 2}
    place = write_masked_lm("bert", tmp_path_factory.mktemp("long"), max_position_embeddings=TOKENS, **small)
    tokenizer_of("bert", TOKENS).save_pretrained(place)
    return place


def surveyed(folder):
    """What all studies of a text of long inputs found, and what was said."""
    source, report = locate(str(folder)), Telling()
    paragraph = " ".join(SENTENCES * 4)
    documents = tuple(Document(name, (paragraph, paragraph)) for name in ("one", "two"))
    corpora = Corpora((Corpus("long", TEXT, "1" * 64, documents, "en"),))
    encoder = load(source, CPU)
    settings = Analysis(corpora=("long",), max_tokens=TOKENS, device="cpu")
    surveyor = Surveyor(encoder, examine(encoder), settings, report, load_masked_lm(source, CPU))
    return surveyor.survey(corpora, PROCEDURES), report.notes


def made(found):
    """The studies that have rows."""
    named = {*found.tables["facts"]["study"], *found.tables["head_facts"]["study"]}
    return named | {procedure.study for procedure in PROCEDURES if set(procedure.tables) & set(found.tables)}


def test_a_model_with_a_head_forms_no_map_that_nobody_looks_at(folder):
    source = locate(str(folder))
    encoder, masked_lm = load(source, CPU), load_masked_lm(source, CPU)
    item = PairMaker(encoder.tokenizer, TOKENS).sentence("one", SENTENCES[0])
    Surveyor(encoder, examine(encoder), Analysis(max_tokens=TOKENS, device="cpu"), Telling(), masked_lm)
    shapes = []
    layer = masked_lm.encoder.model.bert.encoder.layer[0].attention.self
    with layer.register_forward_hook(lambda _module, _received, made: shapes.append(made[1])):
        log_probabilities(masked_lm, [item], [{1: 5}])
    assert shapes == [None]


def test_every_study_of_text_finishes_on_long_inputs(folder):
    found, notes = surveyed(folder)
    assert found.tables["inputs"]["input_ids"].map(len).max() > TILE_ABOVE
    assert made(found) == OF_TEXT
    assert not [note for note in notes if "left out" in note]


def test_gradients_for_which_memory_does_not_suffice_are_left_out_and_all_else_is_made(folder, monkeypatch, tmp_path):
    monkeypatch.setattr(limits, "MEMORY", tmp_path / "meminfo")
    limits.MEMORY.write_text("MemAvailable: 65536 kB\n")
    found, notes = surveyed(folder)
    assert made(found) == OF_TEXT - {"gradient"}
    (said,) = [note for note in notes if "left out" in note]
    assert ": gradient on long is left out. Expected" in said
    assert said.endswith("found 64 MiB; lower --max-tokens.")


@pytest.mark.parametrize(("others", "told"), [([], "gradient"), ([{"facts": [ONE_ROW]}], "a part of gradient")])
def test_what_memory_does_not_suffice_for_is_told_once_and_as_a_part_if_there_is_more(others, told):
    report = Telling()
    steps = [(step, "") for step in (too_long, *(partial(dict, made) for made in others), too_long)]
    rows = gathered("gradient", steps, SUBJECT, report)
    assert {name: len(table) for name, table in rows.items()} == {name: 1 for made in others for name in made}
    assert report.notes == [f"m: {told} on long is left out. Expected more memory."]


def too_long():
    """A step of a study for which memory does not suffice."""
    raise TooLongError("Expected more memory.")
