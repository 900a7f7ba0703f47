"""The pages that compare two models."""
