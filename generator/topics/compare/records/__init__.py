"""Records of the numbers of comparisons."""
