"""The page of the five patterns of maps."""
