"""Fieldguide: observe, measure and show what the attention heads of an encoder do."""

__version__ = "0.1.0"
