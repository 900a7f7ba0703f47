"""What tiny trainings show on held-out text, against one input after the other in transformers' own classes."""

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from transformers import AutoTokenizer, BertForPreTraining

from generator.corpora.opening import open_corpora
from generator.corpora.pairs import PairMaker
from generator.corpora.treebank import TREEBANK, treebank_inputs
from generator.errors import CorpusError
from generator.models.load import load
from generator.models.source import locate
from generator.progress import reporting_to
from generator.studies.halves import reported
from generator.topics.learning.run.pretrain.data.text import read_split
from generator.topics.learning.run.pretrain.data.vocabulary import MASK
from generator.topics.learning.run.pretrain.settings import Pretraining
from generator.topics.probes.compute.usability import PENALTY, STEPS
from generator.topics.variants.run.classes import Bank
from generator.topics.variants.run.groups import find_runs
from generator.topics.variants.run.inputs import CHOSEN, FATES, HeldOut, make_inputs
from generator.topics.variants.run.losses import loss_rows
from generator.topics.variants.run.maps import even_shares, map_rows
from generator.topics.variants.run.run import READINGS

CPU, SEED, INPUTS = torch.device("cpu"), 3, 40
NAMES = ("bert-0", "no-segments-0")
CLOSE = {"rel": 1e-4, "abs": 1e-5}


def model_of(root: Path, name: str) -> Path:
    """The last model of a run."""
    return root / name / "checkpoints" / "step-0000010"


def slow(root: Path, name: str) -> Any:
    """The same model in transformers alone, with eager attention."""
    return BertForPreTraining.from_pretrained(model_of(root, name), attn_implementation="eager").eval()


@pytest.fixture(scope="module")
def settings(root: Path) -> Pretraining:
    """Gives the settings of the first run."""
    return find_runs([str(root / name) for name in NAMES])[0].settings


@pytest.fixture(scope="module")
def held_out(root: Path, settings: Pretraining) -> HeldOut:
    """Gives the inputs that all runs read."""
    tokenizer = AutoTokenizer.from_pretrained(model_of(root, "bert-0"))
    return make_inputs(read_split(root / "text", "valid"), tokenizer, settings, INPUTS, SEED)


def shown(held_out: HeldOut, how: str, name: str) -> list[tuple[dict[str, torch.Tensor], list[int], list[int], int]]:
    """Of each input alone, as it is shown: what a model takes, the chosen places, their pieces and the answer."""
    found = []
    for batch in held_out.batches[how]:
        targets = iter(batch.targets.tolist())
        for row in range(len(batch.ids)):
            n = int(batch.attended[row].sum())
            taken = {"input_ids": batch.ids[row : row + 1, :n]}
            if name != "no-segments-0":
                taken["token_type_ids"] = batch.segments[row : row + 1, :n]
            places = batch.chosen[row].nonzero().ravel().tolist()
            found.append((taken, places, [next(targets) for _ in places], int(batch.unrelated[row])))
    return found


def test_chosen_tokens_are_the_same_however_they_are_shown(held_out: HeldOut) -> None:
    masked, whole, random = (held_out.batches[how] for how in ("masked", "whole", "random"))
    changed = 0
    for hidden, same, other in zip(masked, whole, random, strict=True):
        assert torch.equal(hidden.chosen, same.chosen)
        assert torch.equal(other.chosen, same.chosen)
        assert (hidden.ids[same.chosen] == MASK).all()
        assert torch.equal(same.ids[same.chosen], same.targets)
        for one in (hidden, other):
            assert torch.equal(one.ids[~same.chosen], same.ids[~same.chosen])
        changed += int((other.ids[same.chosen] != same.targets).sum())
    assert MASK not in torch.cat([batch.ids.ravel() for batch in whole])
    assert changed > 0.9 * held_out.chosen.sum()
    assert len(held_out.chosen) == INPUTS
    lengths = np.concatenate([batch.attended.sum(1).numpy() for batch in whole])
    assert held_out.chosen == pytest.approx(np.maximum(1, np.rint(CHOSEN * (lengths - 3))))
    assert 0 < held_out.unrelated.mean() < 1


