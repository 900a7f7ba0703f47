"""The options that say what an analysis runs on."""

from typing import TYPE_CHECKING, Annotated

import typer

from generator.defaults import Executor

if TYPE_CHECKING:
    from generator.jobs.executors import Where

ExecutorOption = Annotated[
    Executor,
    typer.Option(help="local: in this process; processes: several on this machine, one job a corpus; ray: a cluster."),
]
WorkersOption = Annotated[
    int | None, typer.Option(min=1, help="With --executor processes: how many at a time; one per core if not given.")
]
PageWorkersOption = Annotated[
    int | None, typer.Option(min=1, help="Processes at a time, for pages and with --executor processes; or one a core.")
]


def where(executor: Executor, workers: int | None, *, pages: bool = False) -> "Where":
    """What these options ask for; processes also make `pages`. Raises BadParameter if none would be counted."""
    from generator.jobs.executors import Where  # noqa: PLC0415 - loads multiprocessing

    if workers and executor != "processes" and not (pages and executor == "local"):
        raise typer.BadParameter("--workers goes with --executor processes; Ray counts by what each job needs.")
    return Where(executor, workers)
