"""Claims about phases and patterns."""
