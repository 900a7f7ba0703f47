"""Lets a model read sentences and collects the word that each head picks for every word."""

import numpy as np

from generator.attention.anatomy import Anatomy
from generator.attention.stream import Options, observe
from generator.attention.words import word_maps
from generator.corpora.treebank import Inputs
from generator.models.encoder import Encoder
from generator.topics.relations.derived.predictions import Predictions, predict


def read_predictions(encoder: Encoder, anatomy: Anatomy, sentences: Inputs) -> Predictions:
    """The predictions of a model's heads for these sentences."""
    pairs = []
    for seen in observe(encoder, anatomy, [item.input for _, item in sentences.values()], Options(keep_weights=True)):
        sentence, item = sentences[seen.input.document]
        pairs.append((sentence, predict(word_maps(np.asarray(seen.weights), item).weights)))
    return Predictions.of(pairs)
