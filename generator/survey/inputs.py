"""Makes the inputs of one model from corpora of every kind, and counts what they contain."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from generator.config import Analysis
from generator.corpora import files, frames, mentions, questions, treebank
from generator.corpora.document import Corpus
from generator.corpora.kinds import CorpusKind
from generator.corpora.known import check_known
from generator.corpora.pairs import PairMaker
from generator.limits import MIN_TOKENS
from generator.models.encoder import Encoder
from generator.numbers.resampling import FEW_DOCUMENTS
from generator.progress import Report

MAKERS: Mapping[
    CorpusKind, tuple[Callable[[Corpus[Any], PairMaker], Any], Callable[[Corpus[Any], Any], dict[str, int]]]
]
MAKERS = {
    CorpusKind.TEXT: (files.text_inputs, files.counts_of),
    CorpusKind.TREEBANK: (treebank.treebank_inputs, treebank.counts_of),
    CorpusKind.MENTIONS: (mentions.mention_inputs, mentions.counts_of),
    CorpusKind.FRAMES: (frames.frame_inputs, frames.counts_of),
    CorpusKind.QUESTIONS: (questions.question_inputs, questions.counts_of),
}
"""Kind of corpus -> the function that makes its inputs, and the one that counts how much of the corpus they contain."""


class Readable(NamedTuple):
    """What a model can read of a corpus."""

    corpus: Corpus[Any]
    inputs: Any
    """The inputs in the form that `generator.studies.procedure.Subject` describes."""
    counts: dict[str, int]


def make_inputs(corpus: Corpus[Any], maker: PairMaker, report: Report) -> Readable:
    """The inputs of a corpus, made as its kind asks for. Raises CorpusError if there are none."""
    make, count = MAKERS[corpus.kind]
    inputs = make(corpus, maker)
    counts = count(corpus, inputs)
    _tell(corpus, counts, report)
    return Readable(corpus, inputs, counts)


def check_inputs(readable: Readable, encoder: Encoder) -> None:
    """Raises ModelError when the tokenizer knows less than half of a corpus; questions are made into inputs later."""
    inputs = readable.inputs
    if isinstance(inputs, Mapping):
        inputs = [words.input for _, words in inputs.values()]
    if readable.corpus.kind is not CorpusKind.QUESTIONS:
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
    """Report what of a corpus is read in parts or not at all, and if it is too little for intervals."""
    if counts.get("split"):
        report.note(f"{counts['split']} of {counts['documents']} documents of {corpus.name} are read in several parts.")
    if counts.get("long"):
        report.note(f"{counts['long']} sentences of {corpus.name} are longer than one input and left out.")
    if counts.get("short"):
        report.warn(f"{counts['short']} documents of {corpus.name} have fewer than two paragraphs and are left out.")
    if corpus.kind is CorpusKind.TEXT and counts["documents"] < FEW_DOCUMENTS:
        report.warn(
            f"{corpus.name} has {counts['documents']} usable documents; with fewer than {FEW_DOCUMENTS} an interval "
            "means little."
        )
