"""Records of contextual vectors and of gradients."""
