"""Adds a model to the settings file or removes one; all else stays as it was written, comments included, except that
one blank line stands before each of these tables.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.items import AoT

from generator.config import Gone, ModelChoice, read_project
from generator.corpora.catalogue import CATALOGUE
from generator.corpora.opening import open_corpora
from generator.errors import SettingsError
from generator.models.names import slug
from generator.models.openable import check_openable
from generator.models.source import UNPINNED, locate
from generator.project.models import address, check_names, names
from generator.project.settle import gone_of
from generator.results.store import find

TABLES = re.compile(r"^([^#\n].*)\n+(?=\[\[(?:model|removed)\]\])", re.MULTILINE)
"""A line before a table, unless it is a comment, and the blank lines between the two."""
SHORT = 7
"""Characters of a commit that tell two revisions of a model apart in its name."""


def add(
    path: Path, model: str, revision: str | None = None, name: str | None = None, corpora: tuple[str, ...] = ()
) -> ModelChoice:
    """Find a model and list it in the settings file, at the revision that was found.

    A second revision of a listed model is named after its id and its commit, unless a name is given. Raises
    SettingsError if it is listed already or the name is taken, ModelError if there is no such model, CorpusError if a
    corpus is not a file that can be read; corpora known by name need not be on this machine.
    """
    project = read_project(path)
    source = locate(model, revision)
    check_openable(source)
    at = None if source.revision in UNPINNED else source.revision
    listed = _from(project.root, model) if source.revision == "local" else model
    same = [choice for choice in project.settings.model if choice.id == listed]
    if any(choice.revision == at for choice in same) and not name:
        raise SettingsError(
            f"Expected a model that is not yet in {path}, found {model} there; give another --revision, or a --name to "
            "list it twice."
        )
    called = name or (f"{model}@{at[:SHORT]}" if same and at else None)
    corpora = tuple(_corpus(project.root, corpus) for corpus in corpora)
    choice = ModelChoice(listed, at, called, corpora or None)
    check_names((*project.models, replace(choice, id=model)))
    public = {entry.name for entry in CATALOGUE if entry.source}
    open_corpora([corpus for corpus in project.analysis(choice).corpora if corpora and corpus not in public])
    with _edited(path) as document:
        table = tomlkit.table()
        for key, value in (("id", choice.id), ("revision", at), ("name", called), ("corpora", list(corpora) or None)):
            if value is not None:
                table.add(key, value)
        _tables(path, document, "model").append(table)
        _drop(path, document, "removed", [gone.slug == slug(called or source.id) for gone in project.settings.removed])
    return choice


def remove(path: Path, name: str) -> Gone | None:
    """Remove a model from the settings file; if results of it are here, an entry that keeps its addresses alive stays.

    `name` is the model's name or the name in its addresses. Returns that entry, None if there are no results.
    Its results stay where they are and are no longer shown. Raises SettingsError if no model has this name.
    """
    project = read_project(path)
    stored = {results.manifest.slug: results for results in find(project.places, [])}
    listed = [slug(name) == address(choice) for choice in project.models]
    leaving = [address(choice) for choice, goes in zip(project.models, listed, strict=True) if goes]
    if (
        not leaving
        and slug(name) in stored
        and not any(removed.slug == slug(name) for removed in project.settings.removed)
    ):
        leaving = [slug(name)]
    if not leaving:
        raise SettingsError(f"Expected a model of {path} ({names(project)}), found {name}; correct the name.")
    kept = stored.get(leaving[0])
    gone = gone_of(kept) if kept else None
    with _edited(path) as document:
        _drop(path, document, "model", listed)
        if gone:
            table = tomlkit.table()
            for key, value in vars(gone).items():
                table.add(key, tomlkit.item(list(value)).multiline(multiline=True) if key == "pages" else value)
            _tables(path, document, "removed").append(table)
    return gone


def _from(root: Path, folder: str) -> str:
    """A model's folder as the project's root has to name it; an absolute path outside of the project stays as it is."""
    there, here = Path(folder).resolve(), root.resolve()
    kept = Path(folder).is_absolute() and not there.is_relative_to(here)
    return folder if kept else Path(os.path.relpath(there, here)).as_posix()


def _corpus(root: Path, corpus: str) -> str:
    """A corpus as the project's root has to name it; known names, and files that are there, stay as they are."""
    there = any(entry.name == corpus for entry in CATALOGUE) or (root / corpus).exists()
    return corpus if there or not Path(corpus).exists() else _from(root, corpus)


@contextmanager
def _edited(path: Path) -> Iterator[TOMLDocument]:
    """The settings file as a document to be changed inside the block, after which it is written; a link in its place is
    followed.
    """
    document = tomlkit.parse(path.read_text(encoding="utf-8"))
    yield document
    there = Path(os.path.realpath(path))
    draft = there.with_name(f".{there.name}.part")
    draft.write_text(TABLES.sub(r"\1\n\n", tomlkit.dumps(document)), encoding="utf-8")
    draft.replace(there)


def _tables(path: Path, document: TOMLDocument, key: str) -> AoT:
    found = document.setdefault(key, tomlkit.aot())
    if not isinstance(found, AoT):
        raise SettingsError(
            f"Expected each {key} in {path} as a table [[{key}]], found {key} = [...]; write them as tables."
        )
    return found


def _drop(path: Path, document: TOMLDocument, key: str, goes: Sequence[bool]) -> None:
    if any(goes):
        tables = _tables(path, document, key)
        # From the end: what is deleted moves only those after it.
        for at in reversed(range(len(goes))):
            if goes[at]:
                del tables[at]
        if not len(tables):
            document.pop(key)
