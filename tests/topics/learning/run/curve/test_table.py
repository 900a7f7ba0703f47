"""A pre-training run of seconds, from `pretrain` to `curve`: every number of the curve against the checkpoints' own."""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from safetensors.numpy import load_file
from transformers import AutoTokenizer

from generator.claims.evidence.evidence import Evidence
from generator.claims.ledger import judge_all
from generator.results.store import Results, find
from generator.studies.halves import reported
from generator.topics.learning.compute.easier import easier_when_frequent
from generator.topics.learning.run.pretrain.data.text import read_split
from generator.topics.learning.run.pretrain.state import read_counts, read_log, read_run
from tests.cli.command import fieldguide
from tests.experiments.reviews import write_tasks
from tests.topics.learning.run.curve.conftest import SEED

STEPS = [0, 4, 32]
ORDER = ["step", "layer", "head"]


@pytest.fixture(scope="module")
def points(place):
    """The results of every checkpoint."""
    return {int(path.name[5:]): Results.open(path) for path in sorted((place / "run" / "results").iterdir())}


@pytest.fixture(scope="module")
def model(place):
    """The last checkpoint's model, joined by its curve."""
    (found,) = find([place / "results"])
    return found


def _layer(results, layer):
    return results.documents[results.documents["layer"] == layer]


def rows(model, table, study, name):
    found = model.table(table)
    return found[(found["study"] == study) & (found["name"] == name)]


def test_every_checkpoint_was_analysed_as_it_was_made(place, points):
    assert list(points) == STEPS
    made = [path.stat().st_mtime_ns for path in sorted((place / "run" / "results").iterdir())]
    kept = [path.stat().st_mtime_ns for path in sorted((place / "run" / "checkpoints").iterdir())]
    assert all(kept[at + 1] > made[at] > kept[at] for at in range(len(STEPS) - 1))


def test_the_seed_of_the_command_is_that_of_the_run(place):
    assert read_run(place / "run")["settings"]["seed"] == SEED


@pytest.mark.parametrize("name", ["attention.sep", "entropy.all", "attention.previous"])
def test_measures_are_the_means_of_each_checkpoint(points, model, name):
    found = rows(model, "curves", "measure", name).set_index(ORDER)["value"]
    for step, results in points.items():
        for layer in (1, 2):
            means = []
            for head in (1, 2):
                own = _layer(results, layer).query(f"head == {head}")[name]
                means.append(sum(own) / len(own))
                assert found[step, layer, head] == pytest.approx(means[-1], rel=1e-6)
            assert found[step, layer, 0] == pytest.approx(sum(means) / 2, rel=1e-6)


def test_a_rise_is_the_first_checkpoint_that_made_half_of_the_change(model):
    curve = rows(model, "curves", "measure", "entropy.all").set_index(ORDER)["value"]
    for row in rows(model, "rises", "measure", "entropy.all").itertuples():
        values = [curve[step, row.layer, row.head] for step in STEPS]
        assert (row.start, row.end) == pytest.approx((values[0], values[-1]))
        if not np.isnan(row.step):
            made = [(value - values[0]) / (values[-1] - values[0]) for value in values]
            assert row.step == next(step for step, share in zip(STEPS, made, strict=True) if share >= 1 / 2)
            assert row.low <= row.step <= row.high


def test_signatures_are_of_their_phase_s_layers(points, model):
    """Of two layers the first is low and middle, the second is last."""
    for name, column, layer in (
        ("begin", "attention.cls", 1),
        ("separator", "attention.sep", 1),
        ("punctuation", "attention.punctuation", 2),
    ):
        found = rows(model, "curves", "signature", name).set_index("step")["value"]
        for step, results in points.items():
            assert found[step] == pytest.approx(_layer(results, layer)[column].mean(), rel=1e-6)
    orders = model.table("rises").query("study == 'order'")
    assert sorted(orders["name"]) == ["begin.separator", "separator.punctuation"]


def test_relations_follow_the_last_checkpoint_s_head_on_the_other_half(points, model):
    chosen = points[32].table("relation_heads").query("protocol == 'held-out'").set_index("relation")
    found = model.table("curves").query("study == 'relation'")
    assert set(found["name"]) == set(chosen.index)
    relation = chosen.index[chosen.index != "all"][0]
    head = chosen.loc[relation]
    for step, results in points.items():
        right = words = 0
        table = results.table("predictions")
        for kept, row in zip(reported(list(table["sentence"]), 0), table.to_dict("records"), strict=True):
            guesses = np.reshape(row["predicted"], (2, 2, 2, -1))
            direction = ["dep->head", "head<-dep"].index(head["direction"])
            for at, name in enumerate(row["relations"]):
                if kept and name == relation:
                    words += 1
                    right += guesses[direction, head["layer"] - 1, head["head"] - 1, at] == row["gold"][at]
        (value,) = rows(model, "curves", "relation", relation).query(f"step == {step}")["value"]
        assert value == pytest.approx(right / words)
    assert value == pytest.approx(head["value"])
    assert set(found["layer"][found["name"] == relation]) == {head["layer"]}


def test_the_language_of_the_treebank_goes_with_its_name(points, place):
    for results in (*points.values(), Results.open(place / "results" / "small@curve")):
        assert results.manifest.languages == {"trees.conllu": "en"}


def test_claims_have_the_numbers_they_have_at_each_checkpoint(points, model):
    found = model.table("curves").query("study == 'claim'").set_index(["name", "step"])
    seen = 0
    for step, results in points.items():
        for item in judge_all([Evidence(results)]):
            for finding in item.findings:
                name = finding.part.key
                assert ((name, step) in found.index) == (finding.number is not None)
                if finding.number is not None:
                    stored = found.loc[name, step]
                    assert tuple(stored[["value", "low", "high", "n"]]) == pytest.approx(finding.number, nan_ok=True)
                    seen += 1
    assert seen > 3 * len(STEPS)


