"""How many threads a model computes with."""

import torch


def threads() -> int:
    """The number of threads of this process; another number may round sums differently."""
    return torch.get_num_threads()
