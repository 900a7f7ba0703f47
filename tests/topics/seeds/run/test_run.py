"""The command `seeds`, from tiny trainings to the page of a model; what it refuses, and that nothing is left of it."""

import json
from pathlib import Path

import pandas as pd
import pytest
import torch
from safetensors.torch import load_file, save_file

from generator.experiments.code import code_of
from generator.models.source import locate
from generator.pages.heads.atlas import Atlas
from generator.results.manifest import Manifest
from generator.results.store import find
from generator.topics.seeds.page.page import seeds_page, there
from tests.cli.command import Outcome, fieldguide, write_corpus
from tests.encoders import write
from tests.pages.contract import check_charts

TREES = """# sent_id = {0}
1\tThe\tthe\tDET\t_\t_\t3\tdet\t_\t_
2\told\told\tADJ\t_\t_\t3\tamod\t_\t_
3\tkeeper\tkeeper\tNOUN\t_\t_\t4\tnsubj\t_\t_
4\tlit\tlight\tVERB\t_\t_\t0\troot\t_\t_
5\tthe\tthe\tDET\t_\t_\t6\tdet\t_\t_
6\tlamp\tlamp\tNOUN\t_\t_\t4\tobj\t_\t_
"""


def finish(place: Path, name: str, seed: int, **changes: object) -> None:
    """The folder of a run as `pretrain` leaves it, with two models."""
    settings = {"seed": seed, "steps": 9, "rate": 0.1} | changes
    for step in (0, 9):
        draw_again(write("bert", place / name / "checkpoints" / f"step-{step}"), 10 * seed + step)
    (place / name / "run.json").write_text(json.dumps({"settings": settings, "text": {"train": "a"}}))
    lines = [{"kind": "held-out", "step": 0, "hidden_tokens": 7}, {"kind": "evaluation", "step": 9, "masked_loss": 2.5}]
    (place / name / "log.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def encoders(root: Path) -> None:
    """Put three encoders of one shape and tokenizer into a folder, one of another shape, a text and a treebank."""
    for seed in range(3):
        draw_again(write("bert", root / f"seed-{seed}"), seed)
    finish(root, "run-1", 1)
    finish(root, "run-2", 2)
    finish(root, "other-rate", 3, rate=0.2)
    finish(root, "half-done", 4, steps=12)
    write("bert", root / "deeper", num_hidden_layers=4)
    write("roberta", root / "other")
    write_corpus(root / "twelve.txt", 12)
    (root / "trees.conllu").write_text("\n".join(TREES.format(number) for number in range(120)), encoding="utf-8")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gives the folder with these."""
    root = tmp_path_factory.mktemp("seeds")
    encoders(root)
    return root


def draw_again(model: Path, seed: int) -> None:
    """Give a model other weights."""
    file, drawn = model / "model.safetensors", torch.Generator().manual_seed(seed)
    weights = {name: torch.randn(one.shape, generator=drawn) * 0.25 for name, one in load_file(file).items()}
    save_file(weights, file, metadata={"format": "pt"})


def run(place: Path, results: Path, *words: str) -> Outcome:
    """The command on trainings by their names."""
    corpora = ("--corpus", place / "twelve.txt", "--corpus", place / "trees.conllu")
    trainings = [place / word if (place / word).exists() else word for word in words]
    return fieldguide("seeds", *trainings, *corpora, "--results", results)


def trainings(root: Path) -> None:
    """Put the encoders into a folder, and what the command makes of three of them."""
    encoders(root)
    code, said, _ = run(root, root / "results", "seed-0", "seed-1", "seed-2")
    assert (code, said.strip()) == (0, str(root / "results" / "seed-0@seeds"))


@pytest.fixture(scope="module")
def results(place: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gives what the command stored, beside an analysis of the first training."""
    folder = tmp_path_factory.mktemp("results")
    ended = fieldguide(
        "analyze", place / "seed-0", "--corpus", place / "twelve.txt", "--no-studies", "--results", folder
    )
    assert ended.exit == 0
    code, said, _ = run(place, folder, "seed-0", "seed-1", "seed-2")
    assert (code, said.strip()) == (0, str(folder / "seed-0@seeds"))
    return folder


def test_manifest_says_what_was_set_beside_what_and_how_to_do_it_again(results: Path) -> None:
    manifest = Manifest.read(results / "seed-0@seeds")
    assert [one["name"] for one in manifest.settings["trainings"]] == ["seed-0", "seed-1", "seed-2"]
    assert manifest.settings["trainings"][0]["weights"] == manifest.weights_sha256
    assert manifest.studies == {"seeds": code_of("seeds")}
    assert manifest.command == (
        "fieldguide seeds seed-0 seed-1 seed-2 --corpus twelve.txt --corpus trees.conllu --max-tokens 128 --seed 0"
    )


def test_page_of_the_model_tells_of_them(results: Path) -> None:
    (found,) = find([results])
    atlas = Atlas(found)
    assert there(atlas)
    page = seeds_page(atlas)
    check_charts(page)
    assert page.lead.startswith("Three models were given as trainings of one recipe.")
    assert [section.id for section in page.sections] == ["", "relations-1", "layers", "measures", "again"]


def test_trainings_may_stand_on_the_pages_of_another_model(place: Path, tmp_path: Path) -> None:
    """These are runs: of each the last model is read, and its log."""
    code, said, _ = run(place, tmp_path, "run-1", "run-2", "--of", str(place / "seed-0"))
    assert (code, said.strip()) == (0, str(tmp_path / "seed-0@seeds"))
    manifest = Manifest.read(tmp_path / "seed-0@seeds")
    assert [(one["name"], one["seed"]) for one in manifest.settings["trainings"]] == [("run-1", 1), ("run-2", 2)]
    last = locate(str(place / "run-2" / "checkpoints" / "step-9"))
    assert manifest.settings["trainings"][1]["weights"] == last.sha256
    facts = pd.read_parquet(tmp_path / "seed-0@seeds" / "facts.parquet").set_index("name")
    assert facts.loc["loss.2.9", ["value", "n"]].tolist() == [2.5, 7]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("seed-0",), "Expected 2 trainings or more, found seed-0"),
        (("seed-0", "seed-1", "seed-0"), "found the same weights in seed-0 and seed-0"),
        (("run-1", "run-2", "other-rate"), "Expected other-rate to be trained as run-1 but for its seed"),
        (("run-1", "half-done"), "found step 9 of 12; give the command of its training again"),
        (("seed-0", "seed-1", "--revision", "main"), "--of"),
        (("seed-0", "deeper"), "Expected 3 layers of 4 heads in deeper as in seed-0, found 4 of 4"),
        (("seed-0", "other"), "Expected other to have the vocabulary of seed-0"),
        (("seed-0", "seed-1", "--of", "deeper"), "Expected 3 layers of 4 heads in deeper as in seed-0, found 4 of 4"),
        (("seed-0", "nowhere/at/all"), "Expected a folder with a model at 'nowhere/at/all', found none"),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_sentence(
    place: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    code, _, error = run(place, tmp_path / "results", *words)
    assert code
    assert said in error
    assert not list((tmp_path / "results").glob("*@*"))


def test_one_text_is_needed_that_has_two_halves(place: Path, tmp_path: Path) -> None:
    trainings = place / "seed-0", place / "seed-1"
    code, _, error = fieldguide("seeds", *trainings, "--corpus", place / "trees.conllu", "--results", tmp_path)
    assert code
    assert "Expected one running text for trainings to read, found none" in error
    short = write_corpus(tmp_path / "short.txt", 1)
    code, _, error = fieldguide("seeds", *trainings, "--corpus", short, "--results", tmp_path)
    assert code
    assert "Expected documents for two halves in short.txt, found 1" in error
