"""Reading a batch again without some heads, at the cost of the layers from the first disabled head up.

A batch is read once with every head in place. This keeps what each layer returned, what its heads put out, and what its
linear modules put out before attention was computed. In a second reading the layers below the first disabled head
return what they returned before; in the layer of that head, nothing is computed again until its heads are combined.

A trial finds the modules that are the layers: a module list of the model qualifies if its modules are called as often
as attention is computed, each call around one computation. The list is used if, for every layer, short texts read again
without the first head of that layer and of each layer above give what a full forward pass gives. If no list does, every
reading is a full forward pass.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from generator.attention.anatomy import Anatomy, check_calls, forward
from generator.attention.batches import Batch, trial
from generator.attention.changed.disable import CANNOT, NOTHING, Disabled, Disabler, check_can_be_disabled
from generator.attention.hook import observing
from generator.errors import ModelError
from generator.models.encoder import Encoder

TOLERANCE = 1e-6
"""Largest difference between the two ways of computing one number: this, and this share of the number, together."""


@dataclass
class _Tape:
    """What was kept of one batch's first reading, by layer."""

    returned: list[Any] = field(default_factory=list)
    """What the module of each layer returned, in whatever form."""
    linear: list[list[Tensor]] = field(default_factory=list)
    """What each layer's linear modules put out before its attention was computed."""
    heads: list[Tensor] = field(default_factory=list)
    """What each layer's heads put out, `[document, head, token, dim]`."""


class _Reader(Disabler):
    """One forward pass; wraps every layer, every linear module in it and every computation of attention.

    With an empty tape it records what they put out; with a full one it takes from the tape what is known.
    """

    def __init__(self, disabled: Disabled, tape: _Tape, recording: bool, first: int) -> None:
        super().__init__(disabled, first)
        self._tape, self._recording, self._first = tape, recording, first
        self._entered = -1
        """The last layer that was entered."""
        self._before = False
        """Whether the attention of that layer is still to be computed."""
        self._linear = 0
        """How many outputs of linear modules in that layer were taken from the tape."""

    def block(self, run: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Run a layer, unless it lies below the first disabled head."""
        self._entered += 1
        if not self._recording and self._entered < self._first:
            return self._tape.returned[self._entered]
        if self._recording:
            self._tape.linear.append([])
        self._before, self._linear = True, 0
        returned = run(*args, **kwargs)
        if self._recording:
            self._tape.returned.append(returned)
        return returned

    def linear(self, run: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Run a linear module inside a layer, unless the tape holds its output."""
        if not self._before:
            return run(*args, **kwargs)
        if not self._recording and self._entered == self._first:
            self._linear += 1
            return self._tape.linear[self._first][self._linear - 1]
        made = run(*args, **kwargs)
        if self._recording:
            self._tape.linear[self._entered].append(made)
        return made

    def layer(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float) -> Tensor:
        """Attention of one layer, made from the recorded output of its heads where the tape holds that."""
        self._before = False
        if not self._recording and self.calls == self._first:
            self.calls += 1
            # What is on the tape serves the next heads, too, and is changed in place below.
            output = self._tape.heads[self._first].clone()
            return self.change(self._disabled.in_layer(self._first), output, value, bias)
        # Attention outside of these layers, or twice in one, is not recorded; `_replays` then finds too few.
        inside = self._entered == self.calls
        output = super().layer(query, key, value, bias, scale)
        if self._recording and inside:
            self._tape.heads.append(output)
        return output


@dataclass(frozen=True)
class Reading:
    """One batch that was read with every head in place."""

    output: Tensor
    """What the model put out for it."""
    without: Callable[[Disabled], Tensor]
    """What it puts out without some heads."""


class Replayer:
    """Reads batches with one encoder, set to the hook as `examine` leaves it. Raises ModelError if the encoder's heads
    cannot be disabled.
    """

    def __init__(self, encoder: Encoder, anatomy: Anatomy) -> None:
        check_can_be_disabled(encoder, anatomy)
        self._encoder, self._anatomy = encoder, anatomy
        lists = [
            tuple(module) for module in encoder.model.modules() if isinstance(module, nn.ModuleList) and len(module)
        ]
        # Tried, not believed: a list of modules are the layers only if replaying them gives what a full pass gives.
        self.blocks: tuple[nn.Module, ...] = next((blocks for blocks in lists if self._replays(blocks)), ())
        """The modules of the layers; none where every reading is a full forward pass."""

    def full(self, batch: Batch, disabled: Disabled = NOTHING) -> Tensor:
        """What the model puts out for a batch without these heads, by a full forward pass."""
        disabler = Disabler(disabled)
        with observing(disabler):
            output = forward(self._encoder, batch)
        check_calls(self._encoder, self._anatomy, disabler.calls, CANNOT)
        return output

    def read(self, batch: Batch) -> Reading:
        """Read a batch with every head in place."""
        if not self.blocks:
            return Reading(self.full(batch), lambda disabled: self.full(batch, disabled))
        tape = _Tape()
        output = self._run(self.blocks, batch, _Reader(NOTHING, tape, recording=True, first=0))

        def without(disabled: Disabled) -> Tensor:
            return self._run(self.blocks, batch, _Reader(disabled, tape, recording=False, first=disabled.first))

        return Reading(output, without)

    def _run(self, blocks: Sequence[nn.Module], batch: Batch, reader: _Reader) -> Tensor:
        with _around(blocks, reader), observing(reader):
            output = forward(self._encoder, batch)
        check_calls(self._encoder, self._anatomy, reader.calls, CANNOT)
        return output

    def _replays(self, blocks: tuple[nn.Module, ...]) -> bool:
        """Whether, with these modules as the layers, reading again gives what a full forward pass gives."""
        layers, batch = self._anatomy.layers, trial(self._encoder, padded=self._anatomy.pads)
        tape = _Tape()
        self._run(blocks, batch, _Reader(NOTHING, tape, recording=True, first=0))
        if not len(tape.returned) == len(tape.heads) == layers:
            return False
        for first in range(layers):
            # From every layer on, so that each cut between what is replayed and what is computed is tried.
            some = Disabled.of("zero", ((layer, 0) for layer in range(first, layers)))
            expected = self.full(batch, some)
            try:
                found = self._run(blocks, batch, _Reader(some, tape, recording=False, first=first))
            except (ModelError, RuntimeError, IndexError):
                return False
            if not torch.allclose(found, expected, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True):
                return False
        return True


@contextmanager
def _around(blocks: Sequence[nn.Module], reader: _Reader) -> Iterator[None]:
    """Forward passes inside this block go through the reader's methods."""
    linear = {module for block in blocks for module in block.modules() if isinstance(module, nn.Linear)}
    with ExitStack() as wrapped:
        for modules, step in ((set(blocks), reader.block), (linear - set(blocks), reader.linear)):
            for module in modules:
                wrapped.enter_context(_wrapped(module, step))
        yield


@contextmanager
def _wrapped(module: nn.Module, step: Callable[..., Any]) -> Iterator[None]:
    # What stands on the module itself hides the method of its class, and may have been put there by others.
    own = vars(module).get("forward")
    run = module.forward
    vars(module)["forward"] = lambda *args, **kwargs: step(run, *args, **kwargs)
    try:
        yield
    finally:
        del vars(module)["forward"]
        if own is not None:
            vars(module)["forward"] = own
