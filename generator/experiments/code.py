"""Which code made the results of an experiment, and whether code of today would make the same.

What takes hours is not made again for every change of code. A file `checked.toml` beside the results says of code that
was replaced by other code how both were compared, and that they gave the same numbers.
"""

import tomllib
from collections.abc import Iterable
from datetime import date
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import TypeAdapter, ValidationError

from generator.errors import ResultsError, reason
from generator.files import UNKNOWN, Known
from generator.results.manifest import Manifest
from generator.results.store import find
from generator.survey.code import CODE, Code
from generator.topics import TOPICS

NO_NUMBER = "It compares code, and computes nothing that is stored."
CHECKED = "checked.toml"
TASK = ".task"
"""What ends the name of an experiment on tasks that is also made without one: "curve.task" is stored as "curve.rte"."""
MADE_BY = {name: f"{topic.package}.{place}" for topic in TOPICS for name, place in topic.experiments.items()}
"""The function that makes an experiment of each kind. They are named, not imported: that would load torch."""


class Check(NamedTuple):
    """Two pieces of code that were compared, an entry of `checked.toml`."""

    date: date
    made: tuple[str, ...]
    """Checksums of the code that made results; of results that do not name their code, their fingerprint."""
    code: str
    """Checksum of the code with which it was compared."""
    check: str
    """How they were compared, and what was found."""


def code_of(experiment: str, code: Code = CODE) -> str:
    """Checksum of the code of an experiment such as "finetune.rte"."""
    of_task = f"{kind(experiment)}{TASK}"
    made = of_task if experiment != kind(experiment) and of_task in MADE_BY else kind(experiment)
    return code.checksum([MADE_BY[made]])


def older(places: Iterable[Path], code: Code = CODE, known: Known = UNKNOWN) -> list[str]:
    """The folders of experiments that were made by other code than the current one, or by code that was not recorded,
    and for which no check says that the current code gives the same.

    Folders that cannot be opened are skipped: building the site reports them. `known` is as in `find`. Raises
    ResultsError for a file of checks that cannot be read.
    """
    places = list(places)
    checked = {(made, check.code) for place in places for check in checks(place / CHECKED) for made in check.made}
    now = cache(lambda experiment: code_of(experiment, code))

    def is_current(manifest: Manifest) -> bool:
        made = manifest.studies.get(kind(manifest.experiment), manifest.fingerprint)
        return made == now(manifest.experiment) or (made, now(manifest.experiment)) in checked

    found = [
        other.manifest for results in find(places, [], known) for other in results.more if other.manifest.experiment
    ]
    return [manifest.folder for manifest in found if not is_current(manifest)]


def checks(path: Path) -> list[Check]:
    """The entries of a file of checks; none if there is no file. Raises ResultsError."""
    if not path.is_file():
        return []
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return TypeAdapter(dict[Literal["checked"], list[Check]]).validate_python(data).get("checked", [])
    except (OSError, ValueError, RecursionError) as error:
        said = _first(error) if isinstance(error, ValidationError) else reason(error)
        raise ResultsError(
            f"Expected entries [[checked]] with date, made, code and check in {path}, found: {said}; correct it."
        ) from None


def kind(experiment: str) -> str:
    """The kind of an experiment, which is also the name of the folder with its code: "finetune" for "finetune.rte"."""
    return experiment.partition(".")[0]


def _first(error: ValidationError) -> str:
    """The first thing that is wrong, and where."""
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