def test_inputs_are_text_that_was_held_out(root: Path, held_out: HeldOut) -> None:
    tokenizer = AutoTokenizer.from_pretrained(model_of(root, "bert-0"))
    text = read_split(root / "text", "valid")
    spelled = [
        tokenizer(" ".join(document.paragraphs), add_special_tokens=False)["input_ids"] for document in text.items
    ]
    joined = [" ".join(map(str, pieces)) for pieces in spelled]
    for batch in held_out.batches["whole"]:
        for ids, segments, attended in zip(batch.ids, batch.segments, batch.attended, strict=True):
            for segment in (0, 1):
                part = ids[attended & (segments == segment)].tolist()
                part = part[1:-1] if segment == 0 else part[:-1]
                assert any(" ".join(map(str, part)) in document for document in joined)


def test_the_seed_draws_other_inputs_and_a_text_of_one_half_is_refused(root: Path, settings: Pretraining) -> None:
    tokenizer, text = AutoTokenizer.from_pretrained(model_of(root, "bert-0")), read_split(root / "text", "valid")
    one, again, other = (make_inputs(text, tokenizer, settings, 10, seed).batches["whole"][0].ids for seed in (1, 1, 2))
    assert torch.equal(one, again)
    assert not torch.equal(one[:, :10], other[:, :10])
    with pytest.raises(CorpusError, match="two halves of inputs, found 1; give more text"):
        make_inputs(text, tokenizer, settings, 1, 1)


def test_frequencies_are_counted_in_the_held_out_text(root: Path, held_out: HeldOut, settings: Pretraining) -> None:
    tokenizer, text = AutoTokenizer.from_pretrained(model_of(root, "bert-0")), read_split(root / "text", "valid")
    pieces = Counter(
        piece
        for document in text.items
        for paragraph in document.paragraphs
        for piece in tokenizer(paragraph, add_special_tokens=False)["input_ids"]
    )
    whole = sum(pieces.values()) + settings.vocabulary
    expected = [
        -sum(math.log((pieces[target] + 1) / whole) for target in targets)
        for _, _, targets, _ in shown(held_out, "whole", "bert-0")
    ]
    assert held_out.of_inputs(held_out.frequency) == pytest.approx(expected)


@pytest.mark.parametrize("name", NAMES)
def test_losses_are_those_of_each_input_alone(root: Path, held_out: HeldOut, name: str) -> None:
    found = loss_rows(locate(str(model_of(root, name))), held_out, CPU)
    model = slow(root, name)
    for how in FATES:
        expected, follows, right = [], [], []
        for taken, places, targets, unrelated in shown(held_out, how, name):
            with torch.no_grad():
                out = model(**taken)
            scores = out.prediction_logits[0].double().log_softmax(-1)
            expected.append(-sum(scores[place, target].item() for place, target in zip(places, targets, strict=True)))
            answer = out.seq_relationship_logits[0].double().log_softmax(-1)
            follows.append(-answer[unrelated].item())
            right.append(answer.argmax().item() == unrelated)
        assert found[how] == pytest.approx(expected, **CLOSE)
        if how == "whole":
            assert found["follows"] == pytest.approx(follows, **CLOSE)
            assert found["next"].tolist() == right
    assert len({float(found[how].sum()) for how in FATES}) == len(FATES)


def divergence(first: Sequence[float], second: Sequence[float]) -> float:
    """Jensen-Shannon divergence of two rows in nats."""
    pairs = [(p, q, (p + q) / 2) for p, q in zip(first, second, strict=True)]
    return sum((p * math.log(p / m) if p else 0) / 2 + (q * math.log(q / m) if q else 0) / 2 for p, q, m in pairs)


