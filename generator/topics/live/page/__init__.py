"""The field for a sentence of the reader's own, on pages of heads and of models."""
