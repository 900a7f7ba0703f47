"""Numbers of a comparison that pages compute from stored tables."""
