"""The study of linked mentions: the start of every document, as far as one input reaches."""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.attention.stream import Options, observe
from generator.attention.words import word_maps
from generator.corpora.document import Corpus
from generator.corpora.mentions import CorefDocument, truncate
from generator.corpora.pairs import PairMaker, WordInput
from generator.errors import CorpusError
from generator.models.encoder import Encoder
from generator.studies.mentions.antecedents import score, tables

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


def mention_tables(
    encoder: Encoder, anatomy: Anatomy, corpus: str, inputs: Inputs, seed: int, advance: Callable[[int], None]
) -> dict[str, list[pd.DataFrame]]:
    """All tables of one corpus; `advance` is told of every word."""
    scores = []
    items = [item.input for _, item in inputs.values()]
    for seen in observe(encoder, anatomy, items, Options(keep_weights=True)):
        document, item = inputs[seen.input.document]
        scores.append(score(document, word_maps(np.asarray(seen.weights), item).weights))
        advance(len(document.words))
    antecedents, head_facts = tables(scores, encoder.id, corpus, seed)
    return {"antecedents": [antecedents], "head_facts": [head_facts]}
