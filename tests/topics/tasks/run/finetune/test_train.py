"""Fine-tuning follows its recipe, step by step, and leaves models that anyone can load."""

import json

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer

from generator.corpora.tasks import find_task, read_task
from generator.models.load import load
from generator.models.source import locate
from generator.topics.tasks.run.finetune.data import Batches, tokenize
from generator.topics.tasks.run.finetune.model import new_classifier
from generator.topics.tasks.run.finetune.settings import HEAD_RATE, RATE, make_finetuning
from generator.topics.tasks.run.finetune.train import PREDICTIONS, finetune, seed_folder
from tests.encoders import FAMILIES, write
from tests.experiments.reviews import encoder, run, unsaved, write_tasks
from tests.reports import Silence
from tests.topics.tasks.run.finetune.answers import accuracy
from tests.topics.tasks.run.finetune.stored import weights

CPU = torch.device("cpu")
WITHOUT_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


def stored(runs, seed=0):
    return json.loads((seed_folder(runs, seed) / PREDICTIONS).read_text("utf-8"))


@pytest.mark.parametrize("task", ["rte", "stsb", "sst2"])
def test_training_equals_a_plain_loop(task, place, tmp_path):
    """AdamW without decay of vectors, a rate that rises and falls in straight lines, gradients no longer than 1."""
    source = encoder(tmp_path, **WITHOUT_DROPOUT)
    settings = unsaved(task=task, warm_up=0.25, weight_decay=0.1)
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
    runs = run(place, unsaved(task=task, precision=precision, epochs=1), tmp_path)
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
    runs = run(place, unsaved(frozen=True), tmp_path)
    assert runs.name == "pretrained-frozen"
    before = AutoModel.from_pretrained(place / "bert").state_dict()
    start = new_classifier(locate(str(place / "bert")), find_task("rte"), unsaved(), 0, CPU).state_dict()
    for name, after in weights(runs).items():
        if name.startswith("bert."):
            assert torch.equal(after, before[name.removeprefix("bert.")]), name
        else:
            assert not torch.equal(after, start[name]), name


def test_a_pooler_that_the_checkpoint_lacks_is_part_of_the_head(tmp_path):
    model = AutoModel.from_pretrained(write("bert", tmp_path / "whole"), add_pooling_layer=False)
    model.save_pretrained(tmp_path / "bert")
    AutoTokenizer.from_pretrained(tmp_path / "whole").save_pretrained(tmp_path / "bert")
    made = new_classifier(locate(str(tmp_path / "bert")), find_task("rte"), unsaved(frozen=True), 0, CPU)
    trained = {name.rpartition(".")[0] for name, one in made.named_parameters() if one.requires_grad}
    assert trained == {"bert.pooler.dense", "classifier"}


def test_a_random_start_draws_every_matrix_anew(place):
    source = locate(str(place / "bert"))
    parts = [
        new_classifier(source, find_task("rte"), unsaved(start=start), seed, CPU).state_dict()
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
    runs = run(tmp_path, unsaved(task="sst2", epochs=6, batch=16), tmp_path / "out")
    labels = [example.label for example in read_task(find_task("sst2"), tmp_path / "data", "dev").examples]
    assert accuracy(stored(runs)["predicted"].values(), labels) > max(np.mean(labels), 1 - np.mean(labels)) + 0.15


def test_bfloat16_trains_the_same_model_within_its_rounding(place, tmp_path):
    source = encoder(tmp_path, **WITHOUT_DROPOUT)
    full, half = (
        weights(finetune(source, unsaved(precision=name), place / "data", tmp_path / name, Silence()))
        for name in ("float32", "bfloat16")
    )
    assert not torch.equal(half["classifier.weight"], full["classifier.weight"])
    for name, expected in full.items():
        assert half[name].dtype == torch.float32
        assert (half[name] - expected).abs().max() < 12 * 2e-3, name  # no step is longer than the rate


def test_training_examples_can_be_a_part(place, tmp_path):
    runs = run(place, unsaved(examples=5, epochs=1), tmp_path)
    assert stored(runs)["predicted"].keys() == {f"dev:{line}" for line in range(2, 11)}


@pytest.mark.parametrize("family", [family for family in FAMILIES if family != "t5"])
def test_every_family_has_a_head_to_train(family, tmp_path):
    source = encoder(tmp_path, family)
    model = new_classifier(source, find_task("mnli"), unsaved(frozen=True), 0, CPU)
    trained = [name for name, one in model.named_parameters() if one.requires_grad]
    assert 0 < len(trained) < len(list(model.parameters())) / 2
    assert (model.config.num_labels, model.config.id2label[2]) == (3, "contradiction")


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
