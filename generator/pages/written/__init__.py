"""Content of hand-written pages that is not about models."""
