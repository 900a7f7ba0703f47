"""Claims about learning, and what an untrained model says to claims that something is absent."""
