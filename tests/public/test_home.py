"""The names work beside a file of the user's that is called `generator`, and take what a notebook holds in memory."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import generator
from generator.attention.saved import read_maps
from generator.charts.static.arcs import FAINT
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


class Cache:
    """As much of the `ActivationCache` of TransformerLens 3.9 and 4.3 as is used: it is no `dict`, and holds more."""

    def __init__(self, held: dict[str, torch.Tensor]) -> None:
        self.held = {"hook_embed": torch.zeros(1, 5, 8)} | held

    def keys(self):
        return self.held.keys()

    def __getitem__(self, name: str) -> torch.Tensor:
        return self.held[name]


def of_layers(maps: torch.Tensor, *layers: int) -> Cache:
    """A cache whose layers have these maps, beside scores and gradients."""
    kinds = ("hook_attn_scores", "hook_pattern", "hook_pattern_grad")
    return Cache({f"blocks.{at}.attn.{kind}": maps if kind == kinds[1] else -maps for at in layers for kind in kinds})


@pytest.mark.parametrize("precision", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("batch", [True, False])
def test_a_cache_has_its_maps_with_and_without_a_batch_in_any_precision(
    tmp_path: Path, precision: torch.dtype, batch: bool
) -> None:
    drawn = torch.softmax(torch.randn(1, 2, 5, 5, generator=torch.Generator().manual_seed(0)), -1).to(precision)
    tokens = ["[CLS]", "the", "owl", "sleeps", "[SEP]"]
    cache = of_layers(drawn if batch else drawn[0], *range(12))
    found = read_maps(generator.save_maps(tmp_path / "maps", cache, [tokens]))
    assert found.shape == (12, 2)
    np.testing.assert_allclose(found.weights["0001"][11], drawn[0].float(), atol=1e-2)
    weights = drawn[0, 1].float() * (1 - torch.eye(5))
    assert generator.arcs(cache, "1-2", tokens=tokens).svg.count("<path d=") == int((weights >= FAINT).sum())


def test_a_cache_of_some_layers_or_queries_is_refused(tmp_path: Path) -> None:
    drawn = torch.softmax(torch.randn(1, 2, 5, 5, generator=torch.Generator().manual_seed(0)), -1)
    tokens = ["[CLS]", "the", "owl", "sleeps", "[SEP]"]
    generator.arcs(of_layers(drawn, 0, 1), "2-1", tokens=tokens)  # as after `stop_at_layer`
    for cache, said in (
        (of_layers(drawn, 3), r"found no blocks\.0\.attn\.hook_pattern; keep"),
        (of_layers(drawn, 0, 2), r"found no blocks\.1\.attn\.hook_pattern; keep"),
        (of_layers(drawn[:, :, :2], 0), r"up to 5 tokens, found \(1, 2, 2, 5\)"),
        (of_layers(drawn[0, :, -1:], 0), r"up to 5 tokens, found \(1, 2, 1, 5\)"),
        (of_layers(drawn[:, :, -1], 0), r"up to 5 tokens, found \(1, 1, 2, 5\)"),
    ):
        with pytest.raises(CorpusError, match=said):
            generator.arcs(cache, "1-1", tokens=tokens)
        with pytest.raises(CorpusError, match=said):
            generator.save_maps(tmp_path / "maps", cache, [tokens])


def test_arcs_leave_padding_out_and_refuse_fewer_tokens_than_are_attended_to() -> None:
    drawn = torch.softmax(torch.randn(1, 2, 5, 5, generator=torch.Generator().manual_seed(0)), -1)
    padded = drawn.clone()
    padded[..., 3:] = 0
    padded /= padded.sum(-1, keepdim=True)
    tokens = ["[CLS]", "owl", "[SEP]"]
    shown = generator.arcs(of_layers(padded, 0), "1-2", tokens=tokens)
    assert shown.svg == generator.arcs((padded[..., :3, :3],), "1-2", tokens=tokens).svg
    with pytest.raises(CorpusError, match=r"Expected 3 tokens .*, found that they attend to 2 more after them"):
        generator.arcs((drawn,), "1-2", tokens=tokens)
    with pytest.raises(CorpusError, match=r"found \(1, 2, 5, 5\); give .*, and the tokens"):
        generator.arcs((drawn,), "1-2")


def test_a_model_in_memory_needs_a_tokenizer_and_a_name() -> None:
    with pytest.raises(ModelError, match="found Linear with no tokenizer and a name; give what is missing"):
        generator.analyze(torch.nn.Linear(1, 1), name="mine")


def test_results_say_in_a_line_what_they_are(plain: Path) -> None:
    assert repr(Results.open(plain)).startswith("<Results of Tiny-BERT: 3 layers of 4 heads on ")
    assert "\n" not in repr(Results.open(plain))
