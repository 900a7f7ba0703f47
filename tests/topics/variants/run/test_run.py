"""The command `variants`, from tiny trainings to the page of a model, and what it refuses in one sentence."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

from generator.experiments.code import code_of
from generator.pages.heads.atlas import Atlas
from generator.results.manifest import Manifest
from generator.results.store import find
from generator.results.writing import write
from generator.studies.complete import check_complete
from generator.topics.variants.page.data import there
from generator.topics.variants.page.page import variants_page
from tests.cli.command import Outcome, fieldguide, write_corpus
from tests.pages.contract import check_charts
from tests.results.samples import manifest, tables
from tests.topics.variants.run.trained import train

RUNS = ("bert-0", "all-masks-0", "bert-1", "no-segments-0", "no-next-0")


def run(root: Path, results: Path, *words: object) -> Outcome:
    """The command with runs by their names."""
    places = [root / word if isinstance(word, str) and (root / word).is_dir() else word for word in words]
    read = ("--text", root / "text", "--corpus", root / "trees.conllu", "--inputs", "40", "--results", results)
    return fieldguide("variants", *places, *read)


@pytest.fixture(scope="module")
def results(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gives what the command stored, beside an analysis of the first training."""
    folder = tmp_path_factory.mktemp("results")
    model = shutil.copytree(root / "bert-0" / "checkpoints" / "step-0000010", folder / "models" / "bert-0")
    text = write_corpus(folder / "twelve.txt", 12)
    ended = fieldguide("analyze", model, "--corpus", text, "--no-studies", "--results", folder / "results")
    assert ended.exit == 0, ended.err
    code, said, error = run(root, folder / "results", *RUNS)
    assert (code, said.strip()) == (0, str(folder / "results" / "bert-0@variants")), error
    return folder / "results"


def test_manifest_says_what_sets_variants_apart_and_how_to_do_it_again(results: Path) -> None:
    manifest = Manifest.read(results / "bert-0@variants")
    told = {one["name"]: one for one in manifest.settings["variants"]}
    assert {name: [training["name"] for training in one["trainings"]] for name, one in told.items()} == {
        "bert": ["bert-0", "bert-1"],
        "all-masks": ["all-masks-0"],
        "no-segments": ["no-segments-0"],
        "no-next": ["no-next-0"],
    }
    assert told["all-masks"]["settings"] == {
        "next_sentence": True,
        "segments": True,
        "to_mask": 1.0,
        "to_random": 0.0,
    }
    assert told["bert"]["settings"] == told["all-masks"]["settings"] | {"to_mask": 0.8, "to_random": 0.1}
    assert told["bert"]["trainings"][0]["weights"] == manifest.weights_sha256
    assert manifest.studies == {"variants": code_of("variants")}
    assert manifest.command == (
        "fieldguide variants bert-0 all-masks-0 bert-1 no-segments-0 no-next-0 --text text --inputs 40 "
        "--corpus trees.conllu --max-tokens 32 --seed 0"
    )


def test_no_text_is_stored(results: Path) -> None:
    folder = results / "bert-0@variants"
    assert {path.name for path in folder.iterdir()} == {"facts.parquet", "manifest.json"}
    facts = pd.read_parquet(folder / "facts.parquet")
    assert {*facts["corpus"]} == {"held-out", "trees.conllu"}
    assert {*facts.select_dtypes(exclude="number")} == {"model", "corpus", "study", "name"}


def test_next_sentences_are_told_of_trainings_that_learned_them(results: Path) -> None:
    names = {*pd.read_parquet(results / "bert-0@variants" / "facts.parquet")["name"]}
    assert {"next.1", "next.1.1", "next.1.2", "next.3", "follows.3.minus", "next.3.counts", "masked.4"} <= names
    assert not [name for name in names if name.startswith(("next.4", "follows.4"))]


def test_page_of_the_model_tells_of_them(results: Path) -> None:
    (found,) = find([results])
    check_complete(found)
    atlas = Atlas(found)
    assert there(atlas)
    page = variants_page(atlas)
    check_charts(page)
    assert page.lead.startswith("Four objectives, with one to two trainings of each, read the same held-out text. In")
    assert [section.id for section in page.sections] == ["", "numbers", "again"]


def test_same_command_gives_the_same_bytes_in_another_order_of_seeds(root: Path, results: Path, tmp_path: Path) -> None:
    """And on the pages of another model."""
    code, said, error = run(root, tmp_path, "bert-0", "all-masks-0", "bert-1", "--of", str(root / "no-next-0"))
    assert code, "a run is no model"
    of = root / "no-next-0" / "checkpoints" / "step-0000010"
    code, said, error = run(root, tmp_path, "bert-0", "all-masks-0", "bert-1", "--of", str(of))
    assert (code, said.strip()) == (0, str(tmp_path / f"{of.name}@variants")), error
    ours, before = (
        pd.read_parquet(place / "facts.parquet").set_index("name")["value"]
        for place in (tmp_path / f"{of.name}@variants", results / "bert-0@variants")
    )
    same = [name for name in ours.index if name.partition(".")[2].startswith(("1", "2"))]
    assert len(same) > 50
    assert ours[same].tolist() == before[same].tolist()


