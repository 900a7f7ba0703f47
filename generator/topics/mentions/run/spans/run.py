"""The command `spans`: trains heads for spans and stores how often the end comes before the start."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from generator.attention.anatomy import examine
from generator.config import ModelChoice
from generator.corpora.kind import Corpus
from generator.corpora.opening import open_corpora
from generator.errors import CorpusError
from generator.experiments.record import store
from generator.lock import alone
from generator.models.load import choose_device, load
from generator.models.names import slug
from generator.models.source import locate
from generator.progress import Report
from generator.results.manifest import CorpusRecord
from generator.results.writing import check_free, prepare
from generator.studies.fact_rows import facts
from generator.topics.learning.run.pretrain.state import claim_folder
from generator.topics.mentions.corpus.coreference import CorefDocument
from generator.topics.mentions.corpus.mentions import MENTIONS
from generator.topics.mentions.records import SPANS
from generator.topics.mentions.run.spans.passages import lower_words, make_passages
from generator.topics.mentions.run.spans.table import span_numbers
from generator.topics.mentions.run.spans.train import drawn_before, read_picks, train_seed, write_picks
from generator.topics.tasks.run.finetune.settings import Finetuning


def run_spans(
    choice: ModelChoice,
    settings: Finetuning,
    corpora: Sequence[str],
    out: Path,
    results: Path,
    report: Report,
) -> Path:
    """Train the seeds that are not there on the first corpus, and store what all give on the second.

    Raises FieldguideError.
    """
    prepare(results)
    train, test = _opened(corpora)
    source = locate(choice.id, choice.revision, choice.name or "")
    check_free(results, source.title, source.sha256, SPANS.name)
    device = choose_device(settings.device)
    encoder = load(source, device)
    examine(encoder)
    lower, longest = lower_words(train.items), min(settings.max_tokens, encoder.positions)
    learned, judged = (make_passages(one, encoder, longest, lower) for one in (train, test))
    folder = out / slug(source.title) / SPANS.name
    with alone(folder, report.note), alone(results / f"{slug(source.title)}@{SPANS.name}", report.note, beside=True):
        claim_folder(
            folder,
            {
                "settings": settings.identity,
                "model": {"id": source.id, "weights": source.sha256, "setup": source.setup_sha256},
                "data": {"train": train.sha256, "test": test.sha256},
            },
        )
        places = {seed: folder / f"seed-{seed}.json" for seed in range(settings.seeds)}
        left = [seed for seed, place in places.items() if not place.is_file()]
        tokens = sum(map(len, learned.read)) * settings.epochs
        with report.bar(f"{source.title} learns spans", tokens * len(left)) as advance:
            for seed in left:
                picks = train_seed(
                    source, settings, seed, device, train=learned.read, test=judged.read, advance=advance
                )
                write_picks(places[seed], seed, judged.read, picks)
        found = span_numbers(
            judged,
            len(learned.read),
            {seed: read_picks(place, judged.read) for seed, place in places.items()},
            drawn_before(source, device, judged.read),
        )
        return store(
            *(results, source, encoder, SPANS.name),
            read=[CorpusRecord.of(one) for one in (train, test)],
            settings=settings.identity
            | {"max_tokens": longest, "seeds": settings.seeds, "train": train.name, "test": test.name},
            command=_command(choice, settings, corpora),
            tables={"facts": [facts(found, SPANS, source.title, test.name)]},
        )


def _opened(corpora: Sequence[str]) -> tuple[Corpus[CorefDocument], Corpus[CorefDocument]]:
    """The corpus to train on and that to judge on. Raises CorpusError for others, and where they share a document."""
    opened = {name: open_corpora([name]).of(MENTIONS) for name in corpora}
    for name, found in opened.items():
        if not found:
            raise CorpusError(
                f"Expected text whose mentions are linked, such as a file of GAP, found none in {Path(name).name}; "
                "give another with --train or --corpus."
            )
    train, test = (found[0] for found in opened.values()) if len(opened) > 1 else 2 * next(iter(opened.values()))
    both = {one.words for one in train.items} & {one.words for one in test.items}
    if both:
        raise CorpusError(
            f"Expected no passage of {test.name} among those that are trained on, found {len(both)} that "
            f"{train.name} has, too; judge on other passages."
        )
    return train, test


def _command(choice: ModelChoice, settings: Finetuning, corpora: Sequence[str]) -> str:
    train, test = (Path(name).name for name in corpora)
    words = ["fieldguide", "spans", choice.id, "--train", train, "--corpus", test, *choice.options()]
    numbers = {name: getattr(settings, name) for name in ("seeds", "epochs", "batch", "max_tokens")}
    numbers["rate"] = settings.peak_rate
    options = [word for name, value in numbers.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    return shlex.join([*words, *options])
