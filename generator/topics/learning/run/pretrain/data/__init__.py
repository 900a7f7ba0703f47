"""From text to the masked pairs that a model is trained on."""
