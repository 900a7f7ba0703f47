"""Makes what the settings ask for of a model itself, beside its numbers, if it has not been made of just these."""

import hashlib
import json
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from generator.config import ModelChoice, Project
from generator.errors import FieldguideError, ResultsError
from generator.progress import Report
from generator.project.models import address, called, one
from generator.results.extras import EXTRAS, written
from generator.results.manifest import FILE, checksum_of
from generator.results.store import Results
from generator.results.swap import foreign, replacing, stays
from generator.survey.code import CODE
from generator.topics import SETTINGS


def make_extras(project: Project, report: Report) -> dict[str, str]:
    """Make all that is asked for and not there, and remove what no model asks for or no topic knows, but nothing that
    no build wrote; returns the name of each model of which something could not be made, and why.
    """
    failed: dict[str, str] = {}
    listed = {address(choice) for choice in project.models}
    for record in (project.root / EXTRAS).glob("*/*.json"):
        if record.parent.name not in listed or record.stem not in SETTINGS:
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
    if others := _others(project.root / EXTRAS):
        report.note(stays(project.root / EXTRAS, others))
    return failed


def _others(folder: Path) -> list[str]:
    """What no build wrote there."""
    ours = set[str]()
    for record in folder.glob("*/*.json"):
        if files := written(record):
            place = f"{record.parent.name}/{record.stem}"
            ours |= {record.parent.name, place, f"{place}.json", *(f"{place}/{name}" for name in files)}
    return foreign(folder, None, ours.__contains__)


def _bring(project: Project, choice: ModelChoice, maker: str, place: Path, report: Report) -> None:
    results, setting = Results.open(project.results / address(choice)), getattr(choice.extras, place.name)
    made_of = checksum_of({"results": results.checksum, "code": CODE.checksum([maker]), "setting": setting})
    if _made(place) == made_of:
        return
    module, _, make = maker.rpartition(".")
    files = getattr(import_module(module), make)(one(project, called(choice)).source, results, setting)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        known, staying = written(_record(place)) | files.keys(), list[str]()
        _record(place).unlink(missing_ok=True)
        # Without a record until all is written, a run that is killed here makes everything again.
        with replacing(place, staying) as fresh:
            for name, content in files.items():
                (fresh / name).write_bytes(content)
            staying += foreign(place, fresh, known.__contains__)
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
    """Delete what a build wrote there, as its record tells, and the folders that it leaves empty."""
    files = written(_record(place))
    for name in files:
        with suppress(OSError):  # as below
            (place / name).unlink(missing_ok=True)
    if files:
        _record(place).unlink()
        for folder in (place, place.parent):
            with suppress(OSError):  # what no build wrote is there
                folder.rmdir()
