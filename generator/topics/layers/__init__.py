"""Curves over layers: breadth, patterns of maps, and whether layers fall into phases."""
