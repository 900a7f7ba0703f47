"""Arguments and options that several commands share, and what --executor and --workers say together.

Options of one command alone stand above that command.
"""

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from generator.defaults import DEVICE, EXECUTOR, FILE, MAX_TOKENS, RESULTS, SEED, Device, Executor
from generator.limits import MIN_TOKENS, MOST_SEED

if TYPE_CHECKING:
    from generator.jobs.executors import Where

PATH = click.Path(path_type=Path)
"""A file or a folder, which need not be there."""
AT_LEAST_ONE = click.IntRange(min=1)
SEEDS = click.IntRange(0, MOST_SEED)
DATA = Path("data")

MODEL_HELP = "A hub id, a local folder, or a name from `fieldguide models`."
TASK_HELP = "rte, mrpc, sst2, stsb, qnli, qqp, mnli or cola."
DATA_HELP = "A folder that holds GLUE's folders, as shipped: RTE, MRPC, ..."

config = click.option("--config", type=PATH, default=Path(FILE), help="The settings file.")
model = click.argument("model", help=MODEL_HELP)
revision = click.option("--revision", help="Branch, tag or commit on the hub.")
name = click.option("--name", help="What the model is called, if not by its id: two revisions of one need two names.")
corpus = click.option("--corpus", multiple=True, help="A corpus name or a file; repeat for more.")
task = click.option("--task", help=TASK_HELP)
data = click.option("--data", type=PATH, default=DATA, help=DATA_HELP)
max_tokens = click.option(
    "--max-tokens", type=click.IntRange(min=MIN_TOKENS), default=MAX_TOKENS, help="Longest input in tokens."
)
seed = click.option("--seed", type=SEEDS, default=SEED, help="For sampling, pairing and intervals.")
device = click.option(
    "--device", type=click.Choice(get_args(Device)), default=DEVICE, help="auto takes a GPU where there is one."
)
results = click.option("--results", type=PATH, default=RESULTS, help="Where to write the results.")
out = click.option("--out", type=PATH, default=Path("build/finetuned"), help="Where fine-tuned models are kept.")
epochs = click.option("--epochs", default=3, help="How often every example is read.")
batch = click.option("--batch", default=32, help="Examples a step.")
examples = click.option("--examples", type=int, help="Train on a sample of so many examples.")
trained_in = click.option(
    "--precision", type=click.Choice(["float32", "bfloat16"]), default="float32", help="Precision of the training."
)
seeds_of_task = click.option("--seeds", default=2, help="With --task: how many runs, each with a seed of its own.")
rate_of_task = click.option("--rate", type=float, help="With --task: peak learning rate.")
examples_of_task = click.option("--examples", type=int, help="With --task: train on a sample of so many examples.")
executor = click.option(
    "--executor",
    type=click.Choice(get_args(Executor)),
    default=EXECUTOR,
    help="local: in this process; processes: several on this machine, one job a corpus; ray: a cluster.",
)
workers = click.option(
    "--workers",
    type=AT_LEAST_ONE,
    help="With --executor processes: how many at a time; if not given, as cores and memory allow.",
)


def where(executor: Executor, workers: int | None, *, pages: bool = False) -> "Where":
    """Where jobs run, as these options ask; with `pages`, processes also make pages.

    Raises BadParameter if `workers` is given where no processes run that it could count.
    """
    from generator.jobs.executors import Where  # noqa: PLC0415 - loads multiprocessing

    if workers and executor != "processes" and not (pages and executor == "local"):
        raise click.BadParameter(
            "--workers goes with --executor processes (Ray goes by what each job needs); leave it out."
        )
    return Where(executor, workers)
