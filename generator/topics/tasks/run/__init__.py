"""Fine-tuning on labelled tasks, and disabling heads of what was tuned."""
