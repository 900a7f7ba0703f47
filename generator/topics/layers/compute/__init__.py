"""Curves over layers, and whether they fall into phases."""
