"""How a model reads the example sentences."""
