"""What an encoder is, in a sentence or two: what the catalogue notes of it, and where it differs from BERT."""

from collections.abc import Mapping
from typing import Any

from generator.corpora.classes import TokenClass
from generator.corpora.pairs import PairTemplate
from generator.models.catalogue import note_of
from generator.models.encoder import Encoder
from generator.numbers.writing import listed

NO_NUMBER = "It tells what a model is."

POSITIONS = {
    "relative": ("relative_attention_num_buckets", "relative_attention"),
    "rotary": ("rope_theta", "rope_parameters", "global_rope_theta"),
}
"""What positions are -> settings of transformers' configurations that say so."""
OWN_CODE = "It brings code for a model of its own, which was not run: transformers' {} read its weights."
MARKS = 2
"""How many [SEP] BERT puts into a pair of texts."""


def about(encoder: Encoder, model_id: str) -> str:
    """The catalogue's note on the model, how its positions and its inputs differ from BERT's, and whether it brings
    code for a model of its own; may be empty.
    """
    config = encoder.model.config
    other = [
        f"{kind} positions" for kind, names in POSITIONS.items() if any(getattr(config, name, None) for name in names)
    ]
    other += [] if encoder.segments else ["no segments"]
    marks = [kind for *_, kind in PairTemplate(encoder.tokenizer).fill([0], [0])].count(TokenClass.SEPARATOR)
    other += [] if marks == MARKS else [f"{marks or 'no'} [SEP] in a pair of texts"]
    unlike = f"Unlike BERT it has {listed(other)}." if other else ""
    own = OWN_CODE.format(type(encoder.model).__name__) if _brings_code(config) else ""
    return " ".join(filter(None, (note_of(model_id), unlike, own)))


def _brings_code(config: Any) -> bool:
    """Whether config.json names a model of the checkpoint's own; code for a tokenizer or a configuration changes no
    map.
    """
    named = getattr(config, "auto_map", None)
    return isinstance(named, Mapping) and any(str(name).startswith("AutoModel") for name in named)
