"""Claims of the hypothesis of 2021."""
