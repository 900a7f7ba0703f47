"""What follows from stored counts of relations and from maps of sentences with trees, whoever made them."""
