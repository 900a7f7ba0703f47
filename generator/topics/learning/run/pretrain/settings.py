"""The settings of a pre-training run: immutable, read from a TOML file, and checked when they are made."""

import tomllib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import ConfigDict, Field, ValidationError, model_validator
from pydantic.dataclasses import dataclass

from generator.config import Count, NotNegative, Positive
from generator.defaults import Device
from generator.errors import SettingsError, reason
from generator.limits import MIN_TOKENS, MOST_SEED, check_text

Share = Annotated[float, Field(ge=0, lt=1, allow_inf_nan=False)]

MACHINE = frozenset({"ahead", "device", "save_seconds", "watch_every"})
"""Settings that may differ when a run is continued; all others identify the run."""
SET = "--set"
"""The option whose values count instead of those of a settings file."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Pretraining:
    """The keys of a settings file; the defaults are BERT's (Devlin et al. 2019, appendix A.2) where size allows."""

    steps: Count
    """Updates of the weights."""
    warm_up: Annotated[int, Field(strict=True, ge=0)]
    """Steps in which the learning rate rises from 0 to its peak; it then falls to 0 in a straight line."""
    rate: Positive
    """Peak learning rate."""

    vocabulary: Count = 8000
    """Word pieces, special tokens included."""
    layers: Count = 4
    heads: Count = 4
    hidden: Count = 128
    intermediate: Count = 512
    max_tokens: Annotated[int, Field(strict=True, ge=MIN_TOKENS)] = 128
    """Longest input, special tokens included; the model has as many positions."""
    dropout: Share = 0.1
    """Dropout rate of hidden states and of attention weights."""
    initial_spread: Positive = 0.02
    """Standard deviation of the first weights."""

    masked: Annotated[float, Field(gt=0, lt=1)] = 0.15
    """Share of the tokens of each input that are to be predicted."""
    whole_words: Annotated[bool, Field(strict=True)] = False
    """True hides all pieces of a word together."""
    to_mask: Annotated[float, Field(ge=0, le=1)] = 0.8
    """Share of the tokens to be predicted that become [MASK]."""
    to_random: Annotated[float, Field(ge=0, le=1)] = 0.1
    """Share of them that become a random piece; the rest are shown as they are."""
    segments: Annotated[bool, Field(strict=True)] = True
    """False trains without segment embeddings: both segments are the first."""
    next_sentence: Annotated[bool, Field(strict=True)] = True
    """False drops only this loss: the inputs stay the same, so two runs differ only in the objective."""
    first_steps: Annotated[int, Field(strict=True, ge=0)] = 0
    """How many steps at the start read short inputs, in batches of about as many tokens as the others: BERT, too, read
    inputs of 128 tokens before those of 512. In short inputs a model learns sooner to find the neighbours of a token.
    """
    first_tokens: Annotated[int, Field(strict=True, ge=MIN_TOKENS)] = 24
    """Longest input of those steps."""
    positions: Literal["random", "sinusoidal"] = "random"
    """How position embeddings are initialised; sinusoidal as in Vaswani et al. 2017, section 3.5, scaled to the spread
    of the other weights. They are learned in either case.
    """
    short: Share = 0.1
    """Share of the inputs that are made shorter; their length is drawn uniformly."""

    batch: Count = 32
    """Inputs a step."""
    optimiser: Literal["adamw", "muon"] = "adamw"
    """muon updates the matrices inside the layers, and AdamW all else; see `updates`."""
    weight_decay: NotNegative = 0.01
    """Not applied to biases and layer norms."""
    clip: Positive = 1.0
    """The Euclidean norm to which longer gradients are shortened."""
    precision: Literal["float32", "bfloat16"] = "float32"
    """bfloat16 computes under autocast; weights and their updates stay in float32."""
    seed: Annotated[int, Field(strict=True, ge=0, le=MOST_SEED)] = 0

    checkpoints: Annotated[int, Field(strict=True, ge=2)] = 30
    """The most models that are kept: the untrained one, then evenly on a logarithmic scale up to the last step."""
    first_checkpoint: Count = 16
    """The first step after 0 whose model is kept."""
    held_out: Count = 1024
    """Inputs of held-out text on which every kept model is evaluated."""
    log_every: Count = 100
    """Steps between two lines of the log."""
    watch_every: Annotated[int, Field(strict=True, ge=0)] = 500
    """Steps between two looks at what the heads attend to; with 0 only kept models are looked at."""

    device: Device = "auto"
    ahead: Annotated[int, Field(strict=True, ge=0)] = 0
    """How many batches a process of its own may have ready, so that a GPU need not wait for them; with 0 each is made
    when it is read.
    """
    save_seconds: NotNegative = 150
    """Time after which the state is saved again; a killed run loses no more than this."""

    @model_validator(mode="after")
    def _consistent(self) -> "Pretraining":
        if self.hidden % self.heads:
            raise ValueError(f"hidden to be a multiple of heads, found {self.hidden} and {self.heads}")
        if self.to_mask + self.to_random > 1:
            raise ValueError(f"to_mask and to_random of at most 1 together, found {self.to_mask} and {self.to_random}")
        if self.warm_up >= self.steps:
            raise ValueError(f"warm_up below steps, found {self.warm_up} and {self.steps}")
        if self.first_steps > self.steps:
            raise ValueError(f"first_steps of at most steps, found {self.first_steps} and {self.steps}")
        if self.first_steps and self.first_tokens > self.max_tokens:
            raise ValueError(f"first_tokens of at most max_tokens, found {self.first_tokens} and {self.max_tokens}")
        if self.first_checkpoint > self.steps:
            raise ValueError(f"first_checkpoint of at most steps, found {self.first_checkpoint} and {self.steps}")
        return self

    @property
    def identity(self) -> dict[str, Any]:
        """The settings that can change a number."""
        return {key: value for key, value in asdict(self).items() if key not in MACHINE}

    @property
    def kept(self) -> list[int]:
        """The steps whose models are kept.

        >>> Pretraining(steps=1000, warm_up=0, rate=1, checkpoints=5, first_checkpoint=1).kept
        [0, 1, 10, 100, 1000]
        """
        scale = np.geomspace(self.first_checkpoint, self.steps, self.checkpoints - 1)
        return [0, *np.unique(np.rint(scale).astype(int)).tolist()]


