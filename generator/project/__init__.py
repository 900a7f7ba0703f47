"""The settings file of a guide: models are added to it and removed from it, and found by it."""
