"""Corpora of every kind -> inputs of one model, and what is counted while they are made."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from generator.config import Analysis
from generator.corpora.document import Corpus, Document
from generator.corpora.frames import FrameSentence
from generator.corpora.kinds import CorpusKind
from generator.corpora.known import check_known
from generator.corpora.mentions import CorefDocument
from generator.corpora.pairs import PairMaker
from generator.corpora.questions import Question
from generator.corpora.treebank import Sentence
from generator.errors import CorpusError
from generator.limits import MIN_TOKENS
from generator.models.encoder import Encoder
from generator.numbers.resampling import FEW_DOCUMENTS
from generator.progress import Report
from generator.studies.frames import sentences as frames
from generator.studies.mentions import coreference
from generator.studies.syntax import sentences


class Readable(NamedTuple):
    """What a model can read of a corpus."""

    corpus: Corpus[Any]
    inputs: Any
    """The inputs in the form that `generator.studies.procedure.Subject` describes."""
    counts: dict[str, int]


def make_inputs(corpus: Corpus[Any], maker: PairMaker, report: Report) -> Readable:
    """The inputs of a corpus by its kind. Raises CorpusError when it gives none."""
    inputs, counts = _MAKERS[corpus.kind](corpus, maker, report)
    return Readable(corpus, inputs, counts)


def check_inputs(readable: Readable, encoder: Encoder) -> None:
    """Raises ModelError when the tokenizer knows less than half of a corpus; questions are made into inputs later."""
    inputs = readable.inputs
    if isinstance(inputs, Mapping):
        inputs = [words.input for _, words in inputs.values()]
    if readable.corpus.kind is not CorpusKind.QUESTIONS:
        check_known(encoder, readable.corpus.name, inputs)


def pair_maker(encoder: Encoder, settings: Analysis, report: Report) -> PairMaker:
    """What makes inputs of at most as many tokens as the settings say and the model reads."""
    if settings.max_tokens > encoder.positions:
        report.note(
            f"{encoder.id} reads at most {encoder.positions} tokens, not {settings.max_tokens}: "
            "longer documents are split."
        )
    return PairMaker(encoder.tokenizer, max(min(settings.max_tokens, encoder.positions), MIN_TOKENS), settings.seed)


def _text(corpus: Corpus[Document], maker: PairMaker, report: Report) -> tuple[Any, dict[str, int]]:
    by_document = {document.id: maker.inputs(document) for document in corpus.items}
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


def _treebank(treebank: Corpus[Sentence], maker: PairMaker, report: Report) -> tuple[Any, dict[str, int]]:
    inputs = sentences.treebank_inputs(treebank, maker)
    counts = sentences.counts_of(treebank, inputs)
    if counts["long"]:
        report.note(f"{counts['long']} sentences of {treebank.name} are longer than one input and left out.")
    return inputs, counts


def _mentions(corpus: Corpus[CorefDocument], maker: PairMaker, _report: Report) -> tuple[Any, dict[str, int]]:
    inputs = coreference.mention_inputs(corpus, maker)
    return inputs, coreference.counts_of(inputs)


def _frames(corpus: Corpus[FrameSentence], maker: PairMaker, _report: Report) -> tuple[Any, dict[str, int]]:
    inputs = frames.frame_inputs(corpus, maker)
    return inputs, frames.counts_of(inputs)


def _questions(corpus: Corpus[Question], _maker: PairMaker, _report: Report) -> tuple[Any, dict[str, int]]:
    """A head for answers reads each question with its passage as it was trained to."""
    return corpus.items, {"questions": len(corpus.items)}


_MAKERS: Mapping[CorpusKind, Callable[[Corpus[Any], PairMaker, Report], tuple[Any, dict[str, int]]]] = {
    CorpusKind.TEXT: _text,
    CorpusKind.TREEBANK: _treebank,
    CorpusKind.MENTIONS: _mentions,
    CorpusKind.FRAMES: _frames,
    CorpusKind.QUESTIONS: _questions,
}
