"""What follows from stored numbers of a training, or of heads that were taken away."""
