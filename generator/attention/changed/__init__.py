"""Attention that is changed while a model reads: heads disabled, tokens cut off."""
