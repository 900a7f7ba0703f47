"""Charts of a course of training."""
