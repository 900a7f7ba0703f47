"""The files of a model: what stands in them, how exact they are, and which models are refused."""

import json
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModel

from generator.config import read_project
from generator.errors import ModelError
from generator.models.source import locate
from generator.project.extras import make_extras
from generator.results.extras import EXTRAS, all_made_of, made_of
from generator.results.shown import shown
from generator.topics.live.compute import extra, packed
from generator.topics.live.compute.families import FAMILIES
from tests import encoders
from tests.attention.masked_lm import write_masked_lm
from tests.cli.command import fieldguide
from tests.encoders import SENTENCES, loaded, write
from tests.reports import Silence, Telling
from tests.results.samples import contents, put
from tests.test_pipeline import write_project

SMALL = "small-bert"
OTHERS = encoders.FAMILIES.keys() - FAMILIES.keys()
QUIET = Silence()


def inputs(name: str) -> list[tuple[np.ndarray, np.ndarray]]:
    tokenizer = loaded(name).tokenizer
    read = [tokenizer(text, text[::-1]) for text in SENTENCES[:6]]
    return [(np.array(one["input_ids"]), np.array(one["token_type_ids"])) for one in read]


def test_the_printed_bound_is_the_largest_difference_that_transformers_sees() -> None:
    """Two models side by side, one of them rounded, weight by weight."""
    source, some = locate(SMALL), inputs(SMALL)
    about = json.loads(extra.made(source, some)[extra.FILE])
    kinds = {"attn_implementation": "eager", "dtype": torch.float32}
    real, rounded = (AutoModel.from_pretrained(source.folder, **kinds).eval() for _ in range(2))
    rounded.half().float()
    furthest = 0.0
    for ids, segments in some:
        given = {"input_ids": torch.from_numpy(ids)[None], "token_type_ids": torch.from_numpy(segments)[None]}
        with torch.inference_mode():
            one, other = (model(**given, output_attentions=True).attentions for model in (real, rounded))
        for layer in range(len(one)):
            for true, found in zip(one[layer].ravel().tolist(), other[layer].ravel().tolist(), strict=True):
                furthest = max(furthest, abs(true - found))
    assert about["inputs"] == len(some)
    assert 0 < furthest <= about["within"] < furthest + 1.1e-4, "rounded up to four decimals"
    assert about["within"] < extra.BOUND


def test_the_files_hold_every_weight_once_in_half_precision() -> None:
    source = locate(SMALL)
    files = extra.made(source, inputs(SMALL)[:1])
    about = json.loads(files[extra.FILE])
    numbers = np.frombuffer(b"".join(files[one["name"]] for one in about["shards"]), "<f2")
    kept = {name: numbers[start : start + size] for name, start, size in about["places"]}
    assert sum(map(len, kept.values())) == len(numbers) == about["bytes"] / 2
    state = AutoModel.from_pretrained(source.folder).state_dict()
    second = state["encoder.layer.1.intermediate.dense.weight"].half().numpy().ravel()
    assert np.array_equal(kept["1.wide.weight"], second)
    assert about["masked"]
    assert about["licence"] == "MIT"
    assert len(kept["words.bias"]) == len(about["tokenizer"]["vocabulary"]) == 8000


@pytest.mark.parametrize(("numbers", "sizes"), [(3, [6]), (5, [10]), (6, [10, 2]), (11, [10, 10, 2])])
def test_shards_are_no_larger_than_allowed(monkeypatch: pytest.MonkeyPatch, numbers: int, sizes: list[int]) -> None:
    monkeypatch.setattr(packed, "MOST", 10)
    records, files = packed.packed({"a": np.arange(2), "b": np.arange(numbers - 2)})
    assert [record["bytes"] for record in records] == sizes == [len(file) for file in files.values()]
    assert [record["crc32"] for record in records] == [zlib.crc32(file) for file in files.values()]


@pytest.mark.parametrize("family", sorted(OTHERS))
def test_another_family_is_refused_by_name(checkpoint: Callable[[str], Path], family: str) -> None:
    known = "bert, distilbert, electra, mpnet or roberta with gelu"
    told = rf"Expected an encoder of the family {known}, .*, found \S+, one of the family {family}; take `live` away"
    with pytest.raises(ModelError, match=told):
        extra.made(locate(str(checkpoint(family))), [])


@pytest.mark.parametrize(
    ("family", "changes", "told"),
    [
        ("bert", {"hidden_act": "relu"}, "one of the family bert with relu"),
        ("distilbert", {"activation": "relu"}, "one of the family distilbert with relu"),
        ("bert", {"is_decoder": True}, "a decoder of the family bert"),
    ],
)
def test_a_family_that_is_computed_otherwise_is_refused(
    tmp_path: Path, family: str, changes: dict[str, object], told: str
) -> None:
    with pytest.raises(ModelError, match=f"found Odd, {told}; take `live` away"):
        extra.made(locate(str(write(family, tmp_path / "Odd", **changes))), [])


@pytest.mark.parametrize("tied", [True, False])
def test_the_last_matrix_is_stored_only_if_it_is_not_that_of_the_words(tmp_path: Path, tied: bool) -> None:
    folder = write_masked_lm("bert", tmp_path / "one", tie_word_embeddings=tied)
    about = json.loads(extra.made(locate(str(folder)), [])[extra.FILE])
    assert ("words.weight" in {name for name, _, _ in about["places"]}) is not tied


