"""Loads an encoder together with its masked-LM head, if the checkpoint has one."""

from dataclasses import dataclass
from functools import cached_property

import torch
from transformers import AutoModelForMaskedLM
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    MODEL_FOR_PRETRAINING_MAPPING_NAMES,
)

from generator.defaults import PRECISION, Precision
from generator.models.encoder import Encoder
from generator.models.load import load_as, read_config
from generator.models.source import Source


@dataclass(frozen=True)
class MaskedLM:
    """A checkpoint that predicts hidden tokens, in evaluation mode."""

    encoder: Encoder
    """The encoder; its model gives logits `[document, token, vocabulary]` instead of hidden states."""

    @property
    def mask(self) -> int:
        """The id of the mask token."""
        return int(self.encoder.tokenizer.mask_token_id)

    @cached_property
    def pieces(self) -> tuple[int, ...]:
        """The ids from which a random replacement is drawn: the vocabulary without special tokens."""
        special = set(self.encoder.tokenizer.all_special_ids)
        return tuple(sorted(set(self.encoder.tokenizer.get_vocab().values()) - special))


def load_masked_lm(source: Source, device: torch.device, precision: Precision = PRECISION) -> MaskedLM | None:
    """Load the encoder with its masked-LM head; None if the checkpoint has none.

    None is returned if the configuration names only classes without such a head, if weights of the head are missing, or
    if the tokenizer has no mask token. Raises ModelError for a folder that cannot be loaded.
    """
    if not _may_have_a_head(source):
        return None
    found = load_as(AutoModelForMaskedLM, source, device, "a masked language model", precision)
    if found.missing or found.encoder.tokenizer.mask_token_id is None:
        return None
    return MaskedLM(found.encoder)


def _may_have_a_head(source: Source) -> bool:
    """Whether config.json names the family's class with a masked-LM head or its class for pre-training, or none."""
    config = read_config(source)
    masked = MODEL_FOR_MASKED_LM_MAPPING_NAMES.get(config.model_type)
    if masked is None or config.is_encoder_decoder:
        return False
    wanted = {masked, MODEL_FOR_PRETRAINING_MAPPING_NAMES.get(config.model_type)}
    return not config.architectures or not wanted.isdisjoint(config.architectures)