def test_losses_are_those_of_the_log(place, model):
    log = [line for line in read_log(place / "run") if line["kind"] == "evaluation"]
    for name in ("masked_loss", "masked_accuracy", "next_loss", "next_accuracy"):
        found = rows(model, "curves", "training", name)
        assert dict(zip(found["step"], found["value"], strict=True)) == {line["step"]: line[name] for line in log}
    (unigram,) = rows(model, "curves", "training.baseline", "unigram_loss")["value"]
    assert unigram == next(line["unigram_loss"] for line in read_log(place / "run") if line["kind"] == "held-out")


def test_counts_of_the_training_text_are_those_of_its_pieces(place):
    """Special tokens stand in no text, and every piece of the vocabulary has a count."""
    tokenizer = AutoTokenizer.from_pretrained(place / "run" / "tokenizer")
    lines = read_split(place / "text", "train").items
    pieces = [piece for each in lines for paragraph in each.paragraphs for piece in tokenizer.tokenize(paragraph)]
    expected = {piece: pieces.count(piece) for piece in tokenizer.get_vocab()}
    assert read_counts(place / "run") == expected
    assert expected["[CLS]"] == 0 < max(expected.values())


def test_how_well_types_are_known_is_that_of_the_last_checkpoint(place, points, model):
    types = points[32].table("types")
    expected = easier_when_frequent(types, read_counts(place / "run"), 0).set_index("name")
    found = model.table("curves").query("study == 'types' and step == 32").set_index("name")
    for name in ("end.loss", "end.gain", "end.share"):
        assert found["value"][name] == expected["value"][name]
        assert found["n"][name] == types["loss"].notna().sum()
    (judged,) = [item for item in judge_all([Evidence(model)]) if item.claim.id == "H16"]
    assert judged.value == found["value"]["end.loss"]


def test_distances_are_of_all_weights_from_the_first_checkpoint(place, model):
    def weights(step):
        stored = load_file(place / "run" / "checkpoints" / f"step-{step:07d}" / "model.safetensors")
        return {name: array for name, array in stored.items() if name.startswith("bert.") and "pooler" not in name}

    first = weights(0)
    found = rows(model, "curves", "weights", "distance").set_index("step")["value"]
    for step in STEPS:
        now = weights(step)
        squares = sum(float(((now[name].astype(float) - first[name]) ** 2).sum()) for name in first)
        whole = sum(float((first[name].astype(float) ** 2).sum()) for name in first)
        assert found[step] == pytest.approx((squares / whole) ** 0.5, rel=1e-5, abs=1e-9)


def test_the_contrast_is_the_difference_of_paired_documents(place, points, model):
    found = rows(model, "curves", "without next sentence", "begin.lead").set_index("step")["value"]
    for step, results in points.items():
        other = Results.open(place / "without" / "measures" / f"step-{step:09d}")
        lead = []
        for one in (results, other):
            last = _layer(one, 2)
            lead.append((last["entropy.cls"] - last["entropy.all"]).mean())
        assert found[step] == pytest.approx(lead[0] - lead[1], abs=1e-6)
    (judged,) = [item for item in judge_all([Evidence(model)]) if item.claim.id == "H10"]
    assert judged.value == pytest.approx(found[32])


def test_claims_about_learning_are_judged_where_there_is_a_curve(points, model):
    with_curve, without = ({item.claim.id: item for item in judge_all([Evidence(one)])} for one in (model, points[32]))
    assert without["H05"].verdict == without["H09"].verdict == "not testable"
    assert with_curve["H09"].verdict != "not testable"
    orders = model.table("rises").query("study == 'order'").set_index("name")["step"]
    grows = (model.table("rises").query("study == 'signature'").eval("end > start")).all()
    assert (with_curve["H05"].verdict != "not testable") == bool(grows and orders.notna().all())


def test_a_second_run_reads_what_is_there_and_weights_need_not_be(place, tmp_path):
    run = shutil.copytree(place / "run", tmp_path / "run")
    for step in (4,):
        (run / "checkpoints" / f"step-{step:07d}" / "model.safetensors").unlink()
    corpora = ("--corpus", place / "twelve.txt", "--corpus", place / "trees.conllu")
    code, said, heard = fieldguide("curve", run, *corpora, "--name", "small", "--results", tmp_path / "results")
    assert code == 0, heard
    again, first = (
        pd.read_parquet(folder / "curves.parquet").query("study not in ['weights', 'without next sentence']")
        for folder in (Path(said.strip()), place / "results" / "small@curve")
    )
    pd.testing.assert_frame_equal(again.reset_index(drop=True), first.reset_index(drop=True))


def scores(place):
    """Fine-tune checkpoints of the run in a folder."""
    write_tasks(place / "data")
    task = ("--task", "rte", "--data", place / "data", "--every", 2, "--seeds", 1, "--out", place / "tuned")
    code, said, heard = fieldguide("curve", place / "run", "--name", "small", *task, "--results", place / "results")
    assert (code, said.strip()) == (0, str(place / "results" / "small@curve.rte")), heard


def test_checkpoints_are_fine_tuned_on_a_task(place):
    scores(place)
    (model,) = find([place / "results"])
    assert list(rows(model, "curves", "tuning", "rte.accuracy")["step"]) == [0, 32]
    assert len(rows(model, "curves", "tuning.baseline", "rte.accuracy")) == 1
    assert len(rows(model, "curves", "measure", "entropy.all"))
