"""From attention weights to the few sums from which every measure is computed."""
