"""Claims of related work and of introductions to BERT."""
