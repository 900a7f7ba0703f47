"""The page of a model's learning curve."""
