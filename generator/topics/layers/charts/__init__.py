"""Charts of patterns and of profiles of layers."""
