"""What hand-written pages show of the example sentences."""
