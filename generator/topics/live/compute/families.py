"""The families that the forward pass in the browser computes: where each keeps what the pass has a name for."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

EMBEDDINGS = {
    "word": "embeddings.word_embeddings.weight",
    "position": "embeddings.position_embeddings.weight",
    "start": "embeddings.LayerNorm",
}
SEGMENT = {"segment": "embeddings.token_type_embeddings.weight"}
FEEDING = {"wide": "intermediate.dense", "narrow": "output.dense", "end": "output.LayerNorm"}
ATTENDING = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "middle": "attention.output.LayerNorm",
}
GUESSING = {"guess": "lm_head.dense", "guessed": "lm_head.layer_norm", "words": "lm_head.decoder"}


@dataclass(frozen=True)
class Family:
    """Name in the pass -> name in transformers, of a module with weight and bias or, if it ends so, of a weight."""

    embeddings: Mapping[str, str]
    """Below the encoder; `project`, if there is one, widens the sum."""
    layer: Mapping[str, str]
    """Below each layer."""
    head: Mapping[str, str]
    """The masked-LM head, below the whole model; `words` is its last matrix."""
    layers: str = "encoder.layer"
    """Where the layers lie, below the encoder."""
    activation: str = "hidden_act"
    """Where the configuration has the activation of a layer."""
    after_padding: bool = False
    """Whether places are counted from the row after that of padding, which keeps its own."""
    relative: bool = False
    """Whether something is added to scores by how far a key is from its query, as MPNet does."""


BERT = Family(
    embeddings=EMBEDDINGS | SEGMENT,
    layer=ATTENDING | FEEDING,
    head={
        "guess": "cls.predictions.transform.dense",
        "guessed": "cls.predictions.transform.LayerNorm",
        "words": "cls.predictions.decoder",
    },
)
FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "bert": BERT,
        "distilbert": Family(
            embeddings=EMBEDDINGS,
            layers="transformer.layer",
            layer={
                "query": "attention.q_lin",
                "key": "attention.k_lin",
                "value": "attention.v_lin",
                "output": "attention.out_lin",
                "middle": "sa_layer_norm",
                "wide": "ffn.lin1",
                "narrow": "ffn.lin2",
                "end": "output_layer_norm",
            },
            head={"guess": "vocab_transform", "guessed": "vocab_layer_norm", "words": "vocab_projector"},
            activation="activation",
        ),
        "electra": Family(
            embeddings=EMBEDDINGS | SEGMENT | {"project": "embeddings_project"},
            layer=BERT.layer,
            head={
                "guess": "generator_predictions.dense",
                "guessed": "generator_predictions.LayerNorm",
                "words": "generator_lm_head",
            },
        ),
        "mpnet": Family(
            embeddings=EMBEDDINGS,
            layer={
                "query": "attention.attn.q",
                "key": "attention.attn.k",
                "value": "attention.attn.v",
                "output": "attention.attn.o",
                "middle": "attention.LayerNorm",
                **FEEDING,
            },
            head=GUESSING,
            after_padding=True,
            relative=True,
        ),
        "roberta": Family(embeddings=EMBEDDINGS | SEGMENT, layer=BERT.layer, head=GUESSING, after_padding=True),
    }
)
"""By the name that transformers has for a family."""
