"""Train a span head with its encoder, once per seed, and keep what each says of the passages that are judged.

    OUT/<model>/spans/run.json       settings and checksums; other runs may not write here
                     /seed-<k>.json  first and last token of each passage, chosen by themselves and together

The head is that of Devlin et al. 2019, section 4.2: one vector for the start and one for the end, whose products with
the vectors of the passage's last layer go through a softmax over the passage; the loss is the mean of both cross
entropies, and the whole model is tuned. A seed that was not finished begins again.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch.nn.functional import cross_entropy
from transformers import get_linear_schedule_with_warmup

from generator.attention.portions import in_portions
from generator.errors import ModelError, ResultsError, reason
from generator.models.encoder import Encoder
from generator.models.load import load
from generator.models.source import Source
from generator.progress import Advance
from generator.topics.learning.run.pretrain.state import write_file
from generator.topics.mentions.compute.answers import best_span
from generator.topics.mentions.run.spans.passages import Batch, Passage, batch
from generator.topics.tasks.run.finetune.settings import Finetuning

LONGEST = 30
"""The most tokens of an answer whose start and end are chosen together: the default of BERT's released code."""
DRAWN = 20
"""Random heads on the vectors of the encoder before training."""
STEEPEST = 1.0
"""Gradients are shortened to this norm, as in BERT's released code."""
DEVIATION = 0.02
"""Standard deviation of the weights of a new head, as in BERT."""
NOWHERE = torch.finfo(torch.float32).min
"""The score of a token outside the passage."""


class Pick(NamedTuple):
    """First and last token of an answer, counted from the passage's first."""

    start: int
    """The likeliest start."""
    end: int
    """The likeliest end, which may lie before it."""
    first: int
    """The start of the likeliest pair in the right order."""
    last: int


