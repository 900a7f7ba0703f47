"""What follows from stored numbers of tokens, and from trees alone."""
