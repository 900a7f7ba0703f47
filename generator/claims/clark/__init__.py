"""Claims of Clark et al. 2019 on measures alone; topics have the others."""
