"""Studies that need more than one pass of sums: words, trees, mentions, distances between heads, vectors."""
