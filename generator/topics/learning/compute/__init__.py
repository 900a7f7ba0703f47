"""What changes over the checkpoints of a training, or as heads are taken away."""
