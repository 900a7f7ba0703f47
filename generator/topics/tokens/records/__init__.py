"""Records of what tokens receive."""
