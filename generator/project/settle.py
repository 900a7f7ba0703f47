"""Brings what lies here in line with the list and with the branch of results: what is listed is taken from there, and a
model that left the list keeps the addresses that it had.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from generator.config import Gone, Project
from generator.pages.changes import rebuilds
from generator.pages.render import model_addresses
from generator.project import branch
from generator.results.manifest import Manifest
from generator.results.shown import GONE, leftover, listed, note_gone
from generator.results.store import Results


def settle(project: Project) -> None:
    """Take from the branch of results, if this repository has one, what is listed and not here; note each model that is
    listed no more and of which a build has told. Raises FieldguideError.
    """
    if at := branch.commit(project.root):
        _take(project, at)
    _forget(project)
    folders = [path for path in leftover(project) if not _noted(project, path.name).exists()]
    if folders:
        texts = {verdict.slug for verdict in rebuilds.load(project.root).verdicts}
        for folder in folders:
            if folder.name in texts:
                note_gone(project, _gone_at(folder))


def keep(project: Project, folder: Path) -> None:
    """Write the state of the guide into a checkout of the branch: all that `settle` takes from there."""
    shown = listed(project)
    _forget(project)
    shutil.rmtree(folder / branch.MODELS, ignore_errors=True)
    shutil.rmtree(folder / branch.GONE, ignore_errors=True)
    for place in project.results.glob("[!.]*"):
        if _model(place.name) in shown:
            shutil.copytree(place, folder / branch.MODELS / place.name)
    for path in (project.root / GONE).glob("*.json"):
        _copy(path, folder / branch.GONE / path.name)
    if (record := project.root / rebuilds.RECORD).exists():
        _copy(record, folder / record.name)


def gone_of(results: Results) -> Gone:
    """What is kept of a model; without a list of its pages if its results can no longer be shown."""
    manifest = results.manifest
    try:
        pages = tuple(model_addresses(results))
    except Exception:  # noqa: BLE001 - damage must not keep a model in the guide
        pages = ()
    return Gone(manifest.model, manifest.slug, manifest.layers, manifest.heads, pages)


def _take(project: Project, at: str) -> None:
    root, shown = project.root, listed(project)
    named = {gone.slug: gone for gone in project.settings.removed}
    for source, to in _missing(project, at):
        branch.take(root, at, source, to)
    for name in branch.listed(root, at, branch.MODELS):
        if "@" in name or name in shown or _noted(project, name).exists():
            continue
        if name in named:
            note_gone(project, named[name])
            continue
        with TemporaryDirectory() as draft:
            branch.take(root, at, f"{branch.MODELS}/{name}", Path(draft) / name)
            note_gone(project, _gone_at(Path(draft) / name))


def _missing(project: Project, at: str) -> Iterator[tuple[str, Path]]:
    """What the branch has and this folder has not: where it lies there, and where it belongs here."""
    root, shown, record = project.root, listed(project), rebuilds.RECORD
    models = branch.listed(root, at, branch.MODELS)
    found = [(f"{branch.MODELS}/{name}", project.results / name) for name in models if _model(name) in shown]
    found += [(f"{branch.GONE}/{name}", root / GONE / name) for name in branch.listed(root, at, branch.GONE)]
    found += [(record.name, root / record)] if branch.listed(root, at, ".").count(record.name) else []
    return ((source, to) for source, to in found if not to.exists())


def _forget(project: Project) -> None:
    """A model that is listed again, and has results, is not gone."""
    for slug in listed(project):
        if (project.results / slug).is_dir():
            _noted(project, slug).unlink(missing_ok=True)


def _noted(project: Project, slug: str) -> Path:
    return project.root / GONE / f"{slug}.json"


def _gone_at(folder: Path) -> Gone:
    return gone_of(Results(folder, Manifest.read(folder)))


def _model(folder: str) -> str:
    """The slug of the model whose results, or an experiment on which, a folder of this name holds."""
    return folder.partition("@")[0]


def _copy(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, to)
