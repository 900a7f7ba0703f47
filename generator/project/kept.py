"""Brings what is stored in line with the list: a model that left it keeps the addresses that it had."""

from generator.config import Gone, Project
from generator.pages.changes import rebuilds
from generator.pages.render import model_addresses
from generator.results.manifest import Manifest
from generator.results.shown import GONE, leftover, note_gone
from generator.results.store import Results


def settle(project: Project) -> None:
    """Note each model that is listed no more and of which a build has told. Raises FieldguideError."""
    folders = [one for one in leftover(project) if not (project.root / GONE / f"{one.name}.json").exists()]
    if folders:
        told = {one.slug for one in rebuilds.load(project.root).verdicts}
        for folder in folders:
            if folder.name in told:
                note_gone(project, gone_of(Results(folder, Manifest.read(folder))))


def gone_of(results: Results) -> Gone:
    """What is kept of a model; without a list of its pages if its results can no longer be shown."""
    manifest = results.manifest
    try:
        pages = tuple(model_addresses(results))
    except Exception:  # noqa: BLE001 - damage must not keep a model in the guide
        pages = ()
    return Gone(manifest.model, manifest.slug, manifest.layers, manifest.heads, pages)
