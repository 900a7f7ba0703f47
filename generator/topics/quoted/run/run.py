"""The command `quoted`: lets a model read the example sentences of the sources, and stores what its heads do there."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.attention.words import word_maps
from generator.config import ModelChoice
from generator.corpora.kind import Corpus
from generator.corpora.opening import open_corpora
from generator.corpora.pairs import WordInput
from generator.corpora.treebank import TREEBANK, Sentence
from generator.errors import CorpusError
from generator.experiments.reading import Reading
from generator.experiments.record import store
from generator.lock import alone
from generator.models.encoder import Encoder
from generator.models.load import choose_device, load
from generator.models.names import slug
from generator.models.source import locate
from generator.progress import Report, reporting_to
from generator.results.manifest import CorpusRecord
from generator.results.writing import check_free, prepare
from generator.studies.fact_rows import facts, head_facts
from generator.survey.known import check_known
from generator.topics.quoted.corpus import NAME, Quote, alike, quotes
from generator.topics.quoted.records import QUOTED
from generator.topics.quoted.run.numbers import of_example, of_others


def run_quoted(choice: ModelChoice, reading: Reading, results: Path, report: Report) -> Path:
    """Store what the heads of a model do in the example sentences, and in sentences of a treebank of as many words.

    Raises FieldguideError.
    """
    prepare(results)
    source = locate(choice.id, choice.revision, choice.name or "")
    bank = _one_bank(reading)
    read = {quote: alike(quote, bank) for quote in quotes().values()}
    check_free(results, source.title, source.sha256, QUOTED.name)
    with alone(results / f"{slug(source.title)}@{QUOTED.name}", report.note, beside=True):
        encoder = load(source, choose_device(reading.device))
        reading = replace(reading, max_tokens=min(reading.max_tokens, encoder.positions))
        inputs = {quote: _inputs(encoder, reading, quote, others) for quote, others in read.items()}
        check_known(encoder, NAME, [item.input for items in inputs.values() for item in items])
        total = sum(len(item.input) for items in inputs.values() for item in items)
        tables: dict[str, list[pd.DataFrame]] = {"facts": [], "head_facts": []}
        with report.bar(f"{source.title} reads the examples", total) as advance, reporting_to(advance):
            for quote, items in inputs.items():
                own, *others = _maps(encoder, items)
                found = {
                    NAME: of_example(quote, own),
                    bank.name: of_others(quote, own, np.stack(others), reading.seed),
                }
                for corpus, numbers in found.items():
                    tables["facts"].append(facts(numbers.model, QUOTED, source.title, corpus))
                    tables["head_facts"].append(head_facts(numbers.heads, QUOTED, source.title, corpus))
        return store(
            *(results, source, encoder, QUOTED.name),
            read=[CorpusRecord.of(bank)],
            settings=reading.settings | {"sentences": {quote.key: quote.text for quote in read}},
            command=reading.command("quoted", choice),
            tables=tables,
        )


def _one_bank(reading: Reading) -> Corpus[Sentence]:
    """The only corpus, a treebank. Raises CorpusError for another kind, and for more than one."""
    banks = open_corpora(reading.corpora).of(TREEBANK)
    if len(banks) != 1 or len(reading.corpora) != 1:
        names = ", ".join(Path(name).name for name in reading.corpora)
        raise CorpusError(f"Expected one treebank with sentences like the examples, found {names}; name one.")
    return banks[0]


def _inputs(encoder: Encoder, reading: Reading, quote: Quote, others: Mapping[str, Sequence[str]]) -> list[WordInput]:
    """The example, and the sentences of as many words that fit into one input. Raises CorpusError if too few do."""
    maker = reading.maker(encoder)
    first, *rest = (maker.words(str(at), words) for at, words in enumerate([quote.words, *others.values()]))
    fitting = [item for item in rest if item is not None]
    if first is None or len(fitting) < 2:
        raise CorpusError(
            f"Expected {quote.text!r} and two sentences like it to fit into {reading.max_tokens} tokens, found that "
            "they do not; raise --max-tokens."
        )
    return [first, *fitting]


def _maps(encoder: Encoder, items: Sequence[WordInput]) -> list[np.ndarray]:
    """`[layer, head, query, key]` among the words of each input, in their order."""
    by_name = {item.input.document: item for item in items}
    found = {
        seen.input.document: word_maps(np.asarray(seen.weights), by_name[seen.input.document]).weights
        for seen in observe(encoder, examine(encoder), [item.input for item in items], Options(keep_weights=True))
    }
    return [found[name] for name in by_name]
