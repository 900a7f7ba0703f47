"""One encoder, some corpora -> the tables of its results: make inputs, observe them, measure what was seen."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Protocol

import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.attention.stream import Options, observe
from generator.config import MIN_TOKENS, Analysis
from generator.corpora.catalogue import EXAMPLES
from generator.corpora.document import Corpus
from generator.corpora.pairs import Input, PairMaker
from generator.errors import CorpusError
from generator.models.encoder import Encoder
from generator.results.intervals import FEW_DOCUMENTS
from generator.results.rows import CorpusRows, example_table, input_table


class Report(Protocol):
    """Where progress and notes go."""

    def bar(self, title: str, total: int) -> AbstractContextManager[Callable[[int], None]]:
        """Show a bar; the function it gives is told how much more is done."""

    def note(self, text: str) -> None:
        """Say something worth knowing."""

    def warn(self, text: str) -> None:
        """Say something that limits what the result means."""


@dataclass(frozen=True)
class Survey:
    """What one encoder showed."""

    tables: dict[str, pd.DataFrame]
    counts: dict[str, dict[str, int]]
    """Per corpus: documents, inputs, tokens, split (documents in several parts), short (documents left out)."""
    vocabulary: dict[str, str]
    """Vocabulary id -> token, of the sinks."""


def survey(encoder: Encoder, anatomy: Anatomy, corpora: Sequence[Corpus], settings: Analysis, report: Report) -> Survey:
    """Observe every corpus and the example sentences. Raises CorpusError when a corpus gives no input."""
    maker = PairMaker(encoder.tokenizer, _max_tokens(encoder, settings, report), settings.seed)
    options = Options(smoothing=settings.entropy_smoothing, segments=settings.segment_ids)
    tables: dict[str, list[pd.DataFrame]] = defaultdict(list)
    fed = encoder.segments and settings.segment_ids
    counts = {}
    for corpus in corpora:
        inputs, counts[corpus.name] = _inputs(maker, corpus, report)
        rows = CorpusRows(encoder.id, corpus.name)
        with report.bar(f"{encoder.id} reads {corpus.name}", sum(map(len, inputs))) as advance:
            for seen in observe(encoder, anatomy, inputs, options):
                rows.add(seen)
                advance(len(seen.input))
        for name, table in {**rows.tables(settings.seed), "inputs": input_table(corpus.name, inputs, fed)}.items():
            tables[name].append(table)
    joined = {name: pd.concat(parts, ignore_index=True) for name, parts in tables.items()}
    joined["examples"] = _examples(encoder, anatomy, maker, options)
    sinks = sorted(set(joined["documents"]["sink.token"]))
    names = encoder.tokenizer.convert_ids_to_tokens(sinks)
    return Survey(joined, counts, {str(i): str(name) for i, name in zip(sinks, names, strict=True)})


def _max_tokens(encoder: Encoder, settings: Analysis, report: Report) -> int:
    if settings.max_tokens > encoder.positions:
        report.note(
            f"{encoder.id} reads at most {encoder.positions} tokens, not {settings.max_tokens}: "
            "longer documents are split."
        )
    return max(min(settings.max_tokens, encoder.positions), MIN_TOKENS)


def _inputs(maker: PairMaker, corpus: Corpus, report: Report) -> tuple[list[Input], dict[str, int]]:
    by_document = {document.id: maker.inputs(document) for document in corpus.documents}
    used = {name: parts for name, parts in by_document.items() if parts}
    inputs = [item for parts in used.values() for item in parts]
    if not inputs:
        raise CorpusError(
            f"Expected documents of at least two paragraphs in {corpus.name}, found none among "
            f"{len(by_document)}; separate paragraphs by a blank line and documents by two, or by a line '# name'."
        )
    counts = {
        "documents": len(used),
        "inputs": len(inputs),
        "tokens": sum(map(len, inputs)),
        "split": sum(len(parts) > 1 for parts in used.values()),
        "short": len(by_document) - len(used),
    }
    if counts["split"]:
        report.note(f"{counts['split']} of {len(used)} documents of {corpus.name} are read in several parts.")
    if counts["short"]:
        report.warn(f"{counts['short']} documents of {corpus.name} have fewer than two paragraphs and are left out.")
    if len(used) < FEW_DOCUMENTS:
        report.warn(
            f"{corpus.name} has {len(used)} usable documents; with fewer than {FEW_DOCUMENTS} an interval means little."
        )
    return inputs, counts


def _examples(encoder: Encoder, anatomy: Anatomy, maker: PairMaker, options: Options) -> pd.DataFrame:
    texts = {str(number): text for number, text in enumerate(EXAMPLES, start=1)}
    inputs = [maker.sentence(name, text) for name, text in texts.items()]
    seen = list(observe(encoder, anatomy, inputs, replace(options, keep_weights=True)))
    tokens = {item.document: encoder.tokenizer.convert_ids_to_tokens(list(item.input_ids)) for item in inputs}
    return example_table(seen, texts, tokens)