@pytest.fixture(scope="module")
def others(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gives a folder with runs that cannot be compared with the first."""
    place = tmp_path_factory.mktemp("others")
    for name, changes in {
        "longer": {"steps": 12, "first_checkpoint": 12},
        "wider": {"hidden": 32},
        "larger": {"vocabulary": 61},
    }.items():
        train(place, name, 0, root / "text", **changes)
    for name in ("half-done", "other-text", "other-settings"):
        shutil.copytree(root / "bert-1", place / name)
        told = json.loads((place / name / "run.json").read_text())
        told["settings"] |= {"half-done": {"steps": 99}, "other-settings": {"speed": 3}}.get(name, {})
        told["text"] |= {"train": "another"} if name == "other-text" else {}
        (place / name / "run.json").write_text(json.dumps(told))
    return place


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("bert-0",), "Expected 2 trainings or more, found bert-0"),
        (("bert-0", "bert-0"), "found the same weights in bert-0 and bert-0"),
        (("bert-0", "bert-1"), "found that bert-0, bert-1 differ only in their seed; compare these with `fieldguide"),
        (("bert-0", "longer-0"), "Expected the steps of bert-0 in longer-0, steps 10, found steps 12; compare runs"),
        (("bert-0", "wider-0"), "Expected the shape of bert-0 in wider-0, layers 2, heads 2, hidden 16,"),
        (("bert-0", "larger-0"), "Expected the vocabulary of bert-0 in larger-0, vocabulary 60, found vocabulary 61"),
        (("bert-0", "other-text"), "Expected other-text to be trained on the text of bert-0, found another in"),
        (("bert-0", "half-done"), "found step 10 of 99; give the command of its training again"),
        (("bert-0", "other-settings"), "run.json, found others (speed); train it with this version."),
        (("bert-0", "bert-1/checkpoints/step-0000010"), "Expected the folder of a run of `fieldguide pretrain` at"),
        (("bert-0", "nowhere/at/all"), "Expected a folder with a model at 'nowhere/at/all', found none"),
        (("bert-0", "all-masks-0", "--revision", "main"), "--of"),
        (
            ("bert-0", "all-masks-0", "--corpus", "articles"),
            "classes from, found articles, trees.conllu; name",
        ),
        (("bert-0", "all-masks-0", "--corpus", "treebank"), "Expected one treebank to read word classes from, found"),
        (("bert-0", "all-masks-0", "--inputs", "1"), "Expected held-out text for two halves of inputs, found 1"),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_sentence(
    root: Path, others: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    places = [next((one for place in (others, root) if (one := place / word).is_dir()), word) for word in words]
    read = ["--text", root / "text", "--corpus", root / "trees.conllu", "--results", tmp_path / "results"]
    code, _, error = fieldguide("variants", *places, *read)
    assert code
    assert said in error
    assert not [*(tmp_path / "results").glob("*@*")]


def test_text_that_was_trained_on_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "text").mkdir()
    shutil.copy(root / "text" / "train.jsonl.gz", tmp_path / "text" / "valid.jsonl.gz")
    runs = root / "bert-0", root / "all-masks-0"
    read = ("--text", tmp_path / "text", "--corpus", root / "trees.conllu", "--results", tmp_path / "results")
    code, _, error = fieldguide("variants", *runs, *read)
    assert code
    assert "Expected text that no training has read in" in error


def test_results_of_a_model_of_the_same_name_are_not_replaced(root: Path, tmp_path: Path) -> None:
    folder = write(tmp_path, manifest("bert-0", model="bert-0"), tables())
    code, _, error = run(root, tmp_path, "bert-0", "all-masks-0")
    assert code
    assert f"Expected no results of another model called bert-0 in {folder}, found those of other weights" in error
    assert [path.name for path in tmp_path.glob("bert-0*")] == ["bert-0"]


def test_a_treebank_with_too_few_sentences_is_refused(root: Path, tmp_path: Path) -> None:
    lines = (root / "trees.conllu").read_text(encoding="utf-8").split("\n\n")
    (tmp_path / "few.conllu").write_text("\n\n".join(lines[:6]) + "\n\n", encoding="utf-8")
    runs = root / "bert-0", root / "all-masks-0"
    read = ("--text", root / "text", "--corpus", tmp_path / "few.conllu", "--results", tmp_path / "results")
    code, _, error = fieldguide("variants", *runs, *read, "--inputs", "20")
    assert code
    assert "Expected 5 sentences of few.conllu or more to learn word classes from" in error
