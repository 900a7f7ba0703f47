"""Claims about what mentions refer to, and the names that heads have for finding it."""
