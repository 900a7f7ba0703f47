"""Claims of the literature, judged from stored results."""
