"""A run in a process of its own, to be killed: `python -m tests.experiments.killed finetune|pretrain PLACE OUT`."""

import os
import sys
from pathlib import Path

import torch

from generator.topics.learning.run.pretrain.run import pretrain
from tests.experiments.reviews import run, tiny
from tests.reports import Silence
from tests.topics.learning.run.pretrain import novels

if __name__ == "__main__":
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    torch.set_num_threads(1)
    name, place, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    if name == "pretrain":
        pretrain(novels.tiny(), place, out, Silence())
    else:
        run(place, tiny(), out)
