"""Loads an encoder together with its head for extractive answers, if the checkpoint has one."""

from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import AutoModelForQuestionAnswering
from transformers.models.auto.modeling_auto import MODEL_FOR_QUESTION_ANSWERING_MAPPING_NAMES

from generator.defaults import PRECISION, Precision
from generator.models.encoder import Encoder
from generator.models.load import load_as, read_config
from generator.models.source import Source

ENDS = 2
"""Outputs of the head per token: how well an answer starts there, and how well it ends there."""


@dataclass(frozen=True)
class Answering:
    """A checkpoint that finds answers in passages, in evaluation mode."""

    encoder: Encoder
    """The encoder; its model gives two arrays of logits `[document, token]`, for start and for end."""

    def logits(self, input_ids: Tensor, segment_ids: Tensor) -> tuple[Tensor, Tensor]:
        """The logits of start and of end, each `[document, token]`, for inputs of the same shape without padding."""
        with torch.inference_mode():
            found = self.encoder.run(input_ids, torch.ones_like(input_ids), segment_ids)
        return found.start_logits.cpu(), found.end_logits.cpu()


def load_answering(source: Source, device: torch.device, precision: Precision = PRECISION) -> Answering | None:
    """Load the encoder with its head for answers; None if the checkpoint has none.

    None is returned if the configuration names no class with such a head or not two outputs, if weights of the head
    are missing, or if the tokenizer cannot tell which characters its tokens stand for. Raises ModelError for a folder
    that cannot be loaded.
    """
    if not _names_a_head(source):
        return None
    found = load_as(AutoModelForQuestionAnswering, source, device, "a model that answers questions", precision)
    if found.missing or not found.encoder.tokenizer.is_fast:
        return None
    return Answering(found.encoder)


def _names_a_head(source: Source) -> bool:
    config = read_config(source)
    name = MODEL_FOR_QUESTION_ANSWERING_MAPPING_NAMES.get(config.model_type)
    if name is None or config.is_encoder_decoder or config.num_labels != ENDS:
        return False
    return name in (config.architectures or ())
