"""Makes the inputs of one model from corpora of every kind, and counts what they contain."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from generator.config import Analysis
from generator.corpora.kind import BAD, Corpus, Form
from generator.corpora.pairs import PairMaker
from generator.limits import MIN_TOKENS
from generator.models.encoder import Encoder
from generator.numbers.resampling import FEW_DOCUMENTS
from generator.progress import Report
from generator.survey.known import check_known


class Readable(NamedTuple):
    """What a model can read of a corpus."""

    corpus: Corpus[Any]
    inputs: Any
    """The inputs in the form that `generator.studies.procedure.Subject` describes."""
    counts: dict[str, int]


def make_inputs(corpus: Corpus[Any], maker: PairMaker, report: Report) -> Readable:
    """The inputs of a corpus by its kind. Raises CorpusError when it gives none."""
    inputs = corpus.kind.inputs(corpus, maker)
    counts = corpus.kind.counts(corpus, inputs) | left_out(corpus, report)
    _tell(corpus, counts, report)
    return Readable(corpus, inputs, counts)


def left_out(corpus: Corpus[Any], report: Report) -> dict[str, int]:
    """How many parts of a corpus were left out because they are wrong, if any were, which is reported."""
    if not corpus.bad:
        return {}
    report.warn(f"Wrong parts of {corpus.name} left out: {len(corpus.bad)}. The first: {corpus.bad[0]}")
    return {BAD: len(corpus.bad)}


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
