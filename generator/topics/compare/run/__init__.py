"""Two models side by side, on the same inputs."""
