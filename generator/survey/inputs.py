"""Makes the inputs of one model from corpora of every kind, counts what they contain, and refuses what is in vain.

A text whose numbers cannot fit into memory is refused before hours are spent on it. Text stays on disk, and costs no
memory until it is read. But each document gives a row of measures for every head, and the rows of a corpus are held in
memory until they are stored, since intervals resample them.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from generator.config import Analysis
from generator.corpora.kind import Corpus, Form
from generator.corpora.pairs import PairMaker
from generator.errors import CorpusError
from generator.limits import MIN_TOKENS, free_memory
from generator.measures import COLUMNS
from generator.models.encoder import Encoder
from generator.numbers.resampling import FEW_DOCUMENTS
from generator.progress import Report
from generator.survey.known import check_known

FLOAT = 8
"""Bytes of a measure in a row."""


class Readable(NamedTuple):
    """What a model can read of a corpus."""

    corpus: Corpus[Any]
    inputs: Any
    """The inputs in the form that `generator.studies.procedure.Subject` describes."""
    counts: dict[str, int]


def make_inputs(corpus: Corpus[Any], maker: PairMaker, report: Report) -> Readable:
    """The inputs of a corpus by its kind. Raises CorpusError when it gives none."""
    inputs = corpus.kind.inputs(corpus, maker)
    counts = corpus.kind.counts(corpus, inputs)
    _tell(corpus, counts, report)
    return Readable(corpus, inputs, counts)


def check_inputs(readable: Readable, encoder: Encoder) -> None:
    """Raises ModelError if the tokenizer knows less than half of a corpus.

    A corpus that only a head on the encoder reads, such as questions, is not checked: it is tokenized later.
    """
    inputs, form = readable.inputs, readable.corpus.kind.form
    if form is Form.WORDS:
        inputs = [words.input for _, words in inputs.values()]
    if form is not Form.HEAD:
        check_known(encoder, readable.corpus.name, inputs)


def pair_maker(encoder: Encoder, settings: Analysis, report: Report) -> PairMaker:
    """A maker of inputs with at most as many tokens as the settings allow and the model can read."""
    if settings.max_tokens > encoder.positions:
        report.note(
            f"{encoder.id} reads at most {encoder.positions} tokens, not {settings.max_tokens}: "
            "longer documents are split."
        )
    return PairMaker(encoder.tokenizer, max(min(settings.max_tokens, encoder.positions), MIN_TOKENS), settings.seed)


def _tell(corpus: Corpus[Any], counts: Mapping[str, int], report: Report) -> None:
    """Report how much of a corpus is read in parts or not at all, and whether the rest is too little for intervals."""
    if counts.get("split"):
        report.note(f"Documents of {corpus.name} read in several parts: {counts['split']} of {counts['documents']}.")
    if counts.get("long"):
        report.note(f"Sentences of {corpus.name} left out, because one input cannot hold them: {counts['long']}.")
    if counts.get("short"):
        report.warn(f"Documents of {corpus.name} left out, because they lack two paragraphs: {counts['short']}.")
    if corpus.kind.measured and counts["documents"] < FEW_DOCUMENTS:
        report.warn(
            f"Usable documents of {corpus.name}: {counts['documents']}; with fewer than {FEW_DOCUMENTS} an interval "
            "means little."
        )


def rows_in_bytes(documents: int, heads: int) -> int:
    """The least memory that the measures of so many documents take for a model with so many heads."""
    return documents * heads * len(COLUMNS) * FLOAT


def check_room(corpus: Corpus[Any], heads: int) -> None:
    """Raises CorpusError if the measures of a text would not fit into the memory that is free."""
    documents, free = len(corpus.items), free_memory()
    if corpus.kind.measured and free is not None and rows_in_bytes(documents, heads) > free:
        needed, fitting = rows_in_bytes(documents, heads), max(free // (2 * rows_in_bytes(1, heads)), 1)
        raise CorpusError(
            f"Expected a text whose numbers fit into memory, found {documents:,} documents of {corpus.name}, which for "
            f"{heads} heads need at least {needed >> 20:,} MiB where {free >> 20:,} are free; read a sample with "
            f"--documents {fitting}, or fewer."
        )
