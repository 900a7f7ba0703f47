"""The page of what labelled tasks say of a model."""
