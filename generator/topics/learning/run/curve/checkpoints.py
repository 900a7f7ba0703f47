"""Reads the checkpoints of a pre-training run, a folder of models or a list of hub revisions, in the order of steps."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from generator.errors import ModelError, reason
from generator.limits import SHOWN
from generator.models.source import Source, locate
from generator.topics.learning.run.pretrain.state import CHECKPOINTS

FEWEST = 2
DIGITS = 12
"""The most digits that a step may have."""
_STEP = re.compile(r"(\d+)$")
"""Folders are named after their step: step-0000123, checkpoint-500."""


@dataclass(frozen=True)
class Checkpoint:
    """A model at one step of its training."""

    step: int
    model: str
    """A folder or a hub id."""
    revision: str | None = None

    @property
    def name(self) -> str:
        """The name of its results, which depends on the step and not on the model's name."""
        return f"step-{self.step:09d}"

    @property
    def has_weights(self) -> bool:
        """False for a folder whose weights were deleted once they had been analysed."""
        return not Path(self.model).is_dir() or any(Path(self.model).glob("*.safetensors"))

    @cached_property
    def source(self) -> Source:
        """Its files, under its name. Raises ModelError if they cannot be found or fetched."""
        return replace(locate(self.model, self.revision), id=self.name)


def read_checkpoints(place: Path) -> list[Checkpoint]:
    """Read what a path lists, in the order of steps.

    The folder of a run holds `checkpoints/`; any other folder holds one folder for each checkpoint, whose name ends
    with its step. A text file has one checkpoint a line: its step, a hub id or a folder, and perhaps a revision; `#`
    begins a comment. Raises ModelError for fewer than two checkpoints, for a line that says something else, and for a
    step named twice.
    """
    if place.is_dir():
        found = _folders(place / CHECKPOINTS if (place / CHECKPOINTS).is_dir() else place)
    elif place.is_file():
        found = _lines(place)
    else:
        raise ModelError(f"Expected a run or a list of checkpoints at {place}, found nothing; check the path.")
    if len(found) < FEWEST:
        raise ModelError(f"Expected {FEWEST} checkpoints or more in {place}, found {len(found)}; add some.")
    ordered = sorted(found, key=lambda one: one.step)
    twice = next((a.step for a, b in pairwise(ordered) if a.step == b.step), None)
    if twice is not None:
        raise ModelError(f"Expected every step once in {place}, found step {twice} twice; keep one of them.")
    return ordered


def check_alike(shapes: Sequence[tuple[Checkpoint, tuple[int, int]]]) -> None:
    """Raises ModelError where a checkpoint has other layers or heads, `(layers, heads)`, than the first."""
    first, (layers, heads) = shapes[0]
    for checkpoint, shape in shapes[1:]:
        if shape != (layers, heads):
            raise ModelError(
                f"Expected {layers} layers of {heads} heads at step {checkpoint.step} as at step {first.step}, found "
                f"{shape[0]} of {shape[1]} in {checkpoint.model}; list checkpoints of one model."
            )


def _folders(place: Path) -> list[Checkpoint]:
    found = []
    for path in sorted(path for path in place.iterdir() if (path / "config.json").is_file()):
        match = _STEP.search(path.name)
        if not match:
            raise ModelError(
                f"Expected folders whose names end with a step in {place}, found {path.name!r}; rename it, or list the "
                "checkpoints in a text file."
            )
        found.append(Checkpoint(int(match[1]), str(path)))
    return found


def _lines(path: Path) -> list[Checkpoint]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(
            f"Expected a list of checkpoints in {path}, found: {reason(error)}; give a text file."
        ) from None
    found = []
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if not words[0].isdecimal() or len(words[0]) > DIGITS or len(words) not in (2, 3):
            raise ModelError(
                f"Expected a step, a model and perhaps a revision in line {number} of {path}, found "
                f"{line.strip()[:SHOWN]!r}; correct the line."
            )
        found.append(Checkpoint(int(words[0]), *words[1:]))
    return found
