"""Makes what the settings ask for of a model itself, beside its numbers, if it has not been made of just these."""

import hashlib
import json
import shutil
from importlib import import_module
from pathlib import Path

from generator.config import ModelChoice, Project
from generator.errors import FieldguideError, ResultsError
from generator.progress import Report
from generator.project.models import address, called, one
from generator.results.extras import EXTRAS
from generator.results.manifest import FILE, checksum_of
from generator.results.store import Results
from generator.results.swap import replacing
from generator.survey.code import CODE
from generator.topics import SETTINGS


def make_extras(project: Project, report: Report) -> dict[str, str]:
    """Make all that is asked for and not there, and remove what no model asks for or no topic knows; returns the name
    of each model of which something could not be made, and why.
    """
    failed: dict[str, str] = {}
    listed = {address(choice) for choice in project.models}
    for folder in (project.root / EXTRAS).glob("*"):
        if folder.name not in listed:
            shutil.rmtree(folder, ignore_errors=True)
        for record in folder.glob("*.json"):
            if record.stem not in SETTINGS:
                _remove(record.with_suffix(""))
    for choice in project.models:
        for name, extra in SETTINGS.items():
            place = project.root / EXTRAS / address(choice) / name
            try:
                if not getattr(choice.extras, name):
                    _remove(place)
                elif (project.results / address(choice) / FILE).is_file():
                    _bring(project, choice, extra.make, place, report)
            except FieldguideError as error:
                _remove(place)
                failed[called(choice)] = str(error)
    return failed


def _bring(project: Project, choice: ModelChoice, maker: str, place: Path, report: Report) -> None:
    results, setting = Results.open(project.results / address(choice)), getattr(choice.extras, place.name)
    made_of = checksum_of({"results": results.checksum, "code": CODE.checksum([maker]), "setting": setting})
    if _made(place) == made_of:
        return
    module, _, make = maker.rpartition(".")
    files = getattr(import_module(module), make)(one(project, called(choice)).source, results, setting)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _record(place).unlink(missing_ok=True)
        # Without a record until all is written, a run that is killed here makes everything again.
        with replacing(place) as fresh:
            for name, content in files.items():
                (fresh / name).write_bytes(content)
        sums = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        _record(place).write_text(json.dumps({"of": made_of, "files": sums}, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise ResultsError(
            f"Expected to write {place}, found: {error.strerror or error}; free some space, or make it writable."
        ) from None
    size = sum(map(len, files.values())) / 1e6
    report.note(f"{called(choice)}: {place.name} made in {place} ({size:.1f} MB)")


def _made(place: Path) -> str:
    """Of what the files there were made; empty if nothing is known of them, or one is not as it was written."""
    try:
        record = json.loads(_record(place).read_bytes())
        sums = {name: hashlib.sha256((place / name).read_bytes()).hexdigest() for name in record["files"]}
        return str(record["of"]) if sums == record["files"] else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _record(place: Path) -> Path:
    return place.with_suffix(".json")


def _remove(place: Path) -> None:
    _record(place).unlink(missing_ok=True)
    shutil.rmtree(place, ignore_errors=True)
