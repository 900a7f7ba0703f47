"""Commands about a guide as a whole: which models it lists."""

from pathlib import Path
from typing import Annotated

import typer

from generator.defaults import FILE

guide = typer.Typer()
Config = Annotated[Path, typer.Option("--config", help="The settings file.")]


@guide.command()
def init(folder: Annotated[Path, typer.Argument(help="A new or empty folder.")]) -> None:
    """Make the folder of a guide: settings, hand-written pages, and a workflow that rebuilds it."""
    from generator.project.init import init as start  # noqa: PLC0415 - needed here alone

    start(folder)
    typer.echo(f"{folder} is a guide without models; go there, then: fieldguide add MODEL, fieldguide build")


@guide.command()
def export(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder.")],
    config: Config = Path(FILE),
) -> None:
    """Write the site as plain Markdown and HTML, which any engine can build, from the results that are there."""
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic
    from generator.site.export import export as write  # noqa: PLC0415 - loads scipy
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich

    pages = write(read_project(config), folder, TerminalReport())
    typer.echo(f"{folder}: {pages} pages, and mkdocs.yml for an engine that reads it")


@guide.command()
def diff(
    before: Annotated[Path, typer.Argument(help="A folder of results.")],
    after: Annotated[Path, typer.Argument(help="Another one, made later.")],
) -> None:
    """Print in Markdown what differs between two folders of results: models, verdicts, what heads find."""
    from generator.ci.summary import known, told  # noqa: PLC0415 - loads scipy
    from generator.pages.changes.known import changes  # noqa: PLC0415 - loads scipy

    typer.echo(told(changes(known([before]), known([after]))))


@guide.command()
def add(
    model: Annotated[str, typer.Argument(help="A hub id, a local folder, or a name from `fieldguide models`.")],
    revision: Annotated[str | None, typer.Option(help="Branch, tag or commit on the hub.")] = None,
    name: Annotated[str | None, typer.Option(help="What it is called, if not by its id.")] = None,
    corpus: Annotated[
        list[str] | None, typer.Option(help="Read this corpus instead of those in the settings; repeat for more.")
    ] = None,
    config: Config = Path(FILE),
) -> None:
    """Find a model and list it in the settings file, at the revision that it has now."""
    from generator.project import edit  # noqa: PLC0415 - loads a part of transformers

    choice = edit.add(config, model, revision, name, tuple(corpus or ()))
    at = f" at revision {choice.revision}" if choice.revision else ""
    typer.echo(f"{config} lists {choice.name or choice.id}{at}; analyse it and build the site with: fieldguide build")


@guide.command()
def remove(
    model: Annotated[str, typer.Argument(help="What it is called, or the name in its addresses.")],
    config: Config = Path(FILE),
) -> None:
    """Take a model out of the settings file; its addresses will say in a line that it is gone."""
    from generator.project import edit  # noqa: PLC0415 - loads a part of transformers

    gone = edit.remove(config, model)
    kept = f"its {gone.layers * gone.heads} heads keep their addresses" if gone else "it was never analysed"
    typer.echo(f"{config} no longer lists {model}; {kept}. Build the site with: fieldguide build")
