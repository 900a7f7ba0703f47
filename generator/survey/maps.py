"""What saved maps show: all that needs weights and tokens alone."""

from collections.abc import Sequence

import pandas as pd

from generator.attention.saved import SavedMaps
from generator.attention.stream import Observed
from generator.config import Analysis
from generator.corpora.catalogue import EXAMPLES
from generator.corpora.kinds import CorpusKind
from generator.progress import Report
from generator.results.examples import example_table
from generator.results.manifest import CorpusRecord
from generator.studies.procedure import Need, Procedure, Subject, Watcher
from generator.survey.engine import Given, Survey, can_be_made, carry_out, made_of
from generator.survey.rows import Rows, join

GIVEN: Given = {Need.SUMS: (), Need.MAPS: ()}


def survey_maps(name: str, maps: SavedMaps, settings: Analysis, studies: Sequence[Procedure], report: Report) -> Survey:
    """Make those of the studies that saved maps allow. The shortest documents serve as examples."""
    seen: list[Observed] = []
    rows: Rows = {}

    def show(watchers: Sequence[Watcher], _keep_weights: bool) -> None:
        with report.bar(f"{name}: {maps.name}", sum(map(len, maps.inputs))) as advance:
            for one in maps.observe(settings.entropy_smoothing):
                for watcher in watchers:
                    watcher.add(one)
                seen.append(one)
                advance(len(one.input))

    def examples() -> pd.DataFrame:
        shown = sorted(seen, key=lambda one: (len(one.input), one.input.document))[: len(EXAMPLES)]
        tokens = {one.input.document: [maps.vocabulary[at] for at in one.input.input_ids] for one in shown}
        return example_table(shown, {key: " ".join(each) for key, each in tokens.items()}, tokens)

    subject = Subject(
        model=name,
        corpus=maps.name,
        shape=maps.shape,
        inputs=maps.inputs,
        seed=settings.seed,
        pieces=lambda ids: [maps.vocabulary[at] for at in ids],
        table=lambda table: made_of(rows, maps.name, table),
        examples=examples,
        told_segments=True,
    )
    chosen = [one for one in studies if one.reads is CorpusKind.TEXT and can_be_made(one, GIVEN)]
    carry_out(chosen, subject, GIVEN, show, rows, report)
    tokens = sum(map(len, maps.inputs))
    counts = {"documents": len(seen), "inputs": len(seen), "tokens": tokens, "split": 0, "short": 0}
    read = CorpusRecord(maps.name, CorpusKind.TEXT, maps.sha256, counts=counts)
    vocabulary = {str(at): token for at, token in enumerate(maps.vocabulary)}
    return Survey(join(rows, chosen, [maps.name]), (read,), vocabulary)
