"""Bad input ends in one line that says what was expected and found, exit 1, and leaves the results as they were."""

import io
import json
import shutil
import sys
from pathlib import Path

import pytest
import torch
from transformers import FNetConfig, FNetModel

from generator.errors import MOST_QUOTED
from generator.results.writing import write
from tests.cli.command import fieldguide, write_corpus
from tests.encoders import tokenizer_of
from tests.encoders import write as write_encoder
from tests.results.disks import small_disk
from tests.results.samples import contents, manifest, tables

ROOT = Path(__file__).resolve().parents[1]
REMOTE = {"model_type": "strange", "auto_map": {"AutoConfig": "strange.Config", "AutoModel": "strange.Model"}}
PROGRAM = "from pathlib import Path\nPath(__file__).with_name('ran').touch()\n"


@pytest.fixture
def model(checkpoint, tmp_path):
    """A copy of the tiny BERT, to be damaged."""
    return Path(shutil.copytree(checkpoint("bert"), tmp_path / "models" / "bert"))


@pytest.fixture
def text(tmp_path):
    """Sound text."""
    return write_corpus(tmp_path / "twelve.txt", 12)


@pytest.fixture
def results(tmp_path):
    """A place with older results of the model."""
    write(tmp_path / "results", manifest("bert"), tables(rows=2))
    return tmp_path / "results"


@pytest.fixture
def refusal(results):
    """Runs `fieldguide analyze` and gives its one line, after checking all that is true of every refusal; `late` ones
    come after notes on what is left out.
    """

    def run(*words: object, place: Path = results, late: bool = False) -> str:
        before = contents(place)
        outcome = fieldguide("analyze", *words, "--force", "--results", place)
        assert (outcome.exit, outcome.out) == (1, "")
        line = outcome.err.removesuffix("\n").rpartition("\n")[2] if late else outcome.err.removesuffix("\n")
        assert line.startswith("Error: Expected ")
        assert line.isprintable(), "one line, as a person reads it"
        assert contents(place) == before
        return line

    return run


def _configure(model, **changes):
    config = json.loads((model / "config.json").read_text())
    (model / "config.json").write_text(json.dumps(config | changes))


def _fourier(model):
    """A model that mixes tokens without attention."""
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "intermediate_size": 48, "max_position_embeddings": 64}
    FNetModel(FNetConfig(vocab_size=len(tokenizer_of("bert")), **sizes)).save_pretrained(model)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (shutil.rmtree, "a folder with a model at"),
        (lambda model: (model / "config.json").unlink(), "config.json in"),
        (lambda model: (model / "config.json").write_text("{"), "JSON in"),
        (lambda model: (model / "config.json").write_text("[]"), "config.json"),
        (lambda model: _configure(model, hidden_size="wide"), "hidden_size"),
        (lambda model: _configure(model, num_attention_heads=5), "attention heads"),
        (lambda model: _configure(model, model_type="nonesuch"), "nonesuch"),
        (lambda model: (model / "model.safetensors").unlink(), "safetensors weights in"),
        (lambda model: (model / "model.safetensors").rename(model / "pytorch_model.bin"), "only pickle weights"),
        (lambda model: (model / "model.safetensors").write_bytes(b""), "can load in"),
        (lambda model: (model / "model.safetensors").write_bytes(bytes(100)), "can load in"),
        (lambda model: [path.unlink() for path in model.glob("tokenizer*")], "a tokenizer in"),
        (lambda model: (model / "tokenizer.json").write_text("{}"), "can load in"),
        (lambda model: (model / "tokenizer_config.json").write_text("[]"), "can load in"),
        (_fourier, "found a fnet model"),
        (lambda model: write_encoder("bert", model, limit=8, max_position_embeddings=8), "8"),
    ],
    ids=[
        "no folder",
        "no configuration",
        "configuration cut off",
        "configuration of another shape",
        "configuration of another type",
        "configuration that contradicts itself",
        "unknown architecture",
        "no weights",
        "only pickle weights",
        "empty weights",
        "zeros for weights",
        "no tokenizer",
        "tokenizer without pieces",
        "tokenizer settings of another shape",
        "no attention",
        "fewer positions than a pair needs",
    ],
)
def test_a_folder_that_holds_no_model_we_can_observe(model, text, refusal, damage, says):
    damage(model)
    assert says in refusal(model, "--corpus", text)


