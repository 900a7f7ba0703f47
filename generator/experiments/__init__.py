"""Experiments with models: they are trained, followed over their training, compared, and run without some heads."""
