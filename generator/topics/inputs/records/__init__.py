"""Records of what is measured on changed inputs."""
