"""Several processes that train one model together, as `accelerate launch` or `torchrun` starts them.

Each process reads its share of every batch; its losses are weighted so that the mean over the processes is the mean
over the batch. Only the main process writes and reports. A process that was started alone needs none of this.
"""

import atexit
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta

import torch
from accelerate import PartialState
from accelerate.utils import broadcast_object_list, gather_object, get_int_from_env, reduce
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from transformers import BertForPreTraining

from generator.errors import DeviceError, FieldguideError, SettingsError
from generator.models.load import choose_device
from generator.progress import Advance, Report
from generator.topics.learning.run.pretrain.data.masking import Batch
from generator.topics.learning.run.pretrain.evaluation import losses
from generator.topics.learning.run.pretrain.settings import Pretraining

COUNTS = ("WORLD_SIZE", "PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE")
"""Environment variables in which launchers say how many processes there are; accelerate reads the same ones."""
PATIENCE = timedelta(days=7)
"""How long processes wait for the main one, which may analyse a model meanwhile."""


@dataclass(frozen=True)
class Processes:
    """The number of processes, the 0-based number of this one, and the device on which it computes."""

    count: int
    index: int
    device: torch.device

    @property
    def main(self) -> bool:
        """Whether this process writes and reports."""
        return self.index == 0

    @contextmanager
    def together(self) -> Iterator[None]:
        """At the end of the block the processes wait for each other. An error in any of them ends all, and the main
        process raises it.

        The others end quietly, with exit code 0: otherwise a launcher would end the main process before it can report.
        """
        if self.count == 1:
            yield
            return
        error = None
        try:
            yield
        except FieldguideError as found:
            error = found
        errors = [found for found in gather_object([error]) if found is not None]
        if errors and self.main:
            raise errors[0]
        if errors:
            raise SystemExit(0)

    def report(self, report: Report) -> Report:
        """The report itself in the main process, and one that says nothing in the others."""
        return report if self.main else _Silence()

    def share(self, batch: Batch) -> tuple[Batch, float, float]:
        """The part of a batch that this process reads, and the weights of its masked-LM and next-sentence losses.

        The weights are its shares of the hidden tokens and of the inputs, times the number of processes.
        """
        if self.count == 1:
            return batch, 1.0, 1.0
        part = batch.part(self.index, self.count)
        hidden, inputs = len(part.targets) / len(batch.targets), len(part.ids) / len(batch.ids)
        # Gradients are averaged over the processes, so that a share counts as often as there are processes.
        return part, hidden * self.count, inputs * self.count

    def wrap(self, objective: nn.Module) -> nn.Module:
        """The module; with several processes, wrapped so that all keep the same weights and average their gradients."""
        return objective if self.count == 1 else DistributedDataParallel(objective)

    def mean(self, values: torch.Tensor) -> list[float]:
        """The mean over the processes, number by number."""
        means: list[float] = (values if self.count == 1 else reduce(values, "mean")).tolist()
        return means

    def agree(self, said: bool) -> bool:
        """What the main process says, in every process."""
        return said if self.count == 1 else bool(broadcast_object_list([said])[0])

    def close(self) -> None:
        """Arrange that the connection between the processes ends with the program."""
        if self.count > 1:
            atexit.register(PartialState().destroy_process_group)


class Objective(nn.Module):
    """The loss as one module, so that a single forward pass is enough to share gradients."""

    def __init__(self, model: BertForPreTraining, next_sentence: bool) -> None:
        super().__init__()
        self.model, self.next_sentence = model, next_sentence

    def forward(self, batch: Batch, hidden: float, inputs: float) -> tuple[torch.Tensor, torch.Tensor]:
        """The loss to be lowered, and the weighted masked-LM and next-sentence losses, detached, `[2]`; all in nats."""
        masked, follows, _, _ = losses(self.model, batch)
        masked, follows = masked * hidden, follows * inputs
        loss = masked + follows if self.next_sentence else masked
        return loss, torch.stack([masked, follows]).detach()


def find_processes(settings: Pretraining) -> Processes:
    """Join the processes that were started together with this one.

    Raises DeviceError if there are too few devices for them, SettingsError if there are more processes than inputs.
    """
    device = choose_device(settings.device)
    count = get_int_from_env(COUNTS, 1)
    if count == 1:
        return Processes(1, 0, device)
    wanted = get_int_from_env(["LOCAL_WORLD_SIZE"], 1)
    here = {"cpu": wanted, "cuda": torch.cuda.device_count()}.get(device.type, 1)
    if wanted > here:
        raise DeviceError(
            f"Expected a {device.type} device for each of {wanted} processes, found {here} on this machine; "
            "start fewer processes or set another device."
        )
    if count > settings.batch:
        raise SettingsError(
            f"Expected a batch of at least one input for each of {count} processes, found {settings.batch}; "
            "start fewer processes or set a larger batch."
        )
    state = PartialState(cpu=device.type == "cpu", timeout=PATIENCE)
    return Processes(state.num_processes, state.process_index, state.device)


class _Silence:
    """A report for processes that report nothing."""

    def bar(self, title: str, total: int) -> AbstractContextManager[Advance]:  # noqa: ARG002 - a Report
        return nullcontext(lambda done: None)  # noqa: ARG005 - as above

    def note(self, text: str) -> None:
        pass

    def warn(self, text: str) -> None:
        pass
