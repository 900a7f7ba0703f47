"""Pre-training a small BERT from scratch."""
