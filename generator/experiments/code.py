"""Which code made the results of an experiment, and whether it is today's."""

from collections.abc import Iterable
from pathlib import Path

from generator.results.store import find
from generator.survey.code import CODE, Code


def code_of(experiment: str, code: Code = CODE) -> str:
    """Checksum of the code of an experiment such as "finetune.rte": of its folder and of all that this imports."""
    return code.checksum(code.modules_below(f"experiments/{kind(experiment)}"))


def older(places: Iterable[Path], code: Code = CODE) -> list[str]:
    """The folders of experiments that were made by other code than today's, or by code that nobody noted.

    Folders that cannot be opened are passed over; whoever shows the rest says so.
    """
    found = [one.manifest for results in find(places, []) for one in results.more if one.manifest.experiment]
    return [one.folder for one in found if one.studies.get(kind(one.experiment)) != code_of(one.experiment, code)]


def kind(experiment: str) -> str:
    """What is done, and the name of the folder with its code."""
    return experiment.partition(".")[0]
