"""What follows from stored distances between heads: which of them have a double."""
