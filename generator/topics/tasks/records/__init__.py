"""The records of numbers about labelled tasks."""
