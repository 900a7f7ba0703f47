"""What follows from stored numbers of documents: curves over layers, phases, patterns of maps."""
