"""Texts with linked mentions, and how they are read."""
