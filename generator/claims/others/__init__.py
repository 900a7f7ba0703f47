"""Claims of introductions to BERT."""
