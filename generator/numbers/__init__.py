"""A number with its interval: how it comes about, how several combine, how it is written."""
