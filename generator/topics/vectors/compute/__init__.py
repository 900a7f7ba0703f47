"""How much vectors of words depend on their context, and which tokens the masked-LM loss and the output react to."""
