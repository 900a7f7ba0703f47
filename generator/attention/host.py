"""What leaves a GPU: copies that it makes while it goes on computing."""

import torch
from torch import Tensor


class Leaving:
    """A tensor on its way to the memory of the host; one that is there already is not copied."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor.detach()
        if not tensor.is_cpu:
            # When nobody waits for a copy from a GPU, torch allocates pinned memory for it on the host.
            # Only CUDA has an event to wait for, so a copy from MPS is waited for at once.
            self._tensor = self._tensor.to("cpu", non_blocking=tensor.device.type != "mps")
        self._made = torch.cuda.Event() if tensor.is_cuda else None  # type: ignore[no-untyped-call]
        if self._made:
            self._made.record()

    def arrived(self) -> Tensor:
        """The tensor on the host; waits for the copy to be made, and for nothing that was asked for after it."""
        if self._made:
            self._made.synchronize()
        return self._tensor