def train_seed(
    source: Source,
    settings: Finetuning,
    seed: int,
    device: torch.device,
    *,
    train: Sequence[Passage],
    test: Sequence[Passage],
    advance: Advance,
) -> list[Pick]:
    """Train the encoder with a new head, and what it says of each passage in `test`.

    `advance` is told of the tokens that were trained on. Raises ModelError if scores are not finite.
    """
    encoder = load(source, device)
    torch.manual_seed(seed)
    head = _new_head(encoder)
    encoder.model.requires_grad_(True).train()
    weights = [*encoder.model.parameters(), *head.parameters()]
    optimizer = torch.optim.AdamW(
        [
            {"params": [one for one in weights if one.ndim > 1], "weight_decay": settings.weight_decay},
            {"params": [one for one in weights if one.ndim <= 1], "weight_decay": 0.0},
        ],
        lr=settings.peak_rate,
    )
    steps = settings.epochs * -(-len(train) // settings.batch)
    schedule = get_linear_schedule_with_warmup(optimizer, round(settings.warm_up * steps), steps)
    for chosen in batches(train, settings, seed):
        torch.autograd.backward(loss_of(encoder, head, batch(chosen, encoder.pad)))
        torch.nn.utils.clip_grad_norm_(weights, STEEPEST)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        advance(sum(map(len, chosen)))
    encoder.model.eval()
    return [_pick(scores) for scores in passage_scores(encoder, head, test)]


def batches(passages: Sequence[Passage], settings: Finetuning, seed: int) -> Iterator[list[Passage]]:
    """Every passage once an epoch, in an order that the seed decides."""
    for epoch in range(settings.epochs):
        order = np.random.default_rng([seed, epoch]).permutation(len(passages))
        for at in range(0, len(order), settings.batch):
            yield [passages[place] for place in order[at : at + settings.batch]]


def loss_of(encoder: Encoder, head: torch.nn.Linear, read: Batch) -> torch.Tensor:
    """The mean of the cross entropies of start and end, in nats."""
    scores, answers = _scores(encoder, head, read), read.answers.to(encoder.device)
    return (cross_entropy(scores[..., 0], answers[:, 0]) + cross_entropy(scores[..., 1], answers[:, 1])) / 2


def passage_scores(encoder: Encoder, head: torch.nn.Linear, passages: Sequence[Passage]) -> list[np.ndarray]:
    """What the head gives to each passage, `[token of the passage, output]`. Raises ModelError if it is not finite."""

    def read(portion: Sequence[tuple[int, Passage]]) -> Iterator[tuple[int, np.ndarray]]:
        with torch.inference_mode():
            found = _scores(encoder, head, batch([one for _, one in portion], encoder.pad)).double().cpu().numpy()
        for (at, one), scores in zip(portion, found, strict=True):
            yield at, scores[one.begin : one.begin + one.tokens]

    found = dict(in_portions(encoder, list(enumerate(passages)), read, size=lambda item: len(item[1])))
    if not all(np.isfinite(scores).all() for scores in found.values()):
        raise ModelError(
            f"Expected finite scores of starts and ends by {encoder.id}, found others; train again at a lower --rate."
        )
    return [found[at] for at in range(len(passages))]


def drawn_before(source: Source, device: torch.device, passages: Sequence[Passage]) -> np.ndarray:
    """`[passage, head]`: whether the end lies before the start by random heads on the encoder as it is."""
    encoder = load(source, device)
    torch.manual_seed(0)
    scores = passage_scores(encoder, _new_head(encoder, DRAWN), passages)
    return np.array([one[:, 1::2].argmax(0) < one[:, 0::2].argmax(0) for one in scores])


def best_pair(start: np.ndarray, end: np.ndarray, longest: int = LONGEST) -> tuple[int, int]:
    """First and last place of the best span of at most so many tokens. Both arrays are `[token]`.

    >>> best_pair(np.array([9.0, 2.0, 0.0]), np.array([0.0, 1.0, 9.0]), longest=2)
    (1, 2)
    """
    # A span of no more tokens lies in the stretch of as many that begins where it begins.
    stretches = [slice(at, at + longest) for at in range(len(start))]
    best = [(at, best_span(start[part], end[part])) for at, part in enumerate(stretches)]
    spans = [(at + first, at + last) for at, (first, last) in best]
    return max(spans, key=lambda span: float(start[span[0]] + end[span[1]]))


def write_picks(path: Path, seed: int, passages: Sequence[Passage], picks: Sequence[Pick]) -> None:
    """Keep what a seed gave. Raises ResultsError."""
    said = {"seed": seed, "picks": {one.id: list(pick) for one, pick in zip(passages, picks, strict=True)}}
    write_file(path, lambda place: place.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8"))


def read_picks(path: Path, passages: Sequence[Passage]) -> list[Pick]:
    """What a seed gave, in the order of the passages. Raises ResultsError for a file of something else."""
    try:
        said: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))["picks"]
        return [Pick(*map(int, said[one.id])) for one in passages]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ResultsError(
            f"Expected starts and ends of the given passages in {path}, found: {reason(error)}; delete it and give the "
            "same command again."
        ) from None


def _new_head(encoder: Encoder, heads: int = 1) -> torch.nn.Linear:
    """For each head one vector for the start and one for the end, drawn by torch's random numbers."""
    head = torch.nn.Linear(encoder.model.config.hidden_size, 2 * heads)
    torch.nn.init.normal_(head.weight, std=DEVIATION)
    torch.nn.init.zeros_(head.bias)
    return head.to(encoder.device)


def _scores(encoder: Encoder, head: torch.nn.Linear, read: Batch) -> torch.Tensor:
    """`[passage, token, output]`, in which no token outside the passage can be chosen."""
    vectors = encoder.run(read.ids, read.attended, read.segments).last_hidden_state
    return head(vectors).masked_fill(~read.inside.to(encoder.device)[..., None], NOWHERE)


def _pick(scores: np.ndarray) -> Pick:
    start, end = scores.T
    return Pick(int(start.argmax()), int(end.argmax()), *best_pair(start, end))
