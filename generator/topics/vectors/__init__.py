"""How much the vectors of words depend on their context, and what the loss and the output react to."""
