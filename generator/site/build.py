"""Publishing with MkDocs: build only when something changed, or serve while writing."""

import logging
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from mkdocs.commands import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, MkDocsException

from generator.cache import Cache
from generator.defaults import FILE
from generator.errors import SiteError, reason
from generator.files import Files, look, misnamed
from generator.jobs.executors import LOCAL, Where
from generator.jobs.work import uncleared
from generator.lock import alone
from generator.pages import addresses
from generator.progress import Report
from generator.results.swap import WORKSHOP, foreign, replacing, stays
from generator.site.models.cached import ASSETS, CachedPages
from generator.site.models.made import Workshop
from generator.site.models.maker import FONTS, JUDGED, PICTURES
from generator.site.stamp import Stamp, load, save, variables

LISTED = 10
"""How many warnings the error lists if a build fails because of them, and how many statements notes tell of."""
OF_MODELS = (".html", ".csv", ".svg", ".js", ".json", ".bin", "/why.txt")
"""How files of models end."""
PLUGIN = "fieldguide"


def build_site(
    config_file: Path,
    places: Sequence[Path],
    report: Report,
    *,
    settings: str = FILE,
    read: Files | None = None,
    settled: bool = True,
    force: bool = False,
    where: Where = LOCAL,
) -> tuple[Path, bool]:
    """Build the site unless nothing has changed since the last build; returns its folder and whether it was built.

    `places` are the folders and files from which it is built, and `read` is what `look` found there, if it was called
    before; `settings` names the settings file beside the configuration; `settled` is as in `Stamp`; `where` says how
    many processes may make pages. Raises SiteError if MkDocs fails or warns.
    """
    config = configured(config_file, settings)
    site, root = Path(config.site_dir), config_file.parent
    if not config.site_url:
        report.note(
            "Built without SITE_URL: pages name no address of their own, and there is neither a sitemap for search "
            "engines nor a feed; set it to the address at which the site will stand."
        )
    with alone(site, report.note, beside=True):
        read = look(places) if read is None else read
        last = load(root)
        built = True
        if force or last is None or last.outdated or not last.holds(root, read):
            begun = time.monotonic()
            for place in (PICTURES, JUDGED, FONTS) if force else ():
                Cache(root / place).forget()
            kept, staying = _build(
                config, site=site, root=root, last=None if force else last, where=where, report=report
            )
            models, seconds = kept.made, time.monotonic() - begun
            written = kept.written | look([site], but={str(site / name) for name in staying})
        else:
            there = look([site], last.written).items()
            written = {path: file for path, file in there if path in last.written}  # others put the rest there
            built, models, seconds = False, {**last.models}, last.seconds
        own, *looked = (str(place.absolute()) for place in (root / settings, *places))
        found = read, written, settled, models
        save(root, Stamp(str(site), own, variables(root), tuple(looked), *found, seconds=seconds))
    return site, built


def pack(site: Path) -> Path:
    """Write the site as a zip file beside it, or to where a link in its place leads; returns its path. Raises
    SiteError, also where something else stands there.
    """
    packed = site.with_name(f"{site.name}.zip")
    there = Path(os.path.realpath(packed))
    if there.exists() and not _is_packed(there, site.name):
        raise SiteError(
            f"Expected no {packed} or one that a build wrote, found something else; move it away and build again."
        )
    try:
        with tempfile.TemporaryDirectory(dir=there.parent) as draft:
            made = shutil.make_archive(str(Path(draft, site.name)), "zip", site.parent, site.name)
            Path(made).replace(there)
    except OSError as error:
        raise SiteError(
            f"Expected to write {there.name} to {there.parent}, found: {error.strerror or error}; free some space."
        ) from None
    return packed


def _is_packed(path: Path, name: str) -> bool:
    """Whether a file is a zip of a site of this program in a folder of this name."""
    try:
        with ZipFile(path) as file:
            names = file.namelist()
    except (OSError, BadZipFile):
        return False
    below = f"{name}/"
    return all(one.startswith(below) for one in names) and any(one.startswith(f"{below}{ASSETS}") for one in names)


def _build(
    config: MkDocsConfig, site: Path, root: Path, last: Stamp | None, where: Where, report: Report
) -> tuple[CachedPages, list[str]]:
    """Replace the old site by a new one; returns what was kept of the old one, and the names of all that stayed.

    A build that fails or is killed leaves the old site in place. What somebody else has put there stays.
    """
    plugin: Any = config.plugins[PLUGIN]
    plugin.last = last
    staying: list[str] = []
    record = _record(site, root)
    with _mkdocs(f"MkDocs to build the site from {config.config_file_path}", Path(config.docs_dir)) as warnings:
        try:
            with replacing(site, staying) as fresh:
                plugin.workshop = Workshop(fresh.with_name(WORKSHOP), where, report)
                plugin.workshop.folder.mkdir()
                config.site_dir = str(fresh)
                config.plugins.on_startup(command="build", dirty=False)
                with uncleared():
                    build.build(config)
                # `replacing` reads this list when its block ends.
                staying += plugin.kept.places
                others = foreign(site, fresh, partial(_is_ours, record, fresh), staying)
                staying += others
                _note_names(record, fresh, root)
        finally:
            config.plugins.on_shutdown()
    _tell(plugin.refused, report)
    if others:
        report.note(stays(site, others))
    if warnings:
        listed = "; ".join(message.rstrip(".") for message in warnings[:LISTED])
        raise SiteError(
            f"Expected a build without warnings, found {len(warnings)}: {listed}"
            f"{'; and more' if len(warnings) > LISTED else ''}. All else is built in {site}."
        )
    return plugin.kept, staying