def test_another_tokenizer_is_refused_by_name(tmp_path: Path) -> None:
    folder = write("bert", tmp_path / "Odd-BERT")
    path = folder / "tokenizer.json"
    told = json.loads(path.read_text())
    told["pre_tokenizer"] = {"type": "Whitespace"}
    path.write_text(json.dumps(told))
    with pytest.raises(ModelError, match="found Whitespace as its pre-tokenizer in Odd-BERT; take `live` away"):
        extra.made(locate(str(folder)), [])


def test_attention_beyond_the_bound_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Just on both sides of what half precision does to small-bert."""
    source, some = locate(SMALL), inputs(SMALL)[:2]
    within = extra.furthest(loaded(SMALL), some)
    monkeypatch.setattr(extra, "BOUND", within)
    assert extra.made(source, some)
    monkeypatch.setattr(extra, "BOUND", within * 0.999)
    with pytest.raises(ModelError, match=r"in half precision, found 0\.00"):
        extra.made(source, some)


def project(root: Path, checkpoint: Callable[[str], Path], *families: str, live: str = "live = true\n") -> Path:
    """A guide of these families, analysed and built; returns its settings."""
    settings = write_project(root, [], studies=False)
    text = settings.read_text().replace('also = ["build/results"]\n', "")
    settings.write_text(text + "".join(f'[[model]]\nid = "{checkpoint(family)}"\n{live}' for family in families))
    return settings


def test_what_is_refused_is_told_and_all_else_is_built(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    settings = project(tmp_path, checkpoint, "bert", "albert")
    outcome = fieldguide("build", "--config", settings)
    assert outcome.exit == 0
    assert outcome.err.count("found albert, one of the family albert") == 1
    site = tmp_path / "site"
    assert (site / "models/bert/live/0.bin").is_file()
    assert (site / "models/bert/sentence/index.html").is_file()
    assert (site / "models/albert/index.html").is_file()
    assert not (site / "models/albert/live").exists()
    assert "fg-live" in (site / "models/bert/heads/1-1/index.html").read_text()
    assert "fg-live" not in (site / "models/albert/heads/1-1/index.html").read_text()
    assert fieldguide("export", tmp_path / "exported", "--config", settings).exit == 0
    exported = tmp_path / "exported/docs"
    assert (exported / "models/bert/live/0.bin").read_bytes() == (site / "models/bert/live/0.bin").read_bytes()
    assert (exported / "assets/fieldguide/live-worker.js").is_file()


def test_what_no_build_wrote_stays_beside_files_and_is_named(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    settings = project(tmp_path, checkpoint, "bert")
    folder = tmp_path / EXTRAS
    theirs = {
        "mine/thesis.tex": b"years",
        "mine/notes.json": b'{"of": "", "files": {"../../../site": ""}}',
        "bert/live/notes": b"a",
        "bert/old.json": b"\xff",
    }
    put(folder, theirs)
    assert fieldguide("build", "--config", settings).exit == 0
    (results,) = shown(read_project(settings))
    assert not (tmp_path / "site/models/bert/live/notes").exists()
    assert folder / "bert/live/notes" not in [*all_made_of(results)]
    shutil.copytree(folder / "bert", folder / "unlisted")
    (folder / "bert/live/0.bin").write_bytes(b"damaged")
    said = Telling()
    assert make_extras(read_project(settings), said) == {}
    named = "bert/live/notes, bert/old.json, mine, unlisted"
    assert f"Stays in {folder}, as no build wrote it: {named}." in said.notes
    settings.write_text(settings.read_text().replace("live = true", ""))
    assert make_extras(read_project(settings), QUIET) == {}
    copied = {name.replace("bert", "unlisted"): text for name, text in theirs.items() if name.startswith("bert")}
    assert contents(folder) == theirs | copied


def test_files_are_made_once_and_go_with_the_setting(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    """And the pages of a model without them are those of a guide that never had them, byte for byte."""
    settings = project(tmp_path, checkpoint, "bert", live="")
    site, place = tmp_path / "site", tmp_path / EXTRAS / "bert/live"
    assert fieldguide("build", "--config", settings).exit == 0
    without = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    plain = settings.read_text()
    settings.write_text(plain + "live = true\n")
    assert fieldguide("build", "--config", settings).exit == 0
    (results,) = shown(read_project(settings))
    assert made_of(results, "live") == place
    assert [*all_made_of(results)] == sorted(place.iterdir())
    times = {path: path.stat().st_mtime_ns for path in place.iterdir()}
    assert make_extras(read_project(settings), QUIET) == {}
    assert {path: path.stat().st_mtime_ns for path in place.iterdir()} == times
    (place / "0.bin").write_bytes(b"damaged")
    assert make_extras(read_project(settings), QUIET) == {}
    assert (place / "0.bin").stat().st_size > len(b"damaged")
    other = place.parent.with_name("unlisted") / "live"
    shutil.copytree(place.parent, other.parent)
    settings.write_text(plain)
    assert fieldguide("build", "--config", settings).exit == 0
    assert not place.exists()
    assert not other.exists()
    again = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    other = {path.name for path in without.keys() | again.keys() if without.get(path) != again.get(path)}
    assert other <= {"sitemap.xml.gz", "sitemap.xml"}
