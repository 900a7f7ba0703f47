"""A head learns to mark names, and what it picks is what loops pick from scores made step by step."""

import math

import numpy as np
import pytest
import torch

from generator.errors import ModelError, ResultsError
from generator.models.load import load
from generator.models.source import locate
from generator.topics.mentions.run.spans import train
from generator.topics.mentions.run.spans.passages import batch, lower_words, make_passages
from generator.topics.tasks.run.finetune.settings import make_finetuning
from tests.encoders import HIDDEN
from tests.encoders import write as write_encoder
from tests.topics.mentions.run import made

CPU = torch.device("cpu")


def settings(**changes):
    return make_finetuning(
        task="spans", **{"seeds": 1, "epochs": 2, "batch": 4, "rate": 2e-3, "device": "cpu"} | changes
    )


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return locate(str(write_encoder("bert", tmp_path_factory.mktemp("model") / "bert")))


@pytest.fixture(scope="module")
def passages(source, tmp_path_factory):
    folder = tmp_path_factory.mktemp("gap")
    corpus = made.opened(made.write(folder / "train.tsv", made.rows("train", 60)))
    return make_passages(corpus, load(source, CPU), 128, lower_words(corpus.items)).read


@pytest.fixture(scope="module")
def head():
    torch.manual_seed(5)
    return torch.nn.Linear(HIDDEN, 2)


def scores_by_loops(source, head, one):
    """Start and end of each token of the passage: products of vectors, of the passage read alone."""
    model = load(source, CPU).model
    with torch.inference_mode():
        vectors = model(
            input_ids=torch.tensor([one.ids]),
            token_type_ids=torch.tensor([one.segments]),
            attention_mask=torch.ones(1, len(one.ids), dtype=torch.long),
        ).last_hidden_state[0]
    weights, biases = head.weight.detach().numpy(), head.bias.detach().numpy()
    rows = [vectors[one.begin + at].numpy() for at in range(one.tokens)]
    return [
        [sum(float(a) * float(b) for a, b in zip(row, weights[end], strict=True)) + float(biases[end]) for row in rows]
        for end in (0, 1)
    ]


def test_scores_are_products_with_the_vectors_of_the_passage(source, passages, head):
    found = train.passage_scores(load(source, CPU), head, passages[:5])
    for one, scores in zip(passages[:5], found, strict=True):
        assert np.allclose(scores.T, scores_by_loops(source, head, one), atol=1e-4)


def test_the_loss_is_the_mean_of_two_cross_entropies_over_the_passage(source, passages, head):
    losses = []
    for one in passages[:3]:
        for scores, at in zip(scores_by_loops(source, head, one), one.answer, strict=True):
            losses.append(math.log(sum(math.exp(score) for score in scores)) - scores[at])
    encoder = load(source, CPU)
    found = train.loss_of(encoder, head, batch(passages[:3], encoder.pad))
    assert found.item() == pytest.approx(sum(losses) / len(losses), abs=1e-4)


@pytest.mark.parametrize("longest", [1, 4, 30])
def test_the_best_pair_is_the_best_of_all_in_the_right_order(longest):
    rng = np.random.default_rng(longest)
    for n in (1, 2, 5, 12, 40):
        start, end = rng.normal(size=(2, n))
        every = [(start[i] + end[j], (i, j)) for i in range(n) for j in range(i, min(n, i + longest))]
        assert train.best_pair(start, end, longest) == max(every)[1]


def test_random_heads_before_training_cross_as_often_as_their_scores_say(source, passages):
    found = train.drawn_before(source, CPU, passages[:6])
    torch.manual_seed(0)
    heads = torch.nn.Linear(HIDDEN, 2 * train.DRAWN)
    torch.nn.init.normal_(heads.weight, std=0.02)
    expected = []
    for number in range(train.DRAWN):
        one = torch.nn.Linear(HIDDEN, 2)
        with torch.no_grad():
            one.weight.copy_(heads.weight[2 * number : 2 * number + 2])
            one.bias.zero_()
        row = []
        for passage in passages[:6]:
            start, end = scores_by_loops(source, one, passage)
            row.append(end.index(max(end)) < start.index(max(start)))
        expected.append(row)
    assert found.tolist() == np.array(expected).T.tolist()
    assert 0 < found.mean() < 1


def test_a_head_learns_the_passages_that_it_reads_again_and_again(source, passages):
    told, some = [], passages[:6]

    def right(epochs):
        tuned = settings(epochs=epochs, batch=2, rate=5e-3)
        picks = train.train_seed(source, tuned, 0, CPU, train=some, test=some, advance=told.append)
        return sum((pick.start, pick.end) == one.answer for pick, one in zip(picks, some, strict=True))

    assert right(1) < 3
    assert right(60) >= 5
    assert sum(told) == 61 * sum(map(len, some))


def test_every_passage_is_read_once_an_epoch_in_an_order_of_the_seed(passages):
    orders = []
    for seed in (0, 1):
        read = [one.id for some in train.batches(passages, settings(), seed) for one in some]
        for epoch in (read[: len(passages)], read[len(passages) :]):
            assert sorted(epoch) == sorted(one.id for one in passages)
        orders.append(read)
    assert orders[0] != orders[1]
    assert orders[0][: len(passages)] != orders[0][len(passages) :]


def test_picks_are_read_as_they_were_written_and_others_refused(passages, tmp_path):
    picks = [train.Pick(at, at + 1, at, at + 2) for at in range(len(passages))]
    train.write_picks(tmp_path / "seed-0.json", 0, passages, picks)
    assert train.read_picks(tmp_path / "seed-0.json", passages) == picks
    for text in ("{}", "no", '{"picks": {"other": [1, 2, 3, 4]}}'):
        (tmp_path / "seed-1.json").write_text(text)
        with pytest.raises(ResultsError, match=r"^Expected starts and ends .*; delete it and give the same command"):
            train.read_picks(tmp_path / "seed-1.json", passages)


@pytest.mark.filterwarnings("ignore:invalid value")
def test_a_rate_that_leaves_no_numbers_is_said(source, passages):
    with pytest.raises(ModelError, match=r"^Expected finite scores .* found others; train again at a lower --rate\.$"):
        train.train_seed(source, settings(rate=1e30), 0, CPU, train=passages, test=passages, advance=lambda _: None)
