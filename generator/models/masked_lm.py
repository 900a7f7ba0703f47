"""A folder of files -> the encoder together with its masked-LM head, where the checkpoint carries one."""

import copy
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from transformers import AutoConfig, AutoModelForMaskedLM
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    MODEL_FOR_PRETRAINING_MAPPING_NAMES,
)

from generator.errors import ModelError, reason
from generator.models.encoder import Encoder
from generator.models.load import load
from generator.models.source import Source


@dataclass(frozen=True)
class MaskedLM:
    """A checkpoint that predicts hidden tokens, in float32 and in evaluation mode."""

    encoder: Encoder
    """Its model puts out logits `[document, token, vocabulary]` where the plain encoder puts out hidden states."""

    @property
    def mask(self) -> int:
        """The id of the mask token."""
        return int(self.encoder.tokenizer.mask_token_id)

    @cached_property
    def pieces(self) -> tuple[int, ...]:
        """The ids from which a random replacement is drawn: the vocabulary without special tokens."""
        special = set(self.encoder.tokenizer.all_special_ids)
        return tuple(sorted(set(self.encoder.tokenizer.get_vocab().values()) - special))


def load_masked_lm(source: Source, device: torch.device) -> MaskedLM | None:
    """Load the encoder with its masked-LM head, or None where the checkpoint has none.

    There is none where the configuration names no class with such a head, where weights of the head are missing, or
    where the tokenizer has no mask token. Raises ModelError for a folder that cannot be loaded.
    """
    encoder_alone = load(source, device) if _names_a_head(source) else None
    if encoder_alone is None or encoder_alone.tokenizer.mask_token_id is None:
        return None
    try:
        model, report = AutoModelForMaskedLM.from_pretrained(
            source.folder,
            config=copy.deepcopy(AutoConfig.from_pretrained(source.folder, trust_remote_code=False)),
            use_safetensors=True,
            trust_remote_code=False,  # left out, transformers asks at the keyboard and runs the code after a yes
            attn_implementation="eager",
            dtype=torch.float32,
            output_loading_info=True,
        )
    except Exception as error:  # noqa: BLE001 - a foreign folder can make transformers raise anything
        raise ModelError(
            f"Expected a masked language model that transformers can load in {source.folder}, found: {reason(error)}; "
            "check that config.json and the weights belong together."
        ) from None
    if report["missing_keys"]:
        return None
    return MaskedLM(replace(encoder_alone, model=model.eval().requires_grad_(False).to(device)))


def _names_a_head(source: Source) -> bool:
    """Whether config.json names the family's class with a masked-LM head, or the one it was pre-trained with."""
    try:
        config = AutoConfig.from_pretrained(source.folder, trust_remote_code=False)
    except Exception as error:  # noqa: BLE001 - as above
        raise ModelError(
            f"Expected a configuration that transformers can read in {source.folder}, found: {reason(error)}; "
            "check that the folder is complete and that it needs no remote code."
        ) from None
    masked = MODEL_FOR_MASKED_LM_MAPPING_NAMES.get(config.model_type)
    if masked is None or config.is_encoder_decoder:
        return False
    wanted = {masked, MODEL_FOR_PRETRAINING_MAPPING_NAMES.get(config.model_type)}
    return not wanted.isdisjoint(config.architectures or ())
