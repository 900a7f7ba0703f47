"""Fine-tuning follows its recipe, repeats itself, survives being killed, and leaves models that anyone can load."""

import json
import os
import re
import subprocess
import sys
import time

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer

from generator.corpora.tasks import find_task, read_task
from generator.errors import CorpusError, ModelError, ResultsError, SettingsError
from generator.experiments.finetune.data import Batches, tokenize
from generator.experiments.finetune.model import new_classifier
from generator.experiments.finetune.settings import HEAD_RATE, RATE, make_finetuning
from generator.experiments.finetune.train import PREDICTIONS, finetune, seed_folder
from generator.models.load import load
from generator.models.source import locate
from tests.encoders import FAMILIES, write
from tests.experiments.pretrain.novels import Interrupting, InterruptionError, Silence
from tests.experiments.reviews import encoder, run, tiny, write_tasks
from tests.limits import SECONDS

CPU = torch.device("cpu")
WITHOUT_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with an encoder and tasks."""
    folder = tmp_path_factory.mktemp("place")
    write_tasks(folder / "data")
    encoder(folder)
    return folder


@pytest.fixture(scope="module")
def finished(place, tmp_path_factory):
    """An uninterrupted run."""
    return run(place, tiny(), tmp_path_factory.mktemp("runs"))


def files(runs):
    """The bytes of all that the seeds left, by name."""
    return {str(path.relative_to(runs)): path.read_bytes() for path in sorted(runs.rglob("seed-*/*"))}


def weights(runs, seed=0):
    return load_file(seed_folder(runs, seed) / "model.safetensors")


def stored(runs, seed=0):
    return json.loads((seed_folder(runs, seed) / PREDICTIONS).read_text("utf-8"))


def test_the_same_seed_gives_the_same_files_and_another_seed_others(place, finished, tmp_path):
    again = run(place, tiny(seeds=2), tmp_path)
    found = files(again)
    assert {name: found[name] for name in files(finished)} == files(finished)
    head, other = weights(again)["classifier.weight"], weights(again, 1)["classifier.weight"]
    assert not torch.allclose(head, other, atol=1e-3)


def drafts(out):
    return sorted(out.rglob(".seed-*/checkpoint-*"))


def test_a_run_interrupted_again_and_again_ends_as_one_that_was_not(place, finished, tmp_path):
    for calls in (4, 3, 6):
        with pytest.raises(InterruptionError):
            run(place, tiny(), tmp_path, Interrupting(calls))
    assert [path.name for path in drafts(tmp_path)] == ["checkpoint-10"]
    assert files(run(place, tiny(), tmp_path)) == files(finished)
    assert not drafts(tmp_path)


def test_a_checkpoint_that_was_cut_short_is_passed_over(place, finished, tmp_path):
    with pytest.raises(InterruptionError):
        run(place, tiny(), tmp_path, Interrupting(6))
    (whole,) = drafts(tmp_path)
    cut = whole.with_name("checkpoint-9")
    cut.mkdir()
    (cut / "model.safetensors").write_bytes(b"half")
    (cut / "trainer_state.json").write_text('{"epoch": 0.')
    assert files(run(place, tiny(), tmp_path)) == files(finished)


def test_a_run_killed_in_another_process_is_taken_up(place, finished, tmp_path):
    code = f"from tests.experiments.reviews import *; import torch; torch.set_num_threads({torch.get_num_threads()}); "
    code += f"run({str(place)!r}, tiny(), {str(tmp_path)!r})"
    process = subprocess.Popen([sys.executable, "-c", code], env=os.environ | {"TOKENIZERS_PARALLELISM": "false"})
    end = time.monotonic() + SECONDS
    while not drafts(tmp_path) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.002)
    process.kill()
    process.wait()
    assert drafts(tmp_path)
    assert files(run(place, tiny(), tmp_path)) == files(finished)


def test_finished_seeds_are_left_alone_and_more_can_be_added(place, tmp_path):
    runs = run(place, tiny(epochs=1), tmp_path)
    before = (seed_folder(runs, 0) / PREDICTIONS).stat().st_mtime_ns
    assert run(place, tiny(epochs=1, seeds=2), tmp_path) == runs == tmp_path / "bert" / "rte" / "pretrained"
    assert (seed_folder(runs, 0) / PREDICTIONS).stat().st_mtime_ns == before
    assert sorted(path.name for path in runs.iterdir()) == ["run.json", "seed-0", "seed-1"]


@pytest.mark.parametrize("task", ["rte", "stsb", "sst2"])
def test_training_equals_a_plain_loop(task, place, tmp_path):
    """AdamW without decay of vectors, a rate that rises and falls in straight lines, gradients no longer than 1."""
    source = encoder(tmp_path, **WITHOUT_DROPOUT)
    settings = tiny(task=task, warm_up=0.25, weight_decay=0.1)
    train = read_task(find_task(task), place / "data", "train")
    model = new_classifier(source, train.task, settings, 0, CPU).train()
    batches = Batches(tokenize(train, load(source, CPU), 128), 4, 2, 0)
    groups = [
        {"params": [p for p in model.parameters() if (p.ndim > 1) == wide], "weight_decay": decay}
        for wide, decay in ((True, 0.1), (False, 0.0))
    ]
    optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.999), eps=1e-8)
    steps = 12  # two epochs of 22 examples, 4 at a time
    assert len(batches) == steps
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * (step / 3 if step < 3 else (steps - step) / (steps - 3))
        batch = dict(batches[step])
        labels = batch.pop("labels")
        logits = model(**batch).logits
        if task == "stsb":
            loss = ((logits[:, 0] - labels) ** 2).mean()
        else:
            loss = -torch.log_softmax(logits, 1)[torch.arange(len(labels)), labels].mean()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
    found = weights(finetune(source, settings, place / "data", tmp_path / "out", Silence()))
    assert set(found) == set(model.state_dict())
    for name, expected in model.state_dict().items():
        if not name.endswith("key.bias"):  # softmax takes no notice of it: its gradient is rounding, magnified by Adam
            torch.testing.assert_close(found[name], expected, atol=2e-5, rtol=1e-4, msg=name)


def test_an_epoch_reads_every_example_once_with_little_padding(place):
    train = read_task(find_task("rte"), place / "data", "train")
    inputs = tokenize(train, load(locate(str(place / "bert")), CPU), 128)
    first, second = [Batches(inputs, 4, 2, seed)._batches for seed in (0, 1)]
    assert [batch.tolist() for batch in first] != [batch.tolist() for batch in second]
    epochs = [np.concatenate(first[:6]), np.concatenate(first[6:])]
    assert all(sorted(epoch) == list(range(22)) for epoch in epochs)
    assert epochs[0].tolist() != epochs[1].tolist()
    spread = [np.ptp(inputs.lengths[batch]) for batch in first[:6]]
    assert sum(spread) <= np.ptp(inputs.lengths)  # sorted, the batches of an epoch overlap nowhere


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
@pytest.mark.parametrize("task", ["rte", "sst2", "stsb"])
def test_predictions_are_those_of_the_stored_model_read_by_plain_transformers(task, precision, place, tmp_path):
    runs = run(place, tiny(task=task, precision=precision, epochs=1), tmp_path)
    folder = seed_folder(runs, 0)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    labels = find_task(task).labels
    said = stored(runs)["predicted"]
    rows = [line.split("\t") for line in (place / "data" / find_task(task).folder / "dev.tsv").read_text().splitlines()]
    at = [column for column, name in enumerate(rows[0]) if name.startswith("sentence")]
    assert list(said) == [f"dev:{line}" for line in range(2, len(rows) + 1)]
    for row, predicted in zip(rows[1:], said.values(), strict=True):
        logits = model(**tokenizer(*(row[column] for column in at), return_tensors="pt")).logits[0]
        assert predicted == (logits.argmax().item() if labels else pytest.approx(logits.item(), abs=1e-5))
    assert [model.config.id2label[number] for number in range(len(labels))] == list(labels)
    assert load(locate(str(folder)), CPU).positions == 128


def test_a_frozen_encoder_keeps_its_weights_and_its_head_learns(place, tmp_path):
    runs = run(place, tiny(frozen=True), tmp_path)
    assert runs.name == "pretrained-frozen"
    before = AutoModel.from_pretrained(place / "bert").state_dict()
    start = new_classifier(locate(str(place / "bert")), find_task("rte"), tiny(), 0, CPU).state_dict()
    for name, after in weights(runs).items():
        if name.startswith("bert."):
            assert torch.equal(after, before[name.removeprefix("bert.")]), name
        else:
            assert not torch.equal(after, start[name]), name


def test_a_pooler_that_the_checkpoint_lacks_is_part_of_the_head(tmp_path):
    model = AutoModel.from_pretrained(write("bert", tmp_path / "whole"), add_pooling_layer=False)
    model.save_pretrained(tmp_path / "bert")
    AutoTokenizer.from_pretrained(tmp_path / "whole").save_pretrained(tmp_path / "bert")
    made = new_classifier(locate(str(tmp_path / "bert")), find_task("rte"), tiny(frozen=True), 0, CPU)
    trained = {name.rpartition(".")[0] for name, one in made.named_parameters() if one.requires_grad}
    assert trained == {"bert.pooler.dense", "classifier"}


def test_a_random_start_draws_every_matrix_anew(place):
    source = locate(str(place / "bert"))
    parts = [
        new_classifier(source, find_task("rte"), tiny(start=start), seed, CPU).state_dict()
        for start, seed in (("pretrained", 0), ("random", 0), ("random", 0), ("random", 1))
    ]
    known, one, same, other = ([part[name] for name in parts[0] if parts[0][name].ndim > 1] for part in parts)
    assert all(torch.equal(a, b) for a, b in zip(one, same, strict=True))
    for left, right in ((known, one), (one, other)):
        assert not any(torch.equal(a, b) for a, b in zip(left[:-1], right[:-1], strict=True))
    assert torch.cat([matrix.flatten() for matrix in one]).std() < 0.03  # BERT's first weights; the encoder's are 0.25


def test_what_can_be_learned_is_learned(tmp_path):
    write_tasks(tmp_path / "data", train=256, dev=64)
    encoder(tmp_path)
    runs = run(tmp_path, tiny(task="sst2", epochs=6, batch=16, save_seconds=1e9), tmp_path / "out")
    labels = [one.label for one in read_task(find_task("sst2"), tmp_path / "data", "dev").examples]
    assert stored(runs)["scores"]["accuracy"] > max(np.mean(labels), 1 - np.mean(labels)) + 0.15


def test_bfloat16_trains_the_same_model_within_its_rounding(place, tmp_path):
    source = encoder(tmp_path, **WITHOUT_DROPOUT)
    full, half = (
        weights(finetune(source, tiny(precision=name), place / "data", tmp_path / name, Silence()))
        for name in ("float32", "bfloat16")
    )
    assert not torch.equal(half["classifier.weight"], full["classifier.weight"])
    for name, expected in full.items():
        assert half[name].dtype == torch.float32
        assert (half[name] - expected).abs().max() < 12 * 2e-3, name  # no step is longer than the rate


def test_training_examples_can_be_a_part(place, tmp_path):
    runs = run(place, tiny(examples=5, epochs=1, save_seconds=1e9), tmp_path)
    assert stored(runs)["predicted"].keys() == {f"dev:{line}" for line in range(2, 11)}


@pytest.mark.parametrize("family", [family for family in FAMILIES if family != "t5"])
def test_every_family_has_a_head_to_train(family, tmp_path):
    source = encoder(tmp_path, family)
    model = new_classifier(source, find_task("mnli"), tiny(frozen=True), 0, CPU)
    trained = [name for name, one in model.named_parameters() if one.requires_grad]
    assert 0 < len(trained) < len(list(model.parameters())) / 2
    assert (model.config.num_labels, model.config.id2label[2]) == (3, "contradiction")


def refusal(kind, call, *arguments, **options):
    with pytest.raises(kind) as caught:
        call(*arguments, **options)
    message = str(caught.value)
    assert re.fullmatch(r"Expected [^\n]+, found:? [^\n]+; [^\n]+\.?", message), message
    return message


def test_runs_of_other_settings_data_or_weights_are_not_mixed(place, finished, tmp_path):
    out = finished.parents[2]
    assert "other settings" in refusal(ResultsError, run, place, tiny(batch=8), out)
    moved = tmp_path / "place"
    write_tasks(moved / "data", dev=10)
    encoder(moved)
    refusal(ResultsError, run, moved, tiny(), out)
    write_tasks(moved / "data")
    encoder(moved, initializer_range=0.5)
    refusal(ResultsError, run, moved, tiny(), out)


def test_bad_input_is_refused_in_a_sentence(place, tmp_path):
    assert "'wnli'" in refusal(CorpusError, run, place, tiny(task="wnli"), tmp_path)
    assert "QNLI" in refusal(CorpusError, run, place, tiny(task="qnli"), tmp_path)
    (tmp_path / "file").write_text("")
    refusal(ResultsError, run, place, tiny(), tmp_path / "file")
    t5 = encoder(tmp_path, "t5")
    assert "decoder" in refusal(ModelError, finetune, t5, tiny(), place / "data", tmp_path / "out", Silence())
    assert "--rate" in refusal(SettingsError, make_finetuning, task="rte", rate=-1)
    assert "--max-tokens" in refusal(SettingsError, make_finetuning, task="rte", max_tokens=2)
    assert "--start" in refusal(SettingsError, make_finetuning, task="rte", start="elsewhere")


@pytest.mark.filterwarnings("ignore:invalid value")
def test_a_rate_that_leaves_no_numbers_is_said(place, tmp_path):
    assert "train at a lower --rate" in refusal(ModelError, run, place, tiny(rate=1e30), tmp_path)


def test_a_head_alone_is_given_a_rate_at_which_it_moves():
    rates = [
        make_finetuning(task="rte", frozen=frozen, rate=rate).peak_rate
        for frozen in (False, True)
        for rate in (None, 3e-4)
    ]
    assert rates == [RATE, 3e-4, HEAD_RATE, 3e-4]
    assert (
        make_finetuning(task="rte").identity == make_finetuning(task="rte", rate=RATE, seeds=9, device="cpu").identity
    )
