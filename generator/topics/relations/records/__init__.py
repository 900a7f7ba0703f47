"""Records of what heads find on a treebank."""
