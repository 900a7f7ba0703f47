"""Fine-tuning on labelled tasks, and what the scores are worth."""
