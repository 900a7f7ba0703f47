"""Checkpoints: where they come from and how they are loaded."""
