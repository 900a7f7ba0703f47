"""The settings of a fine-tuning run: immutable, and checked when they are made."""

from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass

from generator.config import Count, NotNegative, Positive
from generator.defaults import Device
from generator.errors import SettingsError
from generator.limits import MIN_TOKENS

MACHINE = frozenset({"device", "save_seconds", "seeds"})
"""Settings that may differ when runs are continued; all others identify the runs."""
RATE, HEAD_RATE = 5e-5, 1e-2
"""Peak learning rates: BERT's for a whole model; a head alone hardly moves at that rate.

The features of the embedded encoder are small: at 1e-3, a head on them gives every example of MRPC the same answer.
"""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Finetuning:
    """The recipe of Kovaleva et al. 2019, section 3, with what they leave open as in BERT (Devlin et al. 2019, A.3)."""

    task: str
    start: Literal["pretrained", "random"] = "pretrained"
    """Random: the same configuration with all weights drawn anew, embeddings too."""
    frozen: Annotated[bool, Field(strict=True)] = False
    """True trains only the head, and any part of the encoder that the checkpoint lacks."""
    seeds: Count = 2
    """Runs, with the seeds 0, 1, ...; a seed decides the new weights, the order of the examples and dropout."""
    epochs: Count = 3
    batch: Count = 32
    rate: Positive | None = None
    """Peak learning rate; None means 5e-5, or 1e-2 if the encoder is frozen."""
    warm_up: Annotated[float, Field(ge=0, lt=1)] = 0.1
    """Share of the steps in which the rate rises from 0 to its peak; it then falls to 0 in a straight line."""
    weight_decay: NotNegative = 0.01
    """Not applied to biases and layer norms."""
    max_tokens: Annotated[int, Field(strict=True, ge=MIN_TOKENS)] = 128
    """Longest input, special tokens included."""
    examples: Count | None = None
    """How many training examples are used, the same sample for all seeds; None for all."""
    precision: Literal["float32", "bfloat16"] = "float32"
    """bfloat16 trains under autocast; weights and their updates stay in float32, and so do predictions."""
    device: Device = "auto"
    save_seconds: NotNegative = 150
    """Time after which the state is saved again; a killed run loses no more than this."""

    @property
    def peak_rate(self) -> float:
        """The learning rate after warm-up."""
        return self.rate or (HEAD_RATE if self.frozen else RATE)

    @property
    def folder(self) -> str:
        """The name of the runs' folder."""
        return f"{self.start}-frozen" if self.frozen else self.start

    @property
    def identity(self) -> dict[str, Any]:
        """The settings that can change a number."""
        kept = {key: value for key, value in asdict(self).items() if key not in MACHINE}
        return kept | {"rate": self.peak_rate}


def make_finetuning(**options: Any) -> Finetuning:
    """Check what a person typed. Raises SettingsError naming the option."""
    try:
        return Finetuning(**options)
    except ValidationError as error:
        first = error.errors()[0]
        option = str(first["loc"][0]).replace("_", "-")
        raise SettingsError(
            f"Expected another value of --{option}, found {first['input']!r} ({first['msg']}); correct it."
        ) from None
