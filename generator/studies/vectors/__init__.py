"""How much the vectors of words depend on their context."""
