"""The learning curve of a model, from the results of its checkpoints."""
