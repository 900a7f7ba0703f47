"""The page of a model's results on labelled tasks."""
