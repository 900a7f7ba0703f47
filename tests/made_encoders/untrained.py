"""Encoders of random weights: as a model is before training, and one whose maps are sharp.

Geometry names the heads of the first: small weights make even maps, so they look broadly. It names none of
the second.
"""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import torch
from transformers import BertConfig, BertModel

from generator.claims.claim import judge
from generator.claims.evidence.evidence import Evidence
from generator.claims.gate.maps import BROAD
from generator.claims.verdict import Verdict
from generator.models.source import locate
from generator.topics.relations.claims.syntax import C20
from tests.made_encoders.reading import leaning, names, read

LAYERS, HEADS, HIDDEN, TIMES = 6, 12, 192, 8
"""The last is by how much the weights of queries and keys are larger where maps are sharp."""

FROM_GEOMETRY = {True: {}, False: {BROAD: LAYERS * HEADS}}
"""Whether maps are sharp -> the kinds of names that random weights give, and to how many heads."""


class Untrained(NamedTuple):
    """What the gate says of an encoder of random weights."""

    named: dict[str, int]
    """Kind of name -> how many heads have it."""
    leaning: int
    """Of how many heads a lean, or something that they find, is told in the place of a name."""
    directed: Verdict
    """The verdict on C20, that dependents attend to their head words."""


def untrained(folder: Path, seed: int, *, sharp: bool, documents: int | None = None) -> Untrained:
    """Read such an encoder on the articles and the treebank of the project, or on a sample of both."""
    model = write_untrained(folder / "random", seed, sharp=sharp)
    atlas = read(model, folder / "results", ("articles", "treebank"), documents=documents)
    kinds = Counter(name.kind for name in names(atlas).values())
    return Untrained(dict(kinds), len(leaning(atlas)), judge(C20, Evidence(atlas.results)).verdict)


def write_untrained(folder: Path, seed: int, *, sharp: bool) -> Path:
    """Save an encoder of random weights with the tokenizer of MiniLM."""
    words = locate("all-MiniLM-L6-v2").folder
    torch.manual_seed(seed)
    config = BertConfig(
        hidden_size=HIDDEN, num_hidden_layers=LAYERS, num_attention_heads=HEADS, intermediate_size=4 * HIDDEN
    )
    model = BertModel(config, add_pooling_layer=False)
    if sharp:
        with torch.no_grad():
            for name, weight in model.named_parameters():
                if name.endswith(("query.weight", "key.weight")):
                    weight.mul_(TIMES)
    model.save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt", "special_tokens_map.json"):
        if (words / name).is_file():
            (folder / name).write_bytes((words / name).read_bytes())
    return folder
