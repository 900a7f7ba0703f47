"""Untrained twins: copies of a model with random weights, which show what it would give without what it has learned."""

import copy
from dataclasses import replace
from threading import Lock

import numpy as np
import torch
from transformers import AutoModel

from generator.models.encoder import Encoder, encoder_within

_drawing = Lock()
"""Held while a twin is drawn: torch's random numbers are those of all threads."""


def random_twin(encoder: Encoder, seed: int, draw: int = 0) -> Encoder:
    """The same architecture with all weights drawn anew, as its family initialises them; each `draw` of a seed differs.

    The weights also differ from the first weights of a model that was trained with the same seed.
    """
    # Forked, so that a twin moves nobody else's random numbers.
    with _drawing, torch.random.fork_rng():
        torch.manual_seed(int(np.random.SeedSequence([seed, draw]).generate_state(1)[0]))
        fresh = AutoModel.from_config(copy.deepcopy(encoder.model.config), attn_implementation="eager")
    return replace(encoder, model=encoder_within(fresh).eval().requires_grad_(False).float().to(encoder.device))


def untrained_twin(encoder: Encoder, seed: int, draw: int = 0) -> Encoder:
    """The same architecture with the model's own embeddings and all other weights drawn anew.

    Kept are the parameters that the family names embeddings: words, positions, segments, and their projection.
    Clark et al. 2019, section 5, control their probes with such a model.
    """
    twin = random_twin(encoder, seed, draw)
    learned = {name: weight for name, weight in encoder.model.state_dict().items() if "embed" in name}
    twin.model.load_state_dict(learned, strict=False)
    return twin
