"""The inputs of the study of linked mentions: the start of every document, as far as one input reaches."""

from collections.abc import Mapping

from generator.corpora.document import Corpus
from generator.corpora.mentions import CorefDocument, truncate
from generator.corpora.pairs import PairMaker, WordInput
from generator.errors import CorpusError

Inputs = Mapping[str, tuple[CorefDocument, WordInput]]


def mention_inputs(corpus: Corpus[CorefDocument], maker: PairMaker) -> dict[str, tuple[CorefDocument, WordInput]]:
    """Documents cut to one input, by name; those without a mention to score are left out.

    Clark et al. 2019, section 4.3, cut documents to 128 tokens. Raises CorpusError when nothing is left.
    """
    inputs = {}
    for document in corpus.items:
        short = truncate(document, maker.fitting(document.words))
        item = maker.words(document.id, short.words) if short.scored() else None
        if item is not None:
            inputs[document.id] = short, item
    if len(inputs) < 2:
        raise CorpusError(
            f"Expected two documents of {corpus.name} with a mention and its antecedent in the first words, found "
            f"{len(inputs)}; raise --max-tokens."
        )
    return inputs


def counts_of(inputs: Inputs) -> dict[str, int]:
    """Documents and scored mentions."""
    return {
        "documents": len(inputs),
        "mentions": sum(len(document.scored()) for document, _ in inputs.values()),
    }
