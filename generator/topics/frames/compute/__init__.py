"""Attention between the parts of a frame, and to words of a kind."""
