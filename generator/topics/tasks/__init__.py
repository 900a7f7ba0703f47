"""What a model scores after fine-tuning, and what it loses without some of its heads."""
