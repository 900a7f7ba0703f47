"""Claims about the roles of tokens, and about sinks."""
