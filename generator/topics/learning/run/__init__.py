"""Pre-training from scratch, and curves of its checkpoints."""
