"""Which code made the results of an experiment, and whether that is the current code."""

from collections.abc import Iterable
from pathlib import Path

from generator.files import UNKNOWN, Known
from generator.results.store import find
from generator.survey.code import CODE, Code

NO_NUMBER = "It compares code, and computes nothing that is stored."
TUNING = "curve.task"
"""Scores after fine-tuning along a curve, which are stored as "curve.rte"."""
MADE_BY = {
    "finetune": "generator.experiments.finetune.run.run_finetune",
    "disable": "generator.experiments.disable.run.run_disable",
    "compare": "generator.experiments.compare.run.run_compare",
    "curve": "generator.experiments.curve.runs.run_curve",
    TUNING: "generator.experiments.curve.runs.run_curve_tuning",
    "seeds": "generator.experiments.seeds.run.run_seeds",
}
"""The function that makes an experiment of each kind. They are named, not imported: that would load torch."""


def code_of(experiment: str, code: Code = CODE) -> str:
    """Checksum of the code of an experiment such as "finetune.rte"."""
    made = TUNING if experiment.startswith("curve.") else kind(experiment)
    return code.checksum([MADE_BY[made]])


def older(places: Iterable[Path], code: Code = CODE, known: Known = UNKNOWN) -> list[str]:
    """The folders of experiments that were made by other code than the current one, or by code that was not recorded.

    Folders that cannot be opened are skipped: building the site reports them. `known` is as in `find`.
    """
    found = [one.manifest for results in find(places, [], known) for one in results.more if one.manifest.experiment]
    return [one.folder for one in found if one.studies.get(kind(one.experiment)) != code_of(one.experiment, code)]


def kind(experiment: str) -> str:
    """The kind of an experiment, which is also the name of the folder with its code: "finetune" for "finetune.rte"."""
    return experiment.partition(".")[0]
