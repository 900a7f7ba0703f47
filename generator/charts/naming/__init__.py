"""Names of lines and points inside a chart, so that it needs no legend for them."""
