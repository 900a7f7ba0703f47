"""The hook: from a model and inputs to the few sums from which every measure is computed."""
