"""The trainings that are compared, what they must have in common, and what the logs of their runs say of each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from generator.attention.anatomy import examine
from generator.errors import ModelError
from generator.models.encoder import Encoder
from generator.models.source import Source, locate
from generator.numbers.number import Number, alone
from generator.topics.learning.run.curve.checkpoints import read_checkpoints
from generator.topics.learning.run.pretrain.state import CHECKPOINTS, read_log, read_run
from generator.topics.learning.run.pretrain.watch import INPUTS
from generator.topics.seeds.records import BEYOND, TARGETS

FEWEST = 2
SEED = "seed"


@dataclass(frozen=True)
class Training:
    """A model that was trained."""

    source: Source
    run: Path | None
    """The folder of its run; None if `pretrain` did not make it."""

    @classmethod
    def find(cls, place: str) -> "Training":
        """The last model of a run, or a model by its folder or id.

        Raises ModelError if there is no such model or the run is not finished.
        """
        run = Path(place)
        if not (run / CHECKPOINTS).is_dir():
            return cls(locate(place), None)
        last, steps = read_checkpoints(run)[-1], read_run(run).get("settings", {}).get("steps")
        if steps is not None and last.step != steps:
            raise ModelError(
                f"Expected a finished run in {run}, found step {last.step} of {steps}; give the command of its "
                "training again, and it goes on."
            )
        return cls(replace(locate(last.model), id=run.resolve().name), run)

    @property
    def recipe(self) -> dict[str, Any]:
        """Settings and text of its run, without the seed; empty if they are not known."""
        run = read_run(self.run) if self.run else {}
        known = {name: value for name, value in run.get("settings", {}).items() if name != SEED}
        return {"settings": known, "text": run["text"]} if run else {}

    @property
    def said(self) -> dict[str, Any]:
        """What the manifest says about it: name, weights and, if known, the seed."""
        known = read_run(self.run).get("settings", {}) if self.run else {}
        return {"name": self.source.id, "weights": self.source.sha256} | {key: known[key] for key in (SEED,) if known}


def check_distinct(found: Sequence[Training]) -> None:
    """Raises ModelError for fewer than two trainings, and for two with the same name or the same weights."""
    names = [training.source.id for training in found]
    if len(found) < FEWEST:
        raise ModelError(f"Expected {FEWEST} trainings or more, found {', '.join(names)}; add another.")
    for at, run in enumerate(found):
        for other in found[:at]:
            if other.source.sha256 == run.source.sha256:
                raise ModelError(
                    f"Expected trainings that differ, found the same weights in {other.source.id} and "
                    f"{run.source.id}; leave one out."
                )
            if other.source.id == run.source.id:
                raise ModelError(f"Expected trainings of different names, found {run.source.id!r} twice; rename one.")


def check_trainings(found: Sequence[Training]) -> None:
    """Raises ModelError for trainings that are not distinct, and for runs that differ in more than their seed."""
    check_distinct(found)
    runs = [training for training in found if training.run]
    for run in runs[1:]:
        if run.recipe != runs[0].recipe:
            raise ModelError(
                f"Expected {run.source.id} to be trained as {runs[0].source.id} but for its seed, found other settings "
                "or other text; train it with the same settings file and --seed."
            )


def check_shape(encoders: Sequence[Encoder]) -> None:
    """Raises ModelError if an encoder has other numbers of layers or heads than the first."""
    shapes = [(encoder.id, (found.layers, found.heads)) for encoder in encoders for found in [examine(encoder)]]
    first, (layers, heads) = shapes[0]
    for name, shape in shapes[1:]:
        if shape != (layers, heads):
            raise ModelError(
                f"Expected {layers} layers of {heads} heads in {name} as in {first}, found {shape[0]} of {shape[1]}; "
                "compare trainings of one shape."
            )


def log_facts(runs: Sequence[Path | None]) -> dict[str, Number]:
    """`attention` and `loss` of every training at every logged step, and `came`, the first logged step at which some
    head attends to a target. A training without a log has no numbers.
    """
    found: dict[str, Number] = {}
    for at, run in enumerate(runs, start=1):
        log = read_log(run) if run else []
        hidden = next((int(line["hidden_tokens"]) for line in log if line["kind"] == "held-out"), 0)
        for line in log:
            step = line["step"]
            if line["kind"] == "watch":
                for target in TARGETS:
                    known = [times for times in line["attention"][target]["highest_times"] if times is not None]
                    if known:
                        found[f"attention.{target}.{at}.{step}"] = alone(max(known), INPUTS)
                    if known and max(known) > BEYOND:
                        found.setdefault(f"came.{target}.{at}", alone(step, INPUTS))
            elif line["kind"] == "evaluation":
                found[f"loss.{at}.{step}"] = alone(line["masked_loss"], hidden)
    return found
