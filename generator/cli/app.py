"""The command `fieldguide`: each command parses, calls one function and prints one line about what was made.

Imports stand inside the commands, so that `--help` is fast; a test names the libraries that it may not load.
"""

import errno
import gc
import io
import os
import sys
from itertools import chain
from pathlib import Path
from typing import NoReturn

import click

from generator import __version__
from generator.cli import options
from generator.cli.analyze import analyze
from generator.cli.ci import ci
from generator.cli.claims import claims
from generator.cli.ending import next_step
from generator.cli.group import Ordered
from generator.cli.guide import add, diff, export, init, remove
from generator.cli.why import why
from generator.defaults import Executor
from generator.errors import FieldguideError, brief
from generator.limits import check_text
from generator.topics import check_topics, of_topics
from generator.visible import visible

INTERRUPTED = 130
"""What shells expect of a command that was stopped by its user."""


def main() -> None:
    """Run the command line: exit 0 when done, 1 after a clear one-line error, 2 for wrong usage."""
    _write_any_letter()
    try:
        check_text(sys.argv[1:], "the options")
        check_topics()
        sys.exit(app.main(standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        sys.exit(INTERRUPTED)
    except (OSError, UnicodeEncodeError) as error:
        _fail(brief(_of_the_machine(error)))
    except FieldguideError as error:
        _fail(str(error))
    finally:
        gc.freeze()  # when Python ends it looks for garbage: 0.4 s in all that a build of 50 models holds


def _write_any_letter() -> None:
    """Where a terminal has no letters but ASCII, others are written as their codes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _of_the_machine(error: OSError | UnicodeEncodeError) -> str:
    """The sentence for a file that cannot be read, made or named; raises the error again if it is about none."""
    encoding = sys.getfilesystemencoding()
    if isinstance(error, UnicodeEncodeError):
        if encoding == "utf-8":
            raise error
        return f"Expected names of files in UTF-8, found a locale with {encoding}; set LC_ALL=C.UTF-8 or PYTHONUTF8=1."
    if error.errno == errno.ENOSPC:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left in the buffer
        return f"Expected to write what was asked for, found: {error.strerror}; free some space."
    if not error.filename:
        raise error
    return f"Expected to read or write {error.filename}, found: {error.strerror}; correct that and run it again."


def _fail(sentence: str) -> NoReturn:
    sys.stderr.write(f"Error: {visible(' '.join(sentence.split()))}\n")
    sys.exit(1)


@click.command()
@options.config
@click.option("--force", is_flag=True, help="Compute everything again.")
@click.option("--verify", is_flag=True, help="Read every file to see if it changed, even if its size and time did not.")
@click.option(
    "--offline", is_flag=True, help="Also pack the site as a zip; unpacked, it opens from disk, search included."
)
@options.executor
@click.option(
    "--workers",
    type=options.AT_LEAST_ONE,
    help="Processes at a time, for pages and with --executor processes; if not given, as cores and memory allow.",
)
def build(config: Path, force: bool, verify: bool, offline: bool, executor: Executor, workers: int | None) -> None:
    """Analyse what the settings list and is missing or stale, then build the site."""
    from generator.site.stamp import up_to_date  # noqa: PLC0415 - needed here alone

    unchanged = None if force else up_to_date(config, verify=verify)
    if unchanged:
        site, fresh = unchanged, False
    else:
        from generator.jobs.work import uncleared  # noqa: PLC0415 - needed here alone

        with uncleared():
            from generator import pipeline  # noqa: PLC0415 - loads mkdocs
            from generator.config import read_project  # noqa: PLC0415 - loads pydantic
            from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich

        on = options.where(executor, workers, pages=True)
        site, fresh = pipeline.build(read_project(config), TerminalReport(), force=force, where=on)
    click.echo(f"{site}" if fresh else f"{site} (up to date)")
    if offline:
        from generator.site.build import pack  # noqa: PLC0415 - loads mkdocs

        click.echo(pack(site))
    next_step("fieldguide serve shows the site on this machine; any web server can publish the folder.")


@click.command()
@options.config
@click.option("--port", type=click.IntRange(1, 65535), default=8000, help="The port, open on this machine only.")
def serve(config: Path, port: int) -> None:
    """Show the site at http://localhost:8000 and rebuild it when a page, template or result changes."""
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic
    from generator.site.build import serve_site  # noqa: PLC0415 - loads mkdocs

    project = read_project(config)
    serve_site(project.root / "mkdocs.yml", port, project.file)


@click.command()
def models() -> None:
    """List the encoders known by name; any other hub id or folder works too."""
    from generator.models.catalogue import CATALOGUE  # noqa: PLC0415 - not needed to parse

    width = max(len(known.id) for known in CATALOGUE)
    for known in CATALOGUE:
        where = "package" if known.package else "included" if known.folder else "hub"
        click.echo(
            f"{known.id:<{width}}  {known.layers:>2} x {known.heads}  {where:<8}  {known.licence:<10}  {known.note}"
        )


@click.command()
@options.config
def doctor(config: Path) -> None:
    """Check what this machine has and what a build would need."""
    from generator.doctor import checks  # noqa: PLC0415 - loads torch

    failed = 0
    for check in checks(config):
        failed += not check.ok
        click.echo(f"{'ok  ' if check.ok else 'FAIL'}  {check.name}: {check.found}")
    if failed:
        raise FieldguideError(f"Expected every check to pass, found {failed} that did not; see the lines marked FAIL.")


COMMANDS = (
    *(analyze, build, serve, models, doctor),
    *chain.from_iterable(of_topics("commands", "COMMANDS")),
    *(claims, why, init, export, diff, add, remove, ci),
)


@click.group("fieldguide", Ordered, commands=COMMANDS, context_settings={"show_default": True})
@click.version_option(__version__, message="fieldguide %(version)s", help="Print the version.")
def app() -> None:
    """Observe, measure and publish what the attention heads of an encoder do."""
