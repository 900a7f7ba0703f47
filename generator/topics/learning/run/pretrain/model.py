"""An untrained BERT of the size that the settings ask for."""

import torch
from transformers import AutoModelForPreTraining, BertConfig, BertForPreTraining

from generator.topics.learning.run.pretrain.data.vocabulary import PAD
from generator.topics.learning.run.pretrain.settings import Pretraining


def new_model(settings: Pretraining, device: torch.device) -> BertForPreTraining:
    """A model with random weights, in training mode; seeds the random numbers of torch."""
    torch.manual_seed(settings.seed)
    config = BertConfig(
        vocab_size=settings.vocabulary,
        hidden_size=settings.hidden,
        num_hidden_layers=settings.layers,
        num_attention_heads=settings.heads,
        intermediate_size=settings.intermediate,
        max_position_embeddings=settings.max_tokens,
        type_vocab_size=2 if settings.segments else 1,
        hidden_dropout_prob=settings.dropout,
        attention_probs_dropout_prob=settings.dropout,
        initializer_range=settings.initial_spread,
        pad_token_id=PAD,
    )
    fastest = "eager" if device.type == "cpu" else "sdpa"  # on a CPU the backward pass of sdpa takes a third of a step
    model = AutoModelForPreTraining.from_config(config, attn_implementation=fastest)
    if settings.positions == "sinusoidal":
        table = model.bert.embeddings.position_embeddings.weight
        table.data.copy_(settings.initial_spread * 2**0.5 * _sinusoids(*table.shape))
    if not settings.next_sentence:
        for unused in (model.bert.pooler, model.cls.seq_relationship):
            unused.requires_grad_(False)  # otherwise several processes would wait for gradients that never come
    return model.train().to(device)


def _sinusoids(positions: int, hidden: int) -> torch.Tensor:
    """`[position, hidden]`: alternating sines and cosines, with wavelengths from 2 pi to 10,000 times 2 pi."""
    angles = torch.arange(positions)[:, None] * 10_000.0 ** -(torch.arange(0, hidden, 2) / hidden)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :hidden]
