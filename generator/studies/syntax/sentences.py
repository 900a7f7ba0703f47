"""The sentences of a treebank that one input of a model can hold."""

from collections.abc import Mapping

from generator.corpora.document import Corpus
from generator.corpora.pairs import PairMaker, WordInput
from generator.corpora.treebank import Sentence
from generator.errors import CorpusError

Inputs = Mapping[str, tuple[Sentence, WordInput]]


def treebank_inputs(treebank: Corpus[Sentence], maker: PairMaker) -> dict[str, tuple[Sentence, WordInput]]:
    """The sentences that fit into one input, by name. Raises CorpusError when none does."""
    made = {one.id: (one, maker.words(one.id, [word.form for word in one.words])) for one in treebank.items}
    inputs = {name: (sentence, item) for name, (sentence, item) in made.items() if item is not None}
    if not inputs:
        raise CorpusError(
            f"Expected sentences that fit into one input in {treebank.name}, found none among {len(made)}; "
            "raise --max-tokens."
        )
    return inputs


def counts_of(treebank: Corpus[Sentence], inputs: Inputs) -> dict[str, int]:
    """Sentences and words that were read, and sentences too long to be."""
    return {
        "sentences": len(inputs),
        "words": sum(len(sentence.words) for sentence, _ in inputs.values()),
        "long": len(treebank.items) - len(inputs),
    }