def _record(site: Path, root: Path) -> Stamp:
    """What builds have written there, also if the project moved. Raises SiteError for a folder of something else."""
    last = load(root)
    if last and last.site == str(site):
        return last
    names = [path.name for path in site.iterdir()] if site.is_dir() else []
    others = sorted(name for name in names if name[0] != "." and name != "CNAME")
    if others and not (site / ASSETS).is_dir():
        raise SiteError(
            f"Expected {site} to be empty or a site that this program has built, found {others[0]}; move it away, or "
            "set another site_dir."
        )
    moved = {str(site) + name[len(last.site) :]: about for name, about in last.written.items()} if last else {}
    return Stamp(str(site), settings="", variables={}, places=(), read={}, written=moved, settled=False)


def _is_ours(record: Stamp, fresh: Path, name: str) -> bool:
    """Whether a build wrote the file of this name; without a record, whether the new site has one, or it looks like one
    of a model that is gone.
    """
    if record.written:
        return f"{record.site}/{name}".replace("/", os.sep) in record.written
    of_model = name.startswith((addresses.MODELS, addresses.CLAIMS)) and name.endswith(OF_MODELS)
    return of_model or (fresh / name).exists()


def _note_names(record: Stamp, fresh: Path, root: Path) -> None:
    """Record the files that the new site adds before it takes its place, because this build may be killed after."""
    start = len(str(fresh))
    names = (f"{record.site}{folder[start:]}{os.sep}{name}" for folder, _, some in os.walk(fresh) for name in some)
    # No file equals this, so none of them can be taken for an unchanged one.
    if added := {name: (0, 0, "unknown") for name in names if name not in record.written}:
        save(root, replace(record, written={**record.written, **added}))


def _tell(refused: Sequence[str], report: Report) -> None:
    """What pages say that the gate would refuse; that stops no build."""
    for refusal in refused[:LISTED]:
        report.note(refusal)
    if more := len(refused[LISTED:]):
        report.note(f"Pages make {more} more such statement{'s' if more > 1 else ''}.")


def serve_site(config_file: Path, port: int, settings: str = FILE) -> None:
    """Serve the site on this machine and rebuild it on changes; `settings` is as in `build_site`. Raises SiteError."""
    from mkdocs.commands.serve import serve  # noqa: PLC0415 - loads a server and what watches files

    configured(config_file, settings)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        serve(str(config_file), dev_addr=f"127.0.0.1:{port}", livereload=True)
    except (MkDocsException, Abort, OSError) as error:
        raise SiteError(
            f"Expected to serve the site on port {port}, found: {reason(error)}; try another --port."
        ) from None


def configured(config_file: Path, settings: str) -> MkDocsConfig:
    """The configuration, with the plugin set for a new site: MkDocs keeps it from one configuration to the next, and
    loads a configuration of its own for every draft that it serves.
    """
    with _mkdocs(f"a valid {config_file}"):
        config = load_config(str(config_file))
    if PLUGIN not in config.plugins:
        raise SiteError(f"Expected the plugin {PLUGIN!r} in {config_file}, found it missing; add it under plugins.")
    plugin: Any = config.plugins[PLUGIN]
    plugin.last, plugin.workshop, plugin.settings = None, None, settings
    return config


@contextmanager
def _mkdocs(expected: str, docs: Path | None = None) -> Iterator[Sequence[str]]:
    """The warnings of MkDocs in the block. Raises SiteError if it fails; an Abort leaves the reason to the last one.

    What cannot be written as UTF-8 is taken for a name of a file in `docs`, if one there cannot.
    """
    counter, log = _WarningCounter(), logging.getLogger("mkdocs")
    log.addHandler(counter)
    try:
        yield counter.messages
    except (MkDocsException, Abort, OSError, UnicodeError) as error:
        if isinstance(error, UnicodeEncodeError) and docs and (sentence := misnamed(docs)):
            raise SiteError(sentence) from None
        told_before = isinstance(error, (Abort, UnicodeError)) and counter.messages  # names the file
        found = counter.messages[-1] if told_before else str(error)
        text = " ".join(found.split()).rstrip(".")
        raise SiteError(f"Expected {expected}, found: {text}; correct that and build again.") from None
    finally:
        log.removeHandler(counter)


class _WarningCounter(logging.Handler):
    """Collects warnings, so that a build with any of them fails once, at its end."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())
