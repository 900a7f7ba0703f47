"""The command `seeds`: several trainings of one recipe -> a results folder beside the results of a model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from generator.attention.anatomy import examine
from generator.config import ModelChoice
from generator.corpora.document import Corpus
from generator.corpora.kinds import CorpusKind
from generator.corpora.opening import Corpora, open_corpora
from generator.errors import CorpusError, ModelError
from generator.experiments.compare.models import check_inputs
from generator.experiments.curve.checkpoints import read_checkpoints
from generator.experiments.pretrain.state import CHECKPOINTS, read_run
from generator.experiments.reading import Reading
from generator.experiments.record import store
from generator.experiments.seeds.log import log_facts
from generator.experiments.seeds.maps import Twins, find_twins, map_facts, measure_facts
from generator.experiments.seeds.reading import read
from generator.experiments.seeds.relations import relation_tables
from generator.lock import alone
from generator.models.encoder import Encoder
from generator.models.load import choose_device, load
from generator.models.names import slug
from generator.models.source import Source, locate
from generator.progress import Report
from generator.results.manifest import CorpusRecord
from generator.results.store import check_free, prepare
from generator.studies.experiments.seeds_quantities import SEEDS
from generator.studies.fact_rows import facts
from generator.studies.learning.run_quantities import HELD_OUT_TEXT
from generator.studies.syntax.reading import read_predictions
from generator.studies.syntax.sentences import treebank_inputs

EXPERIMENT = "seeds"
FEWEST = 2
Tables = dict[str, list[pd.DataFrame]]


@dataclass(frozen=True)
class Training:
    """A finished training."""

    source: Source
    run: Path | None
    """Its folder, where `pretrain` made it."""

    @classmethod
    def find(cls, place: str) -> "Training":
        """The last checkpoint of a run, or a model by its folder or id. Raises ModelError."""
        run = Path(place)
        if (run / CHECKPOINTS).is_dir():
            last = read_checkpoints(run)[-1]
            return cls(replace(locate(last.model), id=run.resolve().name), run)
        return cls(locate(place), None)


def run_seeds(
    trainings: Sequence[str], of: ModelChoice | None, reading: Reading, results: Path, report: Report
) -> Path:
    """Set trainings beside each other and store what comes back; `of` is the model whose pages tell of it.

    Without one it is the first training. Raises FieldguideError.
    """
    prepare(results)
    found = [Training.find(place) for place in trainings]
    source = locate(of.id, of.revision) if of else found[0].source
    _check_apart(found)
    opened = open_corpora(reading.corpora)
    if not opened.of(CorpusKind.TEXT):
        names = ", ".join(one.name for one in opened.all) or "none"
        raise CorpusError(f"Expected running text among the corpora of trainings, found {names}; add one to --corpus.")
    check_free(results, source.id, source.sha256, EXPERIMENT)
    with alone(results / f"{slug(source.id)}@{EXPERIMENT}", report.note, beside=True):
        place = choose_device(reading.device)
        encoders = [load(one.source, place) for one in found]
        home = load(source, place)
        _check_shape([*encoders, home])
        reading = replace(reading, max_tokens=min(reading.max_tokens, *(one.positions for one in encoders)))
        tables, read_corpora = _tables(encoders, opened, source.id, reading, report)
        logged = log_facts([one.run for one in found])
        if logged:
            tables["facts"].append(facts(logged, SEEDS, source.id, HELD_OUT_TEXT))
        return store(
            *(results, source, home, EXPERIMENT),
            read=[CorpusRecord.of(corpus) for corpus in read_corpora],
            settings=reading.settings | {"trainings": [_said(one) for one in found]},
            command=reading.command(
                "seeds",
                ModelChoice(found[0].source.id),
                *(one.source.id for one in found[1:]),
                *(["--of", source.id] if of else []),
            ),
            tables=tables,
        )


def _tables(
    encoders: Sequence[Encoder], opened: Corpora, model: str, reading: Reading, report: Report
) -> tuple[Tables, list[Corpus[Any]]]:
    """`facts` and `head_facts`, and the corpora that were read; treebanks go by the twins of the first text."""
    texts, banks = opened.of(CorpusKind.TEXT), opened.of(CorpusKind.TREEBANK)
    inputs = reading.text_inputs(texts, encoders[0])
    for one in encoders[1:]:
        check_inputs(encoders[0], one, inputs)
    tables: Tables = {"facts": [], "head_facts": []}
    twins: Twins = {}
    for corpus, items in inputs.items():
        with report.bar(f"{len(encoders)} trainings read {corpus}", sum(map(len, items))) as advance:
            seen = read(encoders, items, reading.seed, advance)
        paired = find_twins(seen, reading.seed)
        twins = twins or paired
        whole, by_layer = map_facts(seen, paired, reading.seed)
        whole |= measure_facts(seen, paired, reading.seed)
        tables["facts"] += [facts(one, SEEDS, model, corpus) for one in (whole, by_layer)]
    for bank in banks:
        sentences = treebank_inputs(bank, reading.maker(encoders[0]))
        words = sum(len(sentence.words) for sentence, _ in sentences.values())
        with report.bar(f"{len(encoders)} trainings read {bank.name}", words * len(encoders)) as advance:
            predictions = [read_predictions(one, examine(one), sentences, advance) for one in encoders]
        for name, parts in relation_tables(predictions, twins, model, bank.name, reading.seed).items():
            tables[name] += parts
    return {name: parts for name, parts in tables.items() if parts}, [*texts, *banks]


def _said(one: Training) -> dict[str, object]:
    """What the manifest says of a training."""
    settings = read_run(one.run).get("settings", {}) if one.run else {}
    known = {key: settings[key] for key in ("seed", "steps") if key in settings}
    return {"name": one.source.id, "weights": one.source.sha256} | known


def _check_apart(found: Sequence[Training]) -> None:
    """Raises ModelError for fewer than two trainings, and for one that is given twice."""
    names = [one.source.id for one in found]
    if len(found) < FEWEST:
        raise ModelError(f"Expected {FEWEST} trainings or more, found {', '.join(names)}; add another.")
    for at, one in enumerate(found):
        twice = [other.source.id for other in found[:at] if other.source.sha256 == one.source.sha256]
        if twice:
            raise ModelError(
                f"Expected trainings that differ, found the same weights in {twice[0]} and {one.source.id}; "
                "leave one out."
            )


def _check_shape(encoders: Sequence[Encoder]) -> None:
    """Raises ModelError where one has other layers or heads than the first."""
    shapes = [(one.id, (found.layers, found.heads)) for one in encoders for found in [examine(one)]]
    first, (layers, heads) = shapes[0]
    for name, shape in shapes[1:]:
        if shape != (layers, heads):
            raise ModelError(
                f"Expected {layers} layers of {heads} heads in {name} as in {first}, found {shape[0]} of {shape[1]}; "
                "set trainings of one shape beside each other."
            )
