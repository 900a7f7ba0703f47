"""`fieldguide analyze`: one encoder, or maps of one that were saved elsewhere."""

from pathlib import Path
from typing import get_args

import click

from generator.cli import options
from generator.cli.ending import end
from generator.defaults import CORPORA, ENTROPY_SMOOTHING, PRECISION, SEGMENT_IDS, STUDIES, Device, Executor, Precision


@click.command()
@click.argument("model", required=False, help=options.MODEL_HELP)
@click.option(
    "--maps", type=options.PATH, help="Instead of a model: a .npz archive of maps that were computed elsewhere."
)
@click.option("--name", help="What the model is called, if not by its id; with --maps it must be given.")
@click.option(
    "--text/--no-text", default=True, help="With --maps: store some sentences as examples, otherwise only numbers."
)
@click.option(
    "--about",
    default="",
    show_default=False,
    help="With --maps: what they are and where they come from, for the model's page.",
)
@options.revision
@options.device
@click.option(
    "--precision",
    type=click.Choice(get_args(Precision)),
    default=PRECISION,
    help="Precision of the model's matrix products; tf32 needs an NVIDIA GPU.",
)
@click.option(
    "--corpus",
    multiple=True,
    show_default=" ".join(CORPORA),
    help="A corpus name, or a file such as .txt, .jsonl, .conllu or .tsv; repeat for more. With --maps: a treebank of "
    "their words.",
)
@click.option("--documents", type=int, help="Read a sample of so many documents.")
@options.max_tokens
@options.seed
@click.option(
    "--entropy-smoothing",
    type=float,
    default=ENTROPY_SMOOTHING,
    help="Share of uniform attention mixed in before entropies are taken.",
)
@click.option(
    "--segment-ids/--no-segment-ids",
    default=SEGMENT_IDS,
    help="Tell the two paragraphs apart; otherwise every segment id is 0.",
)
@click.option("--word-vectors", help="A file in the text format of GloVe, for probes on treebanks.")
@click.option(
    "--studies/--no-studies",
    default=STUDIES,
    help="Make the studies, too: distances between heads, roles, vectors, gradients, treebanks and mentions.",
)
@click.option(
    "--skip-bad",
    is_flag=True,
    help="Leave out sentences, frames, questions, rows, lines of .jsonl and files of FrameNet that are wrong.",
)
@options.results
@options.executor
@options.workers
@click.option("--force", is_flag=True, help="Compute everything again, and replace results of other weights.")
def analyze(
    model: str | None,
    maps: Path | None,
    name: str | None,
    text: bool,
    about: str,
    revision: str | None,
    device: Device,
    precision: Precision,
    corpus: tuple[str, ...],
    documents: int | None,
    max_tokens: int,
    seed: int,
    entropy_smoothing: float,
    segment_ids: bool,
    word_vectors: str | None,
    studies: bool,
    skip_bad: bool,
    results: Path,
    executor: Executor,
    workers: int | None,
    force: bool,
) -> None:
    """Observe one encoder on text, or saved maps, and store what the heads do."""
    if (model is None) == (maps is None) or (maps is not None and not (name or "").strip()):
        raise click.BadParameter("Expected a MODEL, or --maps with --name.")
    if maps is not None and (documents or revision or precision != PRECISION):
        raise click.BadParameter("--maps brings its own text; leave out --documents, --revision and --precision.")
    from pydantic import ValidationError  # noqa: PLC0415 - takes as long to load as all else that help needs

    from generator.config import Analysis  # noqa: PLC0415 - loads pydantic

    try:
        settings = Analysis(
            corpora=corpus or CORPORA,
            documents=documents,
            max_tokens=max_tokens,
            seed=seed,
            entropy_smoothing=entropy_smoothing,
            segment_ids=segment_ids,
            word_vectors=word_vectors,
            studies=studies,
            skip_bad=skip_bad,
            device=device,
            precision=precision,
        )
    except ValidationError as error:
        first = error.errors()[0]
        hint = "--" + str(first["loc"][0]).replace("_", "-")
        raise click.BadParameter(f"{first['msg']}, found {first['input']}.", param_hint=hint) from None
    from generator import analysis  # noqa: PLC0415 - loads torch
    from generator.models.source import locate  # noqa: PLC0415 - not needed to parse
    from generator.results.writing import check_free  # noqa: PLC0415 - loads pandas
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich

    report = TerminalReport()
    if maps is not None and name is not None:
        archive = analysis.Archive(maps, name, corpus, text, about)
        end(analysis.analyze_maps(archive, settings, results, report, force=force))
    elif model is not None:
        source = locate(model, revision, name or "")
        if not force:
            check_free(results, source.title, source.sha256)
        on = options.where(executor, workers)
        folder, fresh = analysis.analyze(source, settings, results, report, force=force, where=on)
        if not fresh:
            report.note("All studies are up to date; --force computes them again.")
        end(folder)
