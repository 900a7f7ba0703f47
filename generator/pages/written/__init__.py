"""What hand-written pages show that is about no model."""
