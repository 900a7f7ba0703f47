"""What changed from one build to the next, and the page that tells it."""
