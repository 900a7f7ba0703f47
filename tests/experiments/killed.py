"""A pre-training run in a process of its own, to be killed: `python -m tests.experiments.killed DATA OUT`."""

import sys
from pathlib import Path

import torch

from generator.experiments.pretrain.start import pretrain
from tests.experiments.pretrain.novels import tiny
from tests.reports import Silence

if __name__ == "__main__":
    torch.set_num_threads(1)
    pretrain(tiny(), Path(sys.argv[1]), Path(sys.argv[2]), Silence())