def read_pretraining(path: Path, changes: Sequence[str] = ()) -> Pretraining:
    """Read a settings file. `changes` are texts KEY=VALUE, the value as TOML, that count instead of what it says.

    Raises SettingsError naming the key, and the file or the option in which it stands.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise SettingsError(
            f"Expected the settings of a pre-training run in {path}, found no such file; give --config."
        ) from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"Expected TOML in {path}, found an error: {reason(error)}.") from None
    changed = _changed(changes)
    check_text(data, str(path))
    check_text(changed, SET)
    try:
        return Pretraining(**data | changed)
    except ValidationError as error:
        first = error.errors()[0]
        if not first["loc"]:
            wanted, places = first["msg"].removeprefix("Value error, "), f"{path} and {SET}" if changed else path
            raise SettingsError(f"Expected {wanted} in {places}; correct one of them.") from None
        key, found = first["loc"][0], f"{first['input']!r} ({first['msg']})"
        where = SET if key in changed else path
        raise SettingsError(f"Expected another value of {key} in {where}, found {found}; correct it.") from None


def _changed(changes: Sequence[str]) -> dict[str, Any]:
    """Key -> value. Raises SettingsError for a change that is not KEY=VALUE, and for a key that is given twice."""
    found: dict[str, Any] = {}
    for change in changes:
        key, _, text = (part.strip() for part in change.partition("="))
        try:
            (value,) = tomllib.loads(f"value = {text}").values()
        except (ValueError, RecursionError):
            raise SettingsError(
                f"Expected KEY=VALUE in {SET}, with the value as TOML, found {change!r}; write {key or 'KEY'}=0.5, or "
                f"{key or 'KEY'}='\"adamw\"' for a word."
            ) from None
        if key in found:
            raise SettingsError(f"Expected each key once in {SET}, found {key} twice; leave one out.")
        found[key] = value
    return found
