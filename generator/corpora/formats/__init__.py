"""File formats of corpora, and the records of what they annotate."""
