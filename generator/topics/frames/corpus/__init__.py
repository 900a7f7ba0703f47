"""Texts with frames, and how they are read."""
