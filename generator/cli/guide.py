"""Commands about a guide as a whole: make one, list models in it, write its pages, compare its results over time."""

import sys
from pathlib import Path

import click

from generator.cli import options
from generator.cli.ending import end, say


@click.command()
@click.argument("folder", type=options.PATH, help="A new or empty folder.")
@click.option(
    "--program",
    show_default="the wheel from which it was installed",
    help="What the workflow installs: a wheel of this program, which is copied into the guide, or its address with "
    "#sha256= and its checksum.",
)
@click.option("--workflow/--no-workflow", default=True, help="Write a workflow for GitHub and one for GitLab.")
@click.option("--title", help="What the guide is called; at a terminal this and the next four are asked for.")
@click.option("--authors", help="Who is cited.")
@click.option("--licence", help="That of its text and numbers, for the foot of each page.")
@click.option("--address", help="Where the site will stand, such as https://example.org/guide/.")
@click.option("--logo", type=options.PATH, help="A picture for the head of each page.")
def init(
    folder: Path,
    program: str | None,
    workflow: bool,
    title: str | None,
    authors: str | None,
    licence: str | None,
    address: str | None,
    logo: Path | None,
) -> None:
    """Make the folder of a guide: settings, hand-written pages, and a workflow that rebuilds it."""
    from generator.project import program as programs  # noqa: PLC0415 - needed here alone
    from generator.project.init import Answers  # noqa: PLC0415 - needed here alone
    from generator.project.init import init as start  # noqa: PLC0415 - needed here alone

    found = programs.given(program) if program else programs.installed() if workflow else None
    answers = Answers(
        title or _asked("Title of the guide", Answers().title),
        _asked("Authors, as they are cited") if authors is None else authors,
        _asked("Licence of its text and numbers") if licence is None else licence,
        _asked("Address of the site") if address is None else address,
        logo or (Path(answer) if (answer := _asked("Logo, a picture file; none for that of this program")) else None),
    )
    start(folder, found if workflow else None, answers)
    say(f"{folder} is a guide without models; go there, then: fieldguide add MODEL, fieldguide build")


def _asked(what: str, otherwise: str = "") -> str:
    """What a person at a terminal answers; a default where nobody can."""
    if not sys.stdin.isatty():
        return otherwise
    answer: str = click.prompt(what, default=otherwise, show_default=bool(otherwise), err=True)
    return answer


@click.command()
@click.argument("folder", type=options.PATH, help="A new or empty folder.")
@options.config
def export(folder: Path, config: Path) -> None:
    """Write the site as plain Markdown and HTML, which any engine can build, from the results that are there."""
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic
    from generator.site.export import export as write  # noqa: PLC0415 - loads pandas
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich

    pages = write(read_project(config), folder, TerminalReport())
    text = f"{folder}: {pages} pages, and mkdocs.yml for an engine that reads it"
    end(text, "mkdocs build, or another engine's command, makes a site there.")


@click.command()
@click.argument("before", type=options.PATH, help="A folder of results, or a commit of the branch of results.")
@click.argument("after", type=options.PATH, help="Another one, made later.")
def diff(before: Path, after: Path) -> None:
    """Print in Markdown what differs between two states of results: models, verdicts, what heads find."""
    from generator.ci.summary import changes_in_markdown, known, there  # noqa: PLC0415 - loads pandas
    from generator.pages.changes.known import changes  # noqa: PLC0415 - loads pandas
    from generator.project.branch import results  # noqa: PLC0415 - needed here alone
    from generator.results.store import find  # noqa: PLC0415 - loads pandas

    said = []
    for place in (before, after):
        with results(place) as folder:
            said.append(known(find([there(folder)])))
    click.echo(changes_in_markdown(changes(*said)))


@click.command()
@options.model
@options.revision
@options.name
@click.option("--corpus", multiple=True, help="Read this corpus instead of those in the settings; repeat for more.")
@options.config
def add(model: str, revision: str | None, name: str | None, corpus: tuple[str, ...], config: Path) -> None:
    """Find a model and list it in the settings file, at the revision that it has now."""
    from generator.project import edit  # noqa: PLC0415 - loads pandas

    choice = edit.add(config, model, revision, name, corpus)
    at = f" at revision {choice.revision}" if choice.revision else ""
    say(f"{config} lists {choice.name or choice.id}{at}; analyse it and build the site with: fieldguide build")


@click.command()
@click.argument("model", help="The model's name, or the name in its addresses.")
@options.config
def remove(model: str, config: Path) -> None:
    """Take a model out of the settings file; each of its pages will be one line that says so."""
    from generator.project import edit  # noqa: PLC0415 - loads pandas

    gone = edit.remove(config, model)
    kept = "no results of it are here, so no address of it is kept"
    if gone:
        kept = f"its {gone.layers * gone.heads} heads keep their addresses"
    say(f"{config} no longer lists {model}; {kept}. Build the site with: fieldguide build")
