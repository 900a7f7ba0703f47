"""Loads an encoder together with the head that was fine-tuned on a labelled task."""

from dataclasses import dataclass, replace

import torch
from transformers import AutoModelForSequenceClassification

from generator.errors import ModelError
from generator.models.encoder import Encoder
from generator.models.load import load_as, read_config
from generator.models.source import Source


@dataclass(frozen=True)
class Classifier:
    """A checkpoint that labels texts, in evaluation mode."""

    encoder: Encoder
    """The encoder; its model gives logits `[document, label]` instead of hidden states."""

    @property
    def body(self) -> Encoder:
        """The encoder without the head; its model gives hidden states. Examining it prepares the whole model."""
        return replace(self.encoder, model=self.encoder.model.base_model)

    @property
    def outputs(self) -> int:
        """How many numbers it gives for a text: one per class, or a single one for a regression."""
        return int(self.encoder.model.config.num_labels)


def load_classifier(source: Source, device: torch.device) -> Classifier:
    """Load the encoder with its classification head. Raises ModelError, also where the checkpoint has no such head."""
    if read_config(source).is_encoder_decoder:
        raise ModelError(
            f"Expected an encoder with a classification head in {source.folder}, found a model with a decoder; "
            "choose an encoder."
        )
    found = load_as(AutoModelForSequenceClassification, source, device, "a model with a classification head")
    # A head without weights would be drawn at random.
    if found.missing:
        raise ModelError(
            f"Expected a model with a classification head in {source.folder}, found no weights for "
            f"{found.missing[0]}; fine-tune the model on a task first."
        )
    return Classifier(found.encoder)
