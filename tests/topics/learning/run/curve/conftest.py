"""A pre-training run of seconds with a curve of its checkpoints."""

import json
import shutil
from pathlib import Path

import pytest

from generator.corpora.catalogue import TREEBANK
from tests.cli.command import fieldguide, write_corpus
from tests.results.altered import renamed
from tests.topics.learning.run.pretrain.novels import TINY, write

SETTINGS = TINY | {
    "steps": 32,
    "checkpoints": 3,
    "first_checkpoint": 4,
    "max_tokens": 64,
    "batch": 6,
    "initial_spread": 0.2,
    "seed": 7,
    "save_seconds": 1e9,
}

SEED = 0
"""Given with the command; the settings have another."""


def settings(path, **changes):
    lines = (f"{key} = {json.dumps(value)}" for key, value in (SETTINGS | changes).items())
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def curve(root):
    """Train in a folder, analysing checkpoints as they are made, train without next sentences, and make the curve."""
    write(root / "text")
    write_corpus(root / "twelve.txt", 12)
    trees = "".join(path.read_text(encoding="utf-8") for path in TREEBANK.files[:2]).split("\n\n")
    (root / "trees.conllu").write_text("\n\n".join(["# language = en", *trees[:20]]) + "\n", encoding="utf-8")
    corpora = ("--corpus", root / "twelve.txt", "--corpus", root / "trees.conllu")
    for name, follows in (("run", True), ("without", False)):
        config = settings(root / f"{name}.toml", next_sentence=follows)
        words = ("--config", config, "--texts", root / "text", "--out", root / name, "--seed", SEED)
        code, _, heard = fieldguide("pretrain", *words, *(corpora if follows else ["--no-analyse"]))
        assert code == 0, heard
    results = root / "results"
    renamed(Path(shutil.copytree(root / "run" / "results" / "step-000000032", results / "small")), "small")
    read = (*corpora, "--name", "small", "--results", results)
    code, said, heard = fieldguide("curve", root / "run", *read, "--without", root / "without")
    assert (code, said.strip()) == (0, str(results / "small@curve")), heard


@pytest.fixture(scope="package")
def place(tmp_path_factory):
    """A folder with the run and its curve."""
    root = tmp_path_factory.mktemp("curve")
    curve(root)
    return root
