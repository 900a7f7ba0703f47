"""The command `fieldguide`: each command parses, calls one function and prints one line about what was made.

Imports stand inside the commands, so that `--help` is fast; a test names the libraries that it may not load.
"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from generator import __version__
from generator.cli.ci import ci
from generator.cli.claims import claims
from generator.cli.ending import end
from generator.cli.experiments import experiments
from generator.cli.guide import guide
from generator.cli.where import ExecutorOption, PageWorkersOption, WorkersOption, where
from generator.defaults import (
    CORPORA,
    DEVICE,
    ENTROPY_SMOOTHING,
    EXECUTOR,
    FILE,
    MAX_TOKENS,
    PRECISION,
    RESULTS,
    SEED,
    SEGMENT_IDS,
    STUDIES,
    Device,
    Precision,
)
from generator.errors import FieldguideError
from generator.limits import check_text
from generator.visible import visible

app = typer.Typer(
    name="fieldguide",
    help="Observe, measure and publish what the attention heads of an encoder do.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(experiments)
app.add_typer(claims)
app.add_typer(guide)
app.add_typer(ci)

Config = Annotated[Path, typer.Option("--config", help="The settings file.")]


def main() -> None:
    """Run the command line: exit 0 when done, 1 after a clear one-line error, 2 for wrong usage."""
    try:
        check_text(sys.argv[1:], "the options")
        app()
    except FieldguideError as error:
        sys.stderr.write(f"Error: {visible(' '.join(str(error).split()))}\n")
        sys.exit(1)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"fieldguide {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    pass


@app.command()
def analyze(
    model: Annotated[
        str | None, typer.Argument(help="A hub id, a local folder, or a name from `fieldguide models`.")
    ] = None,
    maps: Annotated[
        Path | None, typer.Option(help="Instead of a model: a .npz archive of maps that were computed elsewhere.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="What the model is called, if not by its id; with --maps it must be given.")
    ] = None,
    text: Annotated[
        bool, typer.Option(help="With --maps: keep sentences as examples; without it, numbers alone.")
    ] = True,
    about: Annotated[
        str, typer.Option(help="With --maps: what they are and where they come from, for the model's page.")
    ] = "",
    revision: Annotated[str | None, typer.Option(help="Branch, tag or commit on the hub.")] = None,
    device: Annotated[Device, typer.Option(help="auto takes a GPU where there is one.")] = DEVICE,
    precision: Annotated[
        Precision, typer.Option(help="Of the model's matrix products; tf32 needs an NVIDIA GPU.")
    ] = PRECISION,
    corpus: Annotated[
        list[str] | None,
        typer.Option(
            help="A corpus name, or a .txt, .jsonl, .conllu or .tsv file; repeat for more. With --maps: a treebank of "
            "their words."
        ),
    ] = None,
    documents: Annotated[int | None, typer.Option(help="Read a sample of so many documents.")] = None,
    max_tokens: Annotated[int, typer.Option(help="Longest input in tokens.")] = MAX_TOKENS,
    seed: Annotated[int, typer.Option(help="For sampling, pairing and intervals.")] = SEED,
    entropy_smoothing: Annotated[
        float, typer.Option(help="Share of uniform attention mixed in before entropies are taken.")
    ] = ENTROPY_SMOOTHING,
    segment_ids: Annotated[
        bool, typer.Option(help="Tell the two paragraphs apart; without it every segment id is 0.")
    ] = SEGMENT_IDS,
    word_vectors: Annotated[
        str | None, typer.Option(help="A file in the text format of GloVe, for probes on treebanks.")
    ] = None,
    studies: Annotated[
        bool, typer.Option(help="Also distances between heads, roles, vectors, treebanks and mentions.")
    ] = STUDIES,
    results: Annotated[Path, typer.Option(help="Where to write the results.")] = RESULTS,
    executor: ExecutorOption = EXECUTOR,
    workers: WorkersOption = None,
    force: Annotated[
        bool, typer.Option("--force", help="Compute everything again, and replace results of other weights.")
    ] = False,
) -> None:
    """Observe one encoder on text, or saved maps, and store what the heads do."""
    if (model is None) == (maps is None) or (maps is not None and not (name or "").strip()):
        raise typer.BadParameter("Expected a MODEL, or --maps with --name.")
    if maps is not None and (documents or revision or precision != PRECISION):
        raise typer.BadParameter("--maps brings its own text; leave out --documents, --revision and --precision.")
    from pydantic import ValidationError  # noqa: PLC0415 - takes as long to load as all else that help needs

    from generator.config import Analysis  # noqa: PLC0415 - loads pydantic

    try:
        settings = Analysis(
            corpora=tuple(corpus) if corpus else CORPORA,
            documents=documents,
            max_tokens=max_tokens,
            seed=seed,
            entropy_smoothing=entropy_smoothing,
            segment_ids=segment_ids,
            word_vectors=word_vectors,
            studies=studies,
            device=device,
            precision=precision,
        )
    except ValidationError as error:
        first = error.errors()[0]
        hint = "--" + str(first["loc"][0]).replace("_", "-")
        raise typer.BadParameter(f"{first['msg']}, found {first['input']}.", param_hint=hint) from None
    from generator import analysis  # noqa: PLC0415 - loads torch
    from generator.models.source import locate  # noqa: PLC0415 - loads a part of transformers
    from generator.results.writing import check_free  # noqa: PLC0415 - loads pandas
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich

    if maps is not None and name is not None:
        report = TerminalReport()
        archive = analysis.Archive(maps, name, tuple(corpus or ()), text, about)
        end(analysis.analyze_maps(archive, settings, results, report, force=force))
    elif model is not None:
        report = TerminalReport()
        source = locate(model, revision, name or "")
        if not force:
            check_free(results, source.title, source.sha256)
        on = where(executor, workers)
        folder, fresh = analysis.analyze(source, settings, results, report, force=force, where=on)
        if not fresh:
            report.note("All studies are up to date; --force computes them again.")
        end(folder)


@app.command()
def build(
    config: Config = Path(FILE),
    force: Annotated[bool, typer.Option("--force", help="Compute everything again.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Read every file of the last build, whatever its size and time say.")
    ] = False,
    offline: Annotated[
        bool,
        typer.Option("--offline", help="Also pack the site as a zip; unpacked, it opens from disk, search included."),
    ] = False,
    executor: ExecutorOption = EXECUTOR,
    workers: PageWorkersOption = None,
) -> None:
    """Analyse what the settings list and is missing or stale, then build the site."""
    from generator.site.stamp import up_to_date  # noqa: PLC0415 - needed here alone

    unchanged = None if force else up_to_date(config, verify=verify)
    if unchanged:
        site, fresh = unchanged, False
    else:
        from generator import pipeline  # noqa: PLC0415 - loads torch
        from generator.config import read_project  # noqa: PLC0415 - loads pydantic
        from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich

        on = where(executor, workers, pages=True)
        site, fresh = pipeline.build(read_project(config), TerminalReport(), force=force, where=on)
    typer.echo(f"{site}" if fresh else f"{site} (up to date)")
    if offline:
        from generator.site.build import pack  # noqa: PLC0415 - loads mkdocs

        typer.echo(pack(site))


@app.command()
def serve(
    config: Config = Path(FILE),
    port: Annotated[int, typer.Option(min=1, max=65535, help="On this machine only.")] = 8000,
) -> None:
    """Show the site at http://localhost:8000 and rebuild it when a page, template or result changes."""
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic
    from generator.site.build import serve_site  # noqa: PLC0415 - loads mkdocs

    serve_site(read_project(config).root / "mkdocs.yml", port)


@app.command()
def models() -> None:
    """List the encoders known by name; any other hub id or folder works too."""
    from generator.models.catalogue import CATALOGUE  # noqa: PLC0415 - not needed to parse

    width = max(len(known.id) for known in CATALOGUE)
    for known in CATALOGUE:
        where = "package" if known.package else "included" if known.folder else "hub"
        typer.echo(
            f"{known.id:<{width}}  {known.layers:>2} x {known.heads}  {where:<8}  {known.licence:<10}  {known.note}"
        )


@app.command()
def doctor(config: Config = Path(FILE)) -> None:
    """Check what this machine has and what a build would need."""
    from generator.doctor import checks  # noqa: PLC0415 - loads torch

    failed = 0
    for check in checks(config):
        failed += not check.ok
        typer.echo(f"{'ok  ' if check.ok else 'FAIL'}  {check.name}: {check.found}")
    if failed:
        raise FieldguideError(f"Expected every check to pass, found {failed} that did not; see the lines marked FAIL.")
