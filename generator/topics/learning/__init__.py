"""Learning from scratch: pre-training, and what changes over its checkpoints."""
