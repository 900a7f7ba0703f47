"""The names work beside a file of the user's that is called `generator`, and take what a notebook holds in memory."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import generator
from generator.attention.saved import read_maps
from generator.errors import CorpusError, ModelError
from generator.results.store import Results
from tests.cli.command import ROOT


def test_a_file_of_the_same_name_does_not_shadow_the_program(tmp_path: Path) -> None:
    (tmp_path / "generator.py").write_text("raise SystemExit('shadowed')\n")
    told = "import fieldguide; print(fieldguide.__version__, sorted(dir(fieldguide)) == sorted(fieldguide.__dir__()))"
    for words, said in (
        (["-c", told], f"{generator.__version__} True"),
        (["-m", "fieldguide", "--version"], "fieldguide"),
    ):
        here = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
        done = subprocess.run(
            [sys.executable, *words], cwd=tmp_path, env=here, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout.startswith(said)) == (0, True), done.stderr


def test_attentions_of_a_padded_batch_become_the_maps_of_its_documents(tmp_path: Path) -> None:
    drawn = torch.softmax(torch.randn(2, 3, 4, 4, generator=torch.Generator().manual_seed(0)), -1)
    first = drawn[:1].expand(2, -1, -1, -1).clone()
    first[1, :, :, 2:] = 0
    first /= first.sum(-1, keepdim=True)
    tokens = [["[CLS]", "owl", "s", "[SEP]"], ["[CLS]", "[SEP]"]]
    path = generator.save_maps(tmp_path / "maps", (first, first), tokens)
    found = read_maps(path)
    assert (path.name, found.shape) == ("maps.npz", (2, 3))
    for name, at, length in (("0001", 0, 4), ("0002", 1, 2)):
        np.testing.assert_allclose(found.weights[name][1], first[at, :, :length, :length], atol=1e-6)
    # as TransformerLens keeps them, beside much else and with two digits; of one document also without the first axis
    cache = {f"blocks.{at}.hook_mlp_out": None for at in range(12)}
    cache |= {f"blocks.{at}.attn.hook_pattern": first if at == 10 else drawn for at in reversed(range(12))}
    found = read_maps(generator.save_maps(tmp_path / "cache", cache, [tokens[0], tokens[0]]))
    assert found.shape == (12, 3)
    np.testing.assert_allclose(found.weights["0001"][[2, 10]], [drawn[0], first[0]], atol=1e-6)
    alone = {"blocks.0.attn.hook_pattern": drawn[1]}
    found = read_maps(generator.save_maps(tmp_path / "alone", alone, tokens[:1]))
    np.testing.assert_allclose(found.weights["0001"][0], drawn[1], atol=1e-6)
    for wrong in ((first, first[:, :2]), (), (first[:1],), {"hook_embed": first}):
        with pytest.raises(CorpusError, match=r"Expected a layer's weights as \[document, head, query, key\] of 2 doc"):
            generator.save_maps(tmp_path / "wrong", wrong, tokens)


def test_a_model_in_memory_needs_a_tokenizer_and_a_name() -> None:
    with pytest.raises(ModelError, match="found Linear with no tokenizer and a name; give what is missing"):
        generator.analyze(torch.nn.Linear(1, 1), name="mine")


def test_results_say_in_a_line_what_they_are(plain: Path) -> None:
    assert repr(Results.open(plain)).startswith("<Results of Tiny-BERT: 3 layers of 4 heads on ")
    assert "\n" not in repr(Results.open(plain))
