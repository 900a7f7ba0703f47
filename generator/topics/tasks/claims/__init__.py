"""Claims about fine-tuned models and disabled heads."""
