"""Which results a guide shows: the list decides what is taken from the folder that analyses are written to."""

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import TypeAdapter

from generator.config import Gone, Project, Settings
from generator.errors import ResultsError, reason
from generator.files import UNKNOWN, Known
from generator.models.names import slug
from generator.models.source import called
from generator.results.extras import with_extras
from generator.results.manifest import FILE, checksum_of
from generator.results.store import Results, find

NO_NUMBER = "It chooses results by the name of their model."

GONE = Path("build/gone")
"""The folder below the project with a record of each model that the site used to show."""
RECORD = TypeAdapter(Gone)
SEAL = "sha256"
"""The checksum of all else in such a record; those of earlier versions have none."""


def listed(project: Project) -> frozenset[str]:
    """The slugs of the models that the settings list."""
    return frozenset(slug(choice.name or called(choice.id)) for choice in project.models)


def shown(project: Project, problems: list[str] | None = None, known: Known = UNKNOWN) -> list[Results]:
    """The results of the models that the settings list, and all that the folders of `also` hold, but none of a model
    that was removed.

    What else lies in the folder of results, from a cache or an analysis at a desk, is not shown. `problems` and `known`
    are as in `find`. Raises ResultsError.
    """
    also = {project.root / place for place in project.settings.also}
    only = {} if project.results in also else {project.results: listed(project)}
    # Nobody asked for the default by name, and analyses make the folder of results.
    for place in sorted(also - {project.results, project.root / Settings().also[0]}):
        if problems is not None and not place.is_dir():
            problems.append(
                f"Expected a folder of results at {place}, found none; correct `also` in the settings file."
            )
    found = find(project.places, problems, known, only)
    return [with_extras(results, project.root) for results in found if results.manifest.slug not in project.hidden]


def leftover(project: Project) -> list[Path]:
    """The folders of results of models that the settings neither list nor name as removed; nothing is opened."""
    if project.results in {project.root / place for place in project.settings.also}:
        return []
    known = listed(project) | project.hidden
    folders = (path.parent for path in sorted(project.results.glob(f"[!.]*/{FILE}")))
    return [
        folder for folder in folders if folder.name not in known and "@" not in folder.name
    ]  # experiments go with their model


def gone(project: Project) -> tuple[Gone, ...]:
    """Models that the site used to show: those that the settings name, and those that a build found to be listed no
    more. Raises ResultsError.
    """
    again = listed(project) | project.hidden
    return (*project.settings.removed, *(model for model in _noted(project) if model.slug not in again))


def note_gone(project: Project, model: Gone) -> None:
    """Record that a model is listed no more, for all later builds."""
    path = project.root / GONE / f"{model.slug}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    facts = RECORD.dump_python(model, mode="json")
    text = json.dumps(facts | {SEAL: checksum_of(facts)}, indent=1, ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8")


def _noted(project: Project) -> Iterator[Gone]:
    for path in sorted((project.root / GONE).glob("*.json")):
        try:
            yield _sealed(path.read_bytes())
        except (OSError, ValueError, RecursionError) as error:
            raise ResultsError(
                f"Expected the record of a model that is gone in {path}, found: {reason(error)}; delete it."
            ) from None


def _sealed(raw: bytes) -> Gone:
    """The model of a record. Raises ValueError for another content than was written."""
    facts = json.loads(raw)
    seal = facts.pop(SEAL, None) if isinstance(facts, dict) else None
    if seal not in (None, checksum_of(facts)):
        raise ValueError(f"another content than its {SEAL} is of")
    return RECORD.validate_json(json.dumps(facts))
