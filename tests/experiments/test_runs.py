"""The commands of experiments, from tiny models and made-up tasks to results that join the model's own."""

import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from generator.claims.evidence.evidence import Evidence
from generator.corpora.catalogue import TREEBANK
from generator.corpora.kinds import TASK
from generator.corpora.tasks import find_task, read_task
from generator.experiments.code import code_of
from generator.measures import COLUMNS
from generator.results.manifest import Manifest
from generator.results.store import find
from generator.results.tables import TABLES
from generator.topics.compare.records.comparison import COMPARISON
from generator.topics.frames.records import FEATURES
from tests.cli.command import fieldguide, write_corpus
from tests.encoders import HEADS, LAYERS
from tests.experiments.reviews import encoder, write_tasks
from tests.topics.tasks.run.finetune.answers import accuracy, stored

RTE = ("--task", "rte", "--data")


def experiments(root):
    """Put an encoder, tasks and a text into a folder, and what three commands and an analysis make of them."""
    write_tasks(root / "data")
    encoder(root)
    write_corpus(root / "twelve.txt", 12)
    model, data, out, results = root / "bert", root / "data", root / "tuned", root / "results"
    common = (*RTE, data, "--results", results)
    assert fieldguide("analyze", model, "--corpus", root / "twelve.txt", "--no-studies", "--results", results)[0] == 0
    for start in ("pretrained", "random"):
        code, said, _ = fieldguide(
            "finetune", model, *common, "--out", out, "--epochs", "1", "--seeds", "1", "--from", start
        )
        assert (code, said.strip()) == (0, str(results / "bert@finetune.rte"))
    code, said, _ = fieldguide("disable", model, *common, "--out", out)
    assert (code, said.strip()) == (0, str(results / "bert@disable.rte"))
    tuned = out / "bert" / "rte" / "pretrained" / "seed-0"
    code, said, _ = fieldguide("compare", model, tuned, "--name", "Tuned", *common, "--corpus", root / "twelve.txt")
    assert (code, said.strip()) == (0, str(results / "bert@compare.tuned.twelve.txt.rte"))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with what the commands left."""
    root = tmp_path_factory.mktemp("place")
    experiments(root)
    return root


@pytest.fixture(scope="module")
def results(place):
    """The model with all that joined it."""
    (found,) = find([place / "results"])
    return found


def test_every_experiment_joins_the_model(place, results):
    assert [one.folder.name for one in results.more] == [
        "bert@compare.tuned.twelve.txt.rte",
        "bert@disable.rte",
        "bert@finetune.rte",
    ]
    assert list(results.manifest.of(TASK)) == ["rte"]
    own = Manifest.read(place / "results" / "bert")
    assert results.manifest.counts == own.counts
    for one in results.more:
        assert (one.manifest.weights_sha256, one.manifest.layers, one.manifest.heads) == (
            own.weights_sha256,
            LAYERS,
            HEADS,
        )


def test_a_manifest_says_what_makes_the_numbers_again(place, results):
    compared, disabled, tuned = (one.manifest for one in results.more)
    assert tuned.command.splitlines() == [
        f"fieldguide finetune {place / 'bert'} --task rte --data DIR --from {start} --epochs 1 --seeds 1 "
        "--precision float32"
        for start in ("pretrained", "random")
    ]
    assert disabled.command == f"fieldguide disable {place / 'bert'} --task rte --data DIR --max-tokens 128 --seed 0"
    assert compared.command == (
        f"fieldguide compare {place / 'bert'} seed-0 --name Tuned --corpus twelve.txt --task rte --data DIR "
        "--max-tokens 128 --seed 0"
    )
    kinds = {"compare": compared, "disable": disabled, "finetune": tuned}
    assert all(one.studies == {kind: code_of(kind)} for kind, one in kinds.items())
    assert set(tuned.settings) == {"pretrained", "random"}
    assert compared.settings["beside"] == "Tuned"


def test_claims_read_what_the_experiments_found(results):
    evidence = Evidence(results)
    assert evidence.tasks == ("rte",)
    for name in ("majority", "pretrained.fine-tuned", "random.fine-tuned"):
        score = evidence.fact("scores", f"accuracy.{name}", "rte")
        assert 0 <= score.low <= score.value <= score.high <= 1
    assert evidence.known_fact("scores", "accuracy.pretrained.frozen", "rte") is None
    assert evidence.head_facts("disabling", "uniform", "rte").value.shape == (LAYERS, HEADS)
    assert evidence.fact("pruning", "removable", "rte").value <= 1
    (study,) = evidence.of_kind(COMPARISON, "rte")
    assert study == "compare:tuned"
    assert evidence.of_kind(COMPARISON, "twelve.txt") == evidence.of_kind(COMPARISON) == (study,)
    assert evidence.of_kind(COMPARISON, "nothing") == ()
    assert (evidence.head_facts(study, "cosine", "rte").value <= 1).all()
    assert evidence.fact(study, "copy", "rte").value == 1


def test_whether_a_task_was_learned_is_stored_with_every_experiment_on_it(place, results):
    """The scores of one checkpoint are the same in all three, each with the majority class and the lead over it."""
    evidence = Evidence(results)
    (study,) = evidence.of_kind(COMPARISON, "rte")
    gold = read_task(find_task("rte"), place / "data", "dev")
    right = accuracy(
        stored(place / "tuned" / "bert" / "rte", "pretrained", 0), [example.label for example in gold.examples]
    )
    for of, name in (("scores", "accuracy.pretrained.fine-tuned"), ("disabling", "base"), (study, "score")):
        score, lead = (evidence.fact(of, each, "rte") for each in (name, f"{name}.lead"))
        majority = evidence.fact(of, "accuracy.majority" if of == "scores" else f"{name}.majority", "rte")
        assert score.value == pytest.approx(right)
        assert lead.value == pytest.approx(score.value - majority.value)
        assert {score.n, majority.n, lead.n} == {len(gold.examples)}


def test_scores_are_made_again_from_runs_that_are_there(place, tmp_path):
    """A command that asks for fewer seeds than are finished trains nothing and says how many each training has."""
    shutil.copytree(place / "tuned", tmp_path / "tuned")
    runs = tmp_path / "tuned" / "bert" / "rte"
    shutil.copytree(runs / "pretrained" / "seed-0", runs / "pretrained" / "seed-1")
    shutil.rmtree(runs / "random" / "seed-0")
    before = {path: path.stat().st_mtime_ns for path in runs.rglob("*") if path.is_file()}
    common = (*RTE, place / "data", "--results", tmp_path / "results", "--out", tmp_path / "tuned")
    assert fieldguide("finetune", place / "bert", *common, "--epochs", "1", "--seeds", "1")[0] == 0
    assert {path: path.stat().st_mtime_ns for path in runs.rglob("*") if path.is_file()} == before
    manifest = Manifest.read(tmp_path / "results" / "bert@finetune.rte")
    assert set(manifest.settings) == {"pretrained"}
    assert "--seeds 2 " in manifest.command


def test_tables_have_the_columns_of_the_store(results):
    for one in results.more:
        for name in ("facts", "head_facts"):
            table = one.table(name)
            assert list(table.columns) == TABLES[name].names
            assert not table.duplicated(
                ["corpus", "study", "name", "layer", *(["head"] if "head" in table else [])]
            ).any()


@pytest.fixture(scope="module")
def itself(place, tmp_path_factory):
    """A model beside its own copy, on a text and on a few trees."""
    root = tmp_path_factory.mktemp("itself")
    shutil.copytree(place / "bert", root / "again")
    trees = root / "trees.conllu"
    sentences = Path(TREEBANK.paths[0]).read_text("utf-8").strip().split("\n\n")[:12]
    trees.write_text("# language = en\n" + "\n\n".join(sentences) + "\n\n", encoding="utf-8")
    options = ("--corpus", place / "twelve.txt", "--corpus", trees, "--results", root / "results")
    assert fieldguide("compare", place / "bert", root / "again", *options)[0] == 0
    folder = root / "results" / "bert@compare.again.twelve.txt.trees.conllu"
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    read = [(one["name"], one["kind"], one["language"]) for one in manifest["corpora"]]
    assert read == [("twelve.txt", "text", ""), ("trees.conllu", "treebank", "en")]
    return folder


def test_a_model_beside_itself_shows_no_change(itself):
    heads = pd.read_parquet(itself / "head_facts.parquet").set_index("name")
    assert np.allclose(heads.loc["cosine", "value"], 1, atol=1e-6)
    changed = heads[heads.index.isin(COLUMNS) | heads.index.str.startswith("relation.")]
    changes = changed["value"].to_numpy()
    assert len(changes) > LAYERS * HEADS * 20
    assert np.abs(changes[~np.isnan(changes)]).max() < 1e-6
    features = heads[heads.index.str.partition(".").get_level_values(0).isin(FEATURES)]
    assert len(features) > LAYERS * HEADS * 10
    assert np.abs(features["value"].to_numpy()).max() < 1e-6


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("finetune", "bert", "--task", "nothing", "--data", "data"), "Expected a labelled task, found 'nothing'"),
        (("finetune", "bert", "--task", "rte", "--data", "nowhere"), "the train split of rte in nowhere/RTE/train.tsv"),
        (("disable", "bert", "--task", "rte", "--data", "data"), "a model with a classification head"),
        (("disable", "bert", "--corpus", "twelve.txt"), "found none; name a task with --task"),
        (("compare", "bert", "nowhere/at/all"), "Expected a folder with a model at 'nowhere/at/all'"),
        (("compare", "bert", "other", "--corpus", "twelve.txt"), "for both must read the same token ids"),
    ],
)
def test_bad_input_is_told_in_one_sentence_and_leaves_nothing(place, monkeypatch, tmp_path, words, said):
    monkeypatch.chdir(place)
    if not (place / "other").exists():
        encoder(place, family="roberta")
        (place / "roberta").rename(place / "other")
    code, _, errors = fieldguide(*words, "--results", tmp_path / "results")
    assert code == 1
    assert said in errors
    assert errors.startswith("Error: Expected")
    assert errors.count("\n") == 1
    assert not list((tmp_path / "results").glob("*/manifest.json"))
