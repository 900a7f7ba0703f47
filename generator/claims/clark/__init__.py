"""Claims of Clark et al. 2019."""
