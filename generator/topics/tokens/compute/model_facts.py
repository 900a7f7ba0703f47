"""Facts about a model before it reads anything: its vocabulary, and that it has one embedding per token type."""

import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.corpora.files import TEXT
from generator.models.encoder import Encoder
from generator.numbers.number import alone
from generator.studies.fact_rows import facts
from generator.studies.procedure import Need, Part, Procedure, Subject, Tables
from generator.topics.tokens.records.tokens import MODEL


def model_facts(encoder: Encoder, model: str, corpus: str) -> pd.DataFrame:
    """`facts` of study "model": counts, so without intervals; `n` is 1.

    Each type has one row of the input embedding, and single tokens have none of their own: before positions are added,
    a type enters the network with the same vector at every place.
    """
    found = {"vocabulary": len(encoder.tokenizer)}
    try:
        types, width = encoder.model.get_input_embeddings().weight.shape
        found |= {"embedding.types": types, "embedding.width": width}
    except NotImplementedError:  # models of characters have no table of pieces
        pass
    return facts({name: alone(count, 1) for name, count in found.items()}, MODEL, model, corpus)


def _facts(of: Subject, encoder: Encoder, _anatomy: Anatomy) -> Tables:
    return {"facts": [model_facts(encoder, of.model, of.corpus)]}


PROCEDURE = Procedure("model", TEXT, parts=(Part(Need.MODEL, _facts),))
