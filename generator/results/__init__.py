"""The tables of a results folder, and how they are written and read."""
