"""Numbers from the logs of the runs: losses, and the highest attention of any head to each target, by step."""

from collections.abc import Sequence
from pathlib import Path

from generator.experiments.pretrain.state import read_log
from generator.experiments.pretrain.watch import INPUTS
from generator.numbers.number import Number, alone
from generator.studies.experiments.seeds_quantities import BEYOND, TARGETS


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
