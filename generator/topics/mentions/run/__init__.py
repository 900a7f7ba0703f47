"""Experiments on linked mentions."""