@pytest.mark.parametrize("name", NAMES)
def test_looks_at_masks_are_those_of_loops_over_whole_maps(root: Path, held_out: HeldOut, name: str) -> None:
    told: list[int] = []
    with reporting_to(told.append):
        found = map_rows(load(locate(str(model_of(root, name))), CPU), held_out)
    assert sum(told) == (READINGS - len(FATES)) * held_out.tokens
    even, model = even_shares(held_out), slow(root, name)
    both = zip(shown(held_out, "whole", name), shown(held_out, "masked", name), strict=True)
    for at, ((whole, places, _, _), (masked, _, _, _)) in enumerate(both):
        with torch.no_grad():
            before, after = (
                torch.cat(model(**taken, output_attentions=True).attentions).flatten(0, 1).tolist()
                for taken in (whole, masked)
            )
        n = whole["input_ids"].shape[1]
        rest = [place for place in range(n) if place not in places]
        for head, (was, now) in enumerate(zip(before, after, strict=True)):
            expected = {
                "maps": sum(divergence(was[row], now[row]) for row in rest) / len(rest),
                "mask": sum(now[row][place] for row in range(n) for place in places) / n,
                "self": sum(now[place][place] for place in places) / len(places),
                "self.whole": sum(was[place][place] for place in places) / len(places),
            }
            assert {key: rows[at, head] for key, rows in found.items()} == pytest.approx(expected, **CLOSE)
        assert {key: rows[at] for key, rows in even.items()} == pytest.approx(
            {"mask": len(places) / n, "self": 1 / n, "self.whole": 1 / n}
        )


def test_word_classes_are_read_off_the_last_layer_by_a_regression_of_its_own(root: Path) -> None:
    encoder = load(locate(str(model_of(root, "bert-0"))), CPU)
    (bank,) = open_corpora([str(root / "trees.conllu")]).of(TREEBANK)
    inputs = treebank_inputs(bank, PairMaker(encoder.tokenizer, 32, SEED))
    judged = Bank.of(inputs, bank.name, SEED).judged(encoder)
    model, names = slow(root, "bert-0").bert, sorted(inputs)
    vectors: dict[str, list[np.ndarray]] = {}
    for name in names:
        item = inputs[name][1]
        with torch.no_grad():
            states = model(input_ids=torch.tensor([item.input.input_ids])).last_hidden_state[0].numpy()
        ends = np.cumsum(item.lengths)
        vectors[name] = [
            states[item.pieces[end - length : end]].mean(0) for end, length in zip(ends, item.lengths, strict=True)
        ]
    left = dict(zip(names, reported(names, SEED), strict=True))
    half: list[list[tuple[str, np.ndarray, Any]]] = [[], []]
    for name in names:
        for vector, word in zip(vectors[name], inputs[name][0].words, strict=True):
            half[int(left[name])].append((name, vector, word))
    probe = make_pipeline(StandardScaler(), LogisticRegression(C=PENALTY, max_iter=STEPS))
    probe.fit(np.stack([vector for _, vector, _ in half[0]]), [word.upos for *_, word in half[0]])
    answers = probe.predict(np.stack([vector for _, vector, _ in half[1]]))
    right, every, usual = Counter(), Counter(), Counter()
    by_type: dict[str, Counter[str]] = {}
    for _, _, word in half[0]:
        by_type.setdefault(word.form.lower(), Counter())[word.upos] += 1
    for (name, _, word), answer in zip(half[1], answers, strict=True):
        every[name] += 1
        right[name] += answer == word.upos
        usual[name] += min(by_type[word.form.lower()].items(), key=lambda one: (-one[1], one[0]))[0] == word.upos
    order = [name for name in names if left[name]]
    assert judged.words.tolist() == [every[name] for name in order]
    assert judged.kind.tolist() == [usual[name] for name in order]
    assert judged.model.tolist() == [right[name] for name in order]
    assert 0.4 < judged.model.sum() / judged.words.sum() < 1 > judged.kind.sum() / judged.words.sum()
