"""Which code made the results of an experiment, and whether that is the current code."""

from collections.abc import Iterable
from pathlib import Path

from generator.files import UNKNOWN, Known
from generator.results.store import find
from generator.survey.code import CODE, Code


def code_of(experiment: str, code: Code = CODE) -> str:
    """Checksum of the code of an experiment such as "finetune.rte": its folder and everything that this imports."""
    return code.checksum(code.modules_below(f"experiments/{kind(experiment)}"))


def older(places: Iterable[Path], code: Code = CODE, known: Known = UNKNOWN) -> list[str]:
    """The folders of experiments that were made by other code than the current one, or by code that was not recorded.

    Folders that cannot be opened are skipped: building the site reports them. `known` is as in `find`.
    """
    found = [one.manifest for results in find(places, [], known) for one in results.more if one.manifest.experiment]
    return [one.folder for one in found if one.studies.get(kind(one.experiment)) != code_of(one.experiment, code)]


def kind(experiment: str) -> str:
    """The kind of an experiment, which is also the name of the folder with its code: "finetune" for "finetune.rte"."""
    return experiment.partition(".")[0]
