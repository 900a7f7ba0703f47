"""How differently heads attend, and how many of them have a double."""