def test_code_that_comes_with_a_model_is_never_run_not_even_when_asked(model, text, refusal, monkeypatch):
    """The library would ask whether to run it; nobody is asked, and a yes on the keyboard changes nothing."""
    _configure(model, **REMOTE)
    (model / "strange.py").write_text(f"{PROGRAM}from transformers import BertConfig as Config, BertModel as Model\n")
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n" * 9))
    refusal(model, "--corpus", text)
    assert list(model.rglob("ran")) == []


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nobody/nothing", "cannot be reached and the model is not in the local cache"),
        ("nothing", "cannot be reached and the model is not in the local cache"),
        ("no such name", "neither a folder nor a hub id"),
        ("a/b/c", "a folder with a model at 'a/b/c'"),
        ("./nowhere", "a folder with a model at './nowhere'"),
        ("a" * 3000, f"{'a' * (MOST_QUOTED - 1)}"),
    ],
    ids=lambda value: value[:20],
)
def test_a_name_that_leads_to_no_model(text, refusal, monkeypatch, name, says):
    """Offline, whatever the environment says; tests/test_hub.py asks a hub."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert says in refusal(name, "--corpus", text)


PAIR = '{"id": "a", "paragraphs": ["one", "two"]}\n'


@pytest.mark.parametrize(
    ("file", "content", "says"),
    [
        ("c.txt", b"", "Expected text in"),
        ("c.txt", b" \n\t\n\r\n", "Expected text in"),
        ("c.jsonl", b"\n\n", "Expected text in"),
        ("c.txt", None, "No such file or directory"),
        ("c.jsonl", None, "No such file or directory"),
        ("c.txt", b"fine\n\ncaf\xe9", "line 3, found byte 0xe9"),
        ("c.jsonl", PAIR.encode() + b"caf\xe9", "line 2, found byte 0xe9"),
        ("c.jsonl", (PAIR + "{").encode(), "line 2"),
        ("c.jsonl", (PAIR + '{"id": 1, "paragraphs": ["x"]}').encode(), "line 2, found no id"),
        ("c.jsonl", (PAIR + '{"id": "x", "paragraphs": "x"}').encode(), "line 2, found no list of paragraphs"),
        ("c.jsonl", (PAIR * 2).encode(), "'a' twice"),
        ("c.csv", b"a,b", "ending in .txt, .jsonl, .conllu,"),
        ("c.txt", b"one\n\n\ntwo\n\n\nthree\n", "documents of at least two paragraphs in c.txt"),
        ("c.jsonl", b'{"id": "a", "paragraphs": []}', "documents of at least two paragraphs in c.jsonl"),
    ],
    ids=[
        "empty",
        "only whitespace",
        "only empty lines",
        "missing",
        "missing lines of JSON",
        "not UTF-8",
        "lines that are not UTF-8",
        "malformed JSON",
        "an id of another type",
        "paragraphs of another type",
        "two of one name",
        "unknown suffix",
        "too short for pairs",
        "no paragraphs",
    ],
)
def test_text_that_cannot_be_read_or_is_too_little(model, tmp_path, refusal, file, content, says):
    if content is not None:
        (tmp_path / file).write_bytes(content)
    line = refusal(model, "--corpus", tmp_path / file)
    assert says in line
    assert file in line


def test_a_corpus_that_is_neither_a_known_name_nor_a_file(model, refusal):
    line = refusal(model, "--corpus", "artikles")
    assert "a corpus name (articles, treebank, " in line
    assert "or a file, found 'artikles'" in line


def test_the_second_corpus_is_looked_at_before_the_first_is_observed(model, text, tmp_path, refusal):
    assert "nowhere.txt" in refusal(model, "--corpus", text, "--corpus", tmp_path / "nowhere.txt")


def test_two_corpora_of_one_name(model, text, refusal):
    assert "'twelve.txt' twice" in refusal(model, "--corpus", text, "--corpus", text)


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a CUDA device")
def test_a_device_that_is_not_there(model, text, refusal):
    assert "found only cpu on this machine; use --device auto" in refusal(model, "--corpus", text, "--device", "cuda")


def test_results_that_cannot_be_written_there(model, text, tmp_path):
    (tmp_path / "file").write_text("in the way")
    outcome = fieldguide("analyze", model, "--corpus", text, "--results", tmp_path / "file")
    assert (outcome.exit, outcome.out, len(outcome.err.splitlines())) == (1, "", 1)
    assert "choose another folder with --results" in outcome.err
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_full_disk(model, text, tmp_path, refusal):
    with small_disk(tmp_path / "disk", kilobytes=128) as place:
        write(place, manifest("bert"), tables(rows=2))
        assert "free some space" in refusal(model, "--corpus", text, place=place, late=True)


def test_a_public_corpus_that_is_not_the_published_one_is_refused(model, refusal, tmp_path, monkeypatch):
    """It would be read without a word otherwise: the file is a treebank, only another one."""
    place = tmp_path / "public" / "ud-english-ewt" / "en_ewt-ud-dev.conllu"
    place.parent.mkdir(parents=True)
    shutil.copy(ROOT / "data" / "corpora" / "treebank" / "farm.conllu", place)
    monkeypatch.setenv("FIELDGUIDE_DATA", str(tmp_path / "public"))
    line = refusal(model, "--corpus", "articles", "--corpus", "ud-english-ewt-dev")
    assert f"Expected {place} to have the checksum 531a54ff" in line
    assert line.endswith("; get it again from https://github.com/UniversalDependencies/UD_English-EWT.")
