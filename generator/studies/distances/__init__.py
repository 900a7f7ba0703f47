"""How differently heads attend, and what follows for their number."""
