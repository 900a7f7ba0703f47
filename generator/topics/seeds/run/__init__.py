"""Several trainings of one recipe: which of their heads come back, and which are chance."""
