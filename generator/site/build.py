"""Publishing with MkDocs: build only when something changed, or serve while writing."""

import hashlib
import logging
from collections.abc import Iterable
from pathlib import Path

from mkdocs.commands import build, serve
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, MkDocsException

from generator.defaults import FILE
from generator.errors import SiteError
from generator.lock import alone
from generator.progress import Report

LISTED = 10
"""Warnings that are told when a build fails for them."""
PLUGIN = "fieldguide"
STAMP = ".fieldguide"
"""A file in the site that says from what it was built."""


def build_site(
    config_file: Path, sources: Iterable[Path], report: Report, *, settings: str = FILE, force: bool = False
) -> tuple[Path, bool]:
    """Build the site unless its sources are those of the last build; returns its folder and whether it was built.

    `settings` names the settings file beside the configuration. Raises SiteError when MkDocs fails or warns.
    """
    config = _load(config_file)
    config.plugins[PLUGIN].config["settings"] = settings
    site = Path(config.site_dir)
    with alone(site, report.note):
        return site, _build(config, [config_file, *sources], force=force)


def _build(config: MkDocsConfig, sources: Iterable[Path], *, force: bool) -> bool:
    """The same for a site that no other build writes to."""
    site = Path(config.site_dir)
    stamp = _checksum(sources, str(config.site_url))
    if not force and _read(site / STAMP) == stamp:
        return False
    counter = _WarningCounter()
    logging.getLogger("mkdocs").addHandler(counter)
    try:
        (site / STAMP).unlink(missing_ok=True)  # MkDocs leaves hidden files; a failed build is of no known sources
        config.plugins.on_startup(command="build", dirty=False)
        build.build(config)
        if not counter.messages:
            (site / STAMP).write_text(stamp, encoding="utf-8")
    except (MkDocsException, Abort, OSError) as error:
        reason = counter.messages[-1] if isinstance(error, Abort) and counter.messages else error
        raise SiteError(f"Expected MkDocs to build the site from {config.config_file_path}, found: {reason}") from None
    finally:
        config.plugins.on_shutdown()
        logging.getLogger("mkdocs").removeHandler(counter)
    if counter.messages:
        listed = "; ".join(message.rstrip(".") for message in counter.messages[:LISTED])
        raise SiteError(
            f"Expected a build without warnings, found {len(counter.messages)}: {listed}"
            f"{'; and more' if len(counter.messages) > LISTED else ''}. All else is built in {site}."
        )
    return True


def serve_site(config_file: Path, port: int) -> None:
    """Serve the site on this machine and rebuild it on changes. Raises SiteError."""
    _load(config_file)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        serve.serve(str(config_file), dev_addr=f"127.0.0.1:{port}", livereload=True)
    except (MkDocsException, Abort, OSError) as error:
        raise SiteError(f"Expected to serve the site on port {port}, found: {error}; try another --port.") from None


def _load(config_file: Path) -> MkDocsConfig:
    try:
        config = load_config(str(config_file))
    except (MkDocsException, Abort) as error:
        raise SiteError(f"Expected a valid {config_file}, found: {error}") from None
    if PLUGIN not in config.plugins:
        raise SiteError(f"Expected the plugin {PLUGIN!r} in {config_file}, found it missing; add it under plugins.")
    return config


def _checksum(sources: Iterable[Path], address: str) -> str:
    digest = hashlib.sha256(address.encode())
    for source in sources:
        files = sorted(source.rglob("*")) if source.is_dir() else [source]
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(str(file).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


class _WarningCounter(logging.Handler):
    """Collects warnings, so that a build with any of them fails once, at its end."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())
